import { Button, Card, Form, Input, Modal, Space } from 'antd';
import { lazy, useState } from 'react';
import { AuditTimeline } from '#kernel/web/detail/AuditTimeline.tsx';
import { Facts } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { askTransition } from '#kernel/web/feedback/askTransition.ts';
import { send } from '#kernel/web/http/client.ts';
import { SERVER_MESSAGE, useCommand } from '#kernel/web/http/queries.ts';
import { toast } from '#kernel/web/feedback/toast.ts';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { Masked } from '#kernel/web/kit/Masked.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { Dict } from '#kernel/web/kit/values.tsx';
import { columnsOf } from '#kernel/web/list/columnsOf.ts';
import { useMay } from '#kernel/web/session/store.ts';
import {
  acceptFulfilment,
  confirmCancel,
  confirmSign,
  fulfilmentCard,
  markReturned,
  pushFulfilment,
  queryPushResult,
  refuseCancel,
  rejectFulfilment,
  revealPickupCode,
  undoShip,
  withdrawFulfilment,
  type FulfilmentCard as CardData,
} from '../../contract/calls/fulfilments.ts';
import { fulfilmentMachine, type FulfilmentAction } from '../../contract/fulfilmentStates.ts';
import { orderPermissions as may } from '../../contract/permissions.ts';
import { partReads } from '../partReads.ts';

const ShipForm = lazy(async () => ({ default: (await import('./ShipForm.tsx')).ShipForm }));
const ParcelDrawer = lazy(async () => ({ default: (await import('../logistics/ParcelDrawer.tsx')).ParcelDrawer }));
const goodsColumns = columnsOf<CardData['lines'][number]>(fulfilmentCard.shape.lines.def.element, [
  'goodsCode',
  'goodsName',
  'spec',
  'quantity',
  'shippedQty',
]);
const parcelColumns = columnsOf<CardData['parcels'][number]>(fulfilmentCard.shape.parcels.def.element, [
  'waybillNo',
  'carrierCode',
  'trackState',
  'lastNode',
  'shippedAt',
  'signedAt',
  'voidedAt',
]);

/** What each act sends beside the part and its version. */
function useActs(part: CardData, onChanged: () => void) {
  const options = { success: SERVER_MESSAGE, refreshes: partReads } as const;
  const push = useCommand(pushFulfilment, options);
  const accept = useCommand(acceptFulfilment, options);
  const reject = useCommand(rejectFulfilment, options);
  const withdraw = useCommand(withdrawFulfilment, options);
  const confirm = useCommand(confirmCancel, options);
  const refuse = useCommand(refuseCancel, options);
  const sign = useCommand(confirmSign, options);
  const returned = useCommand(markReturned, options);
  const named = { fulfilmentId: part.id, version: part.version };
  const run: Partial<Record<FulfilmentAction, (opinion: string, code: string | null) => Promise<unknown>>> = {
    push: () => push.run(named),
    accept: () => accept.run(named),
    acceptPickup: () => accept.run(named),
    reject: (opinion) => reject.run({ ...named, opinion }),
    withdraw: (opinion) => withdraw.run({ ...named, opinion }),
    requestCancel: (opinion) => withdraw.run({ ...named, opinion }),
    confirmCancel: () => confirm.run(named),
    keepAccept: (opinion) => refuse.run({ ...named, opinion }),
    keepShip: (opinion) => refuse.run({ ...named, opinion }),
    keepPickup: (opinion) => refuse.run({ ...named, opinion }),
    sign: () => sign.run(named),
    pickUp: (_opinion, pickupCode) => sign.run({ ...named, pickupCode }),
    markReturned: (opinion) => returned.run({ ...named, opinion }),
  };
  return async (action: FulfilmentAction, opinion: string, code: string | null = null) => {
    const done = await run[action]?.(opinion, code);
    if (done) onChanged();
    return Boolean(done);
  };
}

/** The code that somebody shows who fetches his goods. */
function PickupDialog({ onTake, onClose }: { onTake(code: string): Promise<boolean>; onClose(): void }) {
  const [code, setCode] = useState('');
  return (
    <Modal
      open
      title="确认自提"
      okText="确认自提"
      okButtonProps={{ disabled: code.length !== 6 }}
      onCancel={onClose}
      onOk={async () => {
        if (await onTake(code)) onClose();
      }}
    >
      <Form layout="vertical">
        <Form.Item label="取货码" required extra="请核对取货人出示的6位取货码">
          <Input.OTP length={6} value={code} onChange={setCode} />
        </Form.Item>
      </Form>
    </Modal>
  );
}

interface Props {
  part: CardData;
  onChanged(): void;
  /** In a list of cards the trail stays closed. */
  withTrail?: boolean;
}

/** One part of an order: its supplier, its goods, its parcels, and what may be done with it now. */
export function FulfilmentCard({ part, onChanged, withTrail = false }: Props) {
  const layers = useLayers();
  const mayDo = useMay();
  const act = useActs(part, onChanged);
  const ask = useCommand(queryPushResult, { refreshes: partReads });
  const undo = useCommand(undoShip, { success: '操作成功!', refreshes: partReads });
  const facts = factsIn(fulfilmentCard, part, ['fulfilmentNo', 'supplierName', 'goodsText']);
  const start = async (action: FulfilmentAction) => {
    if (action === 'ship') layers.open((close) => <ShipForm part={part} onChanged={onChanged} onClose={close} />);
    else if (action === 'pickUp') layers.open((close) => <PickupDialog onTake={(code) => act('pickUp', '', code)} onClose={close} />);
    else {
      const opinion = await askTransition(fulfilmentMachine, action, '', facts);
      if (opinion !== null) await act(action, opinion);
    }
  };
  const found = async () => {
    const answer = await ask.run({ fulfilmentId: part.id, version: part.version });
    if (!answer) return;
    toast(answer.data.told);
    onChanged();
  };
  const takeBack = async (parcel: CardData['parcels'][number]) => {
    const opinion = await askTransition(fulfilmentMachine, 'undoShip', `运单“${parcel.waybillNo}”`, facts);
    if (opinion === null) return;
    if (await undo.run({ shipmentId: parcel.id, version: parcel.version, opinion })) onChanged();
  };
  const offered = fulfilmentMachine
    .allowed(part.state, mayDo)
    .filter((action) => part.allowedActions.includes(action) && action !== 'undoShip');
  return (
    <Card
      size="small"
      className="kq-section"
      title={
        <Space>
          {part.fulfilmentNo}
          <Dict of={fulfilmentMachine.dictionary} code={part.state} />
          <span>{part.supplierName}</span>
        </Space>
      }
      extra={
        <Space>
          {part.pushState === 'UNKNOWN' && mayDo(may['fulfilment.push']) && (
            <Button size="small" type="primary" loading={ask.busy} onClick={() => void found()}>
              查询结果
            </Button>
          )}
          {offered.map((action) => (
            <Button
              key={action}
              size="small"
              danger={fulfilmentMachine.transitions[action].danger ?? false}
              onClick={() => void start(action)}
            >
              {action === 'push' && part.pushState === 'FAILED' ? '重新推送' : fulfilmentMachine.transitions[action].label}
            </Button>
          ))}
        </Space>
      }
    >
      <Facts
        facts={[
          ...factsIn(fulfilmentCard, part, [
            'way',
            'pushState',
            'supplierOrderNo',
            'supplyFen',
            'freightFen',
            'acceptDeadline',
            'shipDeadline',
          ]),
          ...(part.way === 'PICKUP'
            ? [
                {
                  label: '取货码',
                  value: (
                    <Masked
                      value={part.pickupCode}
                      permission={may['order.reveal']}
                      withReason
                      reveal={async (reason) => (await send(revealPickupCode, { id: part.id, reason })).value ?? ''}
                    />
                  ),
                },
              ]
            : factsIn(fulfilmentCard, part, ['receiverName', 'regionText'])),
          ...factsIn(fulfilmentCard, part, part.rejectReason === null ? ['signedAt'] : ['rejectReason']),
        ]}
      />
      <DataTable rows={part.lines} columns={goodsColumns} rowKey="orderLineId" height="auto" />
      {part.parcels.length > 0 && (
        <DataTable
          rows={part.parcels}
          columns={parcelColumns}
          rowKey="id"
          height="auto"
          actions={[
            {
              label: '轨迹',
              permission: may['order.view'],
              when: ({ voidedAt }) => voidedAt === null,
              act: (parcel) => layers.open((close) => <ParcelDrawer record={parcel.id} onChanged={onChanged} onClose={close} />),
            },
            {
              label: '撤销发货',
              permission: may['fulfilment.undoShip'],
              danger: true,
              when: ({ voidedAt, signedAt }) => voidedAt === null && signedAt === null && part.allowedActions.includes('undoShip'),
              act: takeBack,
            },
          ]}
        />
      )}
      {withTrail && <AuditTimeline rows={part.trail} machine={fulfilmentMachine} />}
      {layers.shown}
    </Card>
  );
}

import { Alert, Button, Drawer, Skeleton } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { AuditTimeline } from '#kernel/web/detail/AuditTimeline.tsx';
import { Section } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { askTransition } from '#kernel/web/feedback/askTransition.ts';
import { useCommand, useData } from '#kernel/web/http/queries.ts';
import { newKey } from '#kernel/web/http/request.ts';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { Dict } from '#kernel/web/kit/values.tsx';
import {
  queryManualOrderDetail,
  queryManualOrderList,
  retryManualOrder,
  submitManualOrder,
  voidManualOrder,
  type ManualOrderDetail,
} from '../../contract/calls/manualOrders.ts';
import { manualRejectReasons } from '../../contract/manualOrderDictionaries.ts';
import { manualOrderMachine, type ManualOrderAction } from '../../contract/manualOrderStates.ts';
import { LikeOrders } from './LikeOrders.tsx';
import { ManualFacts } from './ManualFacts.tsx';
import { manualReads } from './reads.ts';
import './manual.css';

const EvidenceViewer = lazy(async () => ({ default: (await import('#kernel/web/audit/EvidenceViewer.tsx')).EvidenceViewer }));
const EditManual = lazy(async () => ({ default: (await import('./ManualForm.tsx')).EditManual }));
const ReviewForm = lazy(async () => ({ default: (await import('./ReviewForm.tsx')).ReviewForm }));

/** Acts by their order on the page; of decisions those that the amount asks for. */
const OFFERED = {
  NORMAL: ['approve', 'reject', 'submit', 'edit', 'retry', 'void'],
  HIGH: ['approveHigh', 'rejectHigh', 'submit', 'edit', 'retry', 'void'],
} as const satisfies Record<string, readonly ManualOrderAction[]>;

function useManualActions(data: ManualOrderDetail | undefined, layers: ReturnType<typeof useLayers>) {
  const options = { refreshes: manualReads, success: 'message' } as const;
  const submit = useCommand(submitManualOrder, options);
  const retry = useCommand(retryManualOrder, options);
  const voids = useCommand(voidManualOrder, options);
  const take = async (action: ManualOrderAction) => {
    if (!data) return;
    const { manualOrder: row } = data;
    const on = { manualOrderId: row.id, version: row.version };
    switch (action) {
      case 'edit':
        return layers.open((close) => <EditManual data={data} onClose={close} />);
      case 'approve':
      case 'approveHigh':
        return layers.open((close) => <ReviewForm data={data} decision="approve" onClose={close} />);
      case 'reject':
      case 'rejectHigh':
        return layers.open((close) => <ReviewForm data={data} decision="reject" onClose={close} />);
      default: {
        const facts = factsIn(queryManualOrderList.output, row, ['buyerName', 'drugstoreName', 'receiptNo', 'goodsFen']);
        const opinion = await askTransition(manualOrderMachine, action, `手工订单“${row.manualNo}”`, facts);
        if (opinion === null) return;
        if (action === 'void') await voids.run({ ...on, opinion });
        else await (action === 'submit' ? submit : retry).run(on, { idempotencyKey: newKey() });
      }
    }
  };
  return { take, busy: submit.busy || retry.busy || voids.busy };
}

function Warnings({ data }: { data: ManualOrderDetail }) {
  const { manualOrder: row, rejectReasons, lines } = data;
  const rejection = data.trail.findLast(({ action }) => action === 'reject' || action === 'rejectHigh');
  return (
    <>
      {row.state === 'FAILED' && <Alert showIcon type="error" title="落单失败" description={row.failReason} />}
      {row.state === 'REJECTED' && (
        <Alert
          showIcon
          type="error"
          title={`已驳回：${rejectReasons.map((code) => manualRejectReasons.label(code)).join('、')}`}
          description={rejection?.opinion}
        />
      )}
      {lines.some(({ deviates }) => deviates) && (
        <Alert showIcon type="warning" title={`单价偏离门店价目超过20%${data.priceChecked ? '，复核人已核对' : '，复核时须核对并勾选'}`} />
      )}
    </>
  );
}

/** One manual order: its papers beside what was registered, what pays it, orders that are like it, what was decided. */
export function ManualDrawer({ manualOrderId, onClose }: { manualOrderId: string; onClose(): void }) {
  const layers = useLayers();
  const [at, setAt] = useState(0);
  const { data, error, refetch } = useData(queryManualOrderDetail, { manualOrderId }, { quiet: true, every: 10_000 });
  const { take, busy } = useManualActions(data, layers);
  const row = data?.manualOrder;
  const offered: readonly ManualOrderAction[] = OFFERED[data?.isHigh ? 'HIGH' : 'NORMAL'];
  const shown = offered.filter((action) => row?.allowedActions.includes(action));
  return (
    <Drawer
      open
      size={1180}
      title={
        row ? (
          <>
            手工订单 {row.manualNo} <Dict of={manualOrderMachine.dictionary} code={row.state} />
          </>
        ) : (
          '手工订单'
        )
      }
      onClose={onClose}
      footer={
        shown.length > 0 && (
          <div className="kq-detail-actions">
            {shown.map((action, index) => (
              <Button
                key={action}
                type={index === 0 ? 'primary' : 'default'}
                danger={manualOrderMachine.transitions[action].danger ?? false}
                disabled={busy}
                onClick={() => void take(action)}
              >
                {manualOrderMachine.transitions[action].label}
              </Button>
            ))}
          </div>
        )
      }
    >
      {error ? (
        <TableFailure error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton active paragraph={{ rows: 12 }} />
      ) : (
        <div className="ord-manual-two">
          <div>
            {data.files.length === 0 ? (
              <div className="kq-empty">还没有上传小票、处方或发票</div>
            ) : (
              <Suspense fallback={<Skeleton active />}>
                <EvidenceViewer
                  caseId={manualOrderId}
                  name="凭证"
                  items={data.files.map(({ fileId }, index) => ({
                    id: fileId,
                    label: `凭证${index + 1}`,
                    fileIds: [fileId],
                    ownerType: 'order.manualOrder',
                    ownerId: manualOrderId,
                  }))}
                  at={at}
                  onChoose={setAt}
                />
              </Suspense>
            )}
          </div>
          <div>
            <Warnings data={data} />
            <ManualFacts data={data} />
            <LikeOrders data={data} />
            <Section title="操作记录">
              <AuditTimeline rows={data.trail} machine={manualOrderMachine} />
            </Section>
          </div>
        </div>
      )}
      {layers.shown}
    </Drawer>
  );
}

import { Button, Drawer, Skeleton } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { AuditTimeline } from '#kernel/web/detail/AuditTimeline.tsx';
import { Facts, Section } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { askTransition } from '#kernel/web/feedback/askTransition.ts';
import { useCommand, useData } from '#kernel/web/http/queries.ts';
import { newKey } from '#kernel/web/http/request.ts';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { Dict, Money } from '#kernel/web/kit/values.tsx';
import { afterSaleMachine, type AfterSaleAction } from '../../contract/afterSaleStates.ts';
import {
  auditAfterSale,
  cancelAfterSale,
  confirmCounterRefund,
  inspectReturn,
  queryAfterSaleDetail,
  queryAfterSaleList,
} from '../../contract/calls/afterSales.ts';
import { fundingKinds } from '../../contract/orderDictionaries.ts';
import { afterSaleReads } from './reads.ts';
import '../orders/orders.css';

const EvidenceViewer = lazy(async () => ({ default: (await import('#kernel/web/audit/EvidenceViewer.tsx')).EvidenceViewer }));
const ReceiveForm = lazy(async () => ({ default: (await import('./ReceiveForm.tsx')).ReceiveForm }));

const PARTS = { WAITING: '退款中', DONE: '已退', FAILED: '失败' } as const;
/** Decisions that the page asks for by the amount: only those of its level are offered. */
const OF_LEVEL = {
  NORMAL: ['approve', 'approveReturn', 'refuse'],
  HIGH: ['approveHigh', 'approveHighReturn', 'refuseHigh'],
} as const;

/** One return: what comes back, what goes back to which instrument, who decided. */
export function AfterSaleDrawer({ afterSaleId, onClose }: { afterSaleId: string; onClose(): void }) {
  const { data, error, refetch } = useData(queryAfterSaleDetail, { afterSaleId }, { quiet: true });
  const layers = useLayers();
  const [at, setAt] = useState(0);
  const options = { refreshes: afterSaleReads, success: '修改成功!' } as const;
  const audit = useCommand(auditAfterSale, options);
  const inspect = useCommand(inspectReturn, options);
  const cancel = useCommand(cancelAfterSale, options);
  const confirmCounter = useCommand(confirmCounterRefund, { ...options, success: 'message' });
  const row = data?.afterSale;
  const busy = audit.busy || inspect.busy || cancel.busy || confirmCounter.busy;
  const take = async (action: AfterSaleAction) => {
    if (!data || !row) return;
    const on = { afterSaleId, version: row.version };
    if (action === 'receive') return layers.open((close) => <ReceiveForm afterSale={row} onClose={close} />);
    const opinion = await askTransition(
      afterSaleMachine,
      action,
      `售后单“${row.afterSaleNo}”`,
      factsIn(queryAfterSaleList.output, row, ['orderNo', 'goodsText', 'reasonCode', 'refundFen']),
    );
    if (opinion === null) return;
    if (action === 'confirmCounter') return void (await confirmCounter.run({ ...on, opinion }));
    if (action === 'cancel') return void (await cancel.run({ ...on, opinion }));
    if (action === 'inspectPass' || action === 'inspectFail')
      return void (await inspect.run({ ...on, passes: action === 'inspectPass', opinion }, { idempotencyKey: newKey() }));
    const level = data.isHigh ? 'HIGH' : 'NORMAL';
    const decision = action === 'refuse' || action === 'refuseHigh' ? 'refuse' : 'approve';
    await audit.run({ ...on, level, decision, opinion }, { idempotencyKey: newKey() });
  };
  const level: readonly AfterSaleAction[] = data?.isHigh ? OF_LEVEL.HIGH : OF_LEVEL.NORMAL;
  const returns = row?.type === 'RETURN_REFUND';
  const counter: readonly AfterSaleAction[] = data?.atCounter ? ['confirmCounter'] : [];
  const offered = [...level, 'receive', 'inspectPass', 'inspectFail', ...counter, 'cancel'] as const;
  const shown = offered.filter(
    (action) =>
      row?.allowedActions.includes(action) &&
      !(returns ? ['approve', 'approveHigh'] : ['approveReturn', 'approveHighReturn']).includes(action),
  );
  return (
    <Drawer
      open
      size={860}
      title={
        row ? (
          <>
            售后 {row.afterSaleNo} <Dict of={afterSaleMachine.dictionary} code={row.state} />
          </>
        ) : (
          '售后'
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
                danger={afterSaleMachine.transitions[action].danger ?? false}
                disabled={busy}
                onClick={() => void take(action)}
              >
                {afterSaleMachine.transitions[action].label}
              </Button>
            ))}
          </div>
        )
      }
    >
      {error ? (
        <TableFailure error={error} onRetry={() => void refetch()} />
      ) : !data || !row ? (
        <Skeleton active paragraph={{ rows: 10 }} />
      ) : (
        <>
          <Facts
            facts={[
              ...factsIn(queryAfterSaleList.output, row, [
                'orderNo',
                'buyerName',
                'type',
                'reasonCode',
                'refundFen',
                'makerName',
                'createdAt',
                'checkerName',
                'doneAt',
              ]),
              ...factsIn(queryAfterSaleDetail.output, data, ['returnWaybill', 'applicantText', 'internalNote']),
            ]}
          />
          <Section title="退回商品">
            <table className="ord-table">
              <thead>
                <tr>
                  <th>商品</th>
                  <th>规格</th>
                  <th className="ord-right">数量</th>
                  <th>退运费</th>
                </tr>
              </thead>
              <tbody>
                {data.lines.map((line) => (
                  <tr key={line.orderLineId}>
                    <td>{line.goodsName}</td>
                    <td>{line.spec}</td>
                    <td className="ord-right kq-number">{line.quantity}</td>
                    <td>{line.withFreight ? '是' : '否'}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Section>
          {data.parts.length > 0 && (
            <Section title="退款去向">
              <table className="ord-table">
                <thead>
                  <tr>
                    <th>商品</th>
                    <th>退回</th>
                    <th className="ord-right">金额</th>
                    <th>状态</th>
                  </tr>
                </thead>
                <tbody>
                  {data.parts.map(({ orderLineId, kind, goodsName, amountFen, state, failReason }) => (
                    <tr key={`${orderLineId}${kind}`}>
                      <td>{goodsName}</td>
                      <td>{fundingKinds.label(kind)}</td>
                      <td className="ord-right">
                        <Money fen={amountFen} />
                      </td>
                      <td>{`${PARTS[state]}${failReason === null ? '' : `：${failReason}`}`}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </Section>
          )}
          {data.files.length > 0 && (
            <Section title="凭证">
              <Suspense fallback={<Skeleton active />}>
                <EvidenceViewer
                  caseId={afterSaleId}
                  name="凭证"
                  items={data.files.map(({ fileId }, index) => ({
                    id: fileId,
                    label: `凭证${index + 1}`,
                    fileIds: [fileId],
                    ownerType: 'order.afterSale',
                    ownerId: afterSaleId,
                  }))}
                  at={at}
                  onChoose={setAt}
                />
              </Suspense>
            </Section>
          )}
          <Section title="操作记录">
            <AuditTimeline rows={data.trail} machine={afterSaleMachine} />
          </Section>
        </>
      )}
      {layers.shown}
    </Drawer>
  );
}

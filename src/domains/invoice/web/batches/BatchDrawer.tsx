import { Button, Drawer, Progress, Skeleton } from 'antd';
import { useEffect, useState } from 'react';
import type { OutputOf } from '#kernel/contract/call.ts';
import { AuditTimeline } from '#kernel/web/detail/AuditTimeline.tsx';
import { Facts, Section } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { Dict } from '#kernel/web/kit/values.tsx';
import { columnsOf } from '#kernel/web/list/columnsOf.ts';
import { useMay } from '#kernel/web/session/store.ts';
import { queryRefundBatchDetail } from '../../contract/calls/batches.ts';
import type { RefundRow } from '../../contract/calls/refunds.ts';
import { batchOutcomes } from '../../contract/dictionaries.ts';
import { refundBatchMachine } from '../../contract/states.ts';
import { useBatchActions } from './useBatchActions.tsx';

type Detail = OutputOf<typeof queryRefundBatchDetail>;
type Row = RefundRow & Pick<Detail['items'][number], 'outcome'>;

const { batch: batchOut, items: itemsOut } = queryRefundBatchDetail.output.shape;
const columns = columnsOf<Row>(itemsOut.def.element.shape.refund, [
  { key: 'refundNo', required: true },
  'sourceNo',
  'sourceType',
  'amountFen',
  'way',
  { key: 'outcome', title: '本批结果', width: 100, kind: 'custom', render: (row: Row) => <Dict of={batchOutcomes} code={row.outcome} /> },
  'failReason',
  'status',
]);
const EVERY_MS = 3_000;

/** One batch: how far it is, its refunds, its story. */
export function BatchDrawer({ id, onClose }: { id: string; onClose(): void }) {
  const [isRunning, setRunning] = useState(false);
  const { data, error, refetch } = useData(queryRefundBatchDetail, { refundBatchId: id }, { quiet: true, every: isRunning && EVERY_MS });
  const layers = useLayers();
  const can = useMay();
  const actions = useBatchActions(layers);
  const batch = data?.batch;
  const offered = actions.filter(
    ({ when, permission }) => batch && (when?.(batch) ?? true) && (permission === undefined || can(permission)),
  );
  const status = batch?.status;
  useEffect(() => setRunning(status === 'RUNNING'), [status]);
  return (
    <Drawer
      open
      title={batch ? `退款批次 ${batch.batchNo}` : '退款批次'}
      size="min(1080px, 94vw)"
      onClose={onClose}
      footer={
        batch &&
        offered.length > 0 && (
          <div className="kq-detail-actions">
            {offered.map((action) => (
              <Button key={action.label} danger={action.danger ?? false} onClick={() => void action.act(batch)}>
                {action.label}
              </Button>
            ))}
          </div>
        )
      }
    >
      {error ? (
        <TableFailure error={error} onRetry={() => void refetch()} />
      ) : !data || !batch ? (
        <Skeleton active paragraph={{ rows: 10 }} />
      ) : (
        <>
          {batch.startedAt !== null && (
            <Progress
              percent={Math.floor(((batch.okCount + batch.failCount) * 100) / batch.itemCount)}
              status={batch.failCount > 0 ? 'exception' : batch.status === 'RUNNING' ? 'active' : 'success'}
              format={() => `${batch.okCount + batch.failCount}/${batch.itemCount}`}
            />
          )}
          <Facts
            facts={[
              ...factsIn(batchOut, batch, [
                'itemCount',
                'amountFen',
                'status',
                'okCount',
                'failCount',
                'unknownCount',
                'makerName',
                'approverName',
                'executorName',
                'createdAt',
                'startedAt',
                'finishedAt',
              ]),
              ...factsIn(queryRefundBatchDetail.output, data, ['opinion']),
            ]}
          />
          <Section title="退款明细">
            <DataTable
              columns={columns}
              rows={data.items.map(({ refund, outcome, failReason }) => ({
                ...refund,
                outcome,
                failReason: failReason ?? refund.failReason,
              }))}
              height="auto"
              empty="没有退款"
            />
          </Section>
          <Section title="操作记录">
            <AuditTimeline rows={data.trail} machine={refundBatchMachine} />
          </Section>
        </>
      )}
      {layers.shown}
    </Drawer>
  );
}

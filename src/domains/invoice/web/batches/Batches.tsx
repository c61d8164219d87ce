import { lazy } from 'react';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { exportRefundBatch, queryRefundBatchList, type RefundBatchRow } from '../../contract/calls/batches.ts';
import { invoicePermissions as may } from '../../contract/permissions.ts';
import { useBatchActions } from './useBatchActions.tsx';

const BatchDrawer = lazy(async () => ({ default: (await import('./BatchDrawer.tsx')).BatchDrawer }));

const batches = resource(queryRefundBatchList, {
  routeKey: 'invoice.batches',
  empty: '还没有退款批次，在「退款」勾选待退款的退款单后点「加入批次」',
  filters: ['batchNo', 'status'],
  columns: [
    { key: 'batchNo', required: true },
    'itemCount',
    'amountFen',
    'okCount',
    'failCount',
    'unknownCount',
    'makerName',
    'approverName',
    'executorName',
    'createdAt',
    { key: 'startedAt', hidden: true },
    { key: 'finishedAt', hidden: true },
    'status',
  ],
});

/** Tab 退款批次. */
export function Batches() {
  const layers = useLayers();
  const actions = useBatchActions(layers);
  const show = (row: RefundBatchRow) => layers.open((close) => <BatchDrawer id={row.id} onClose={close} />);
  return (
    <>
      <ResourceList
        of={batches}
        actions={[{ label: '查看', act: show }, ...actions]}
        onRowClick={show}
        toolbar={(view) => <ExportButton call={exportRefundBatch} view={view} permission={may['payment.export']} />}
      />
      {layers.shown}
    </>
  );
}

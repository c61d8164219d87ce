import { lazy } from 'react';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { goTo } from '#kernel/web/router/navigate.ts';
import { exportBatchList, queryBatchList, type BatchRow } from '../../contract/calls/batches.ts';
import { cardPermissions as may } from '../../contract/permissions.ts';
import { useBatchActions } from './useBatchActions.tsx';

const EditBatch = lazy(async () => ({ default: (await import('./BatchForms.tsx')).EditBatch }));

const batches = resource(queryBatchList, {
  routeKey: 'cardBatchManagement',
  empty: '没有符合条件的批次，请在“卡列表”中为启用的卡种新建批次',
  filters: ['batchNo', 'kind', 'medium', 'status', 'creator', { kind: 'days', names: ['dateFrom', 'dateTo'], label: '创建时间' }],
  columns: [
    { key: 'batchNo', required: true },
    'typeName',
    { key: 'kind', plain: true },
    { key: 'medium', plain: true },
    'quantity',
    'faceAmount',
    'bonusAmount',
    'totalAmount',
    'generatedCount',
    'issuedCount',
    'activatedCount',
    'status',
    'submittedBy',
    'approvedBy',
    'createdAt',
    { key: 'createdBy', hidden: true },
  ],
});

/** /cardBatchManagement 发卡批次: from the request over its approvals to the stock. */
export default function CardBatchManagement() {
  const layers = useLayers();
  const batchActions = useBatchActions(layers);
  const show = (row: BatchRow) => goTo('/cardBatchManagementDetail', { batchId: row.id });
  const actions: readonly RowAction<BatchRow>[] = [
    { label: '详情', act: show },
    {
      label: '修改',
      permission: may['batch.edit'],
      when: ({ status }) => status === 'DRAFT' || status === 'REJECTED',
      act: (row) => layers.open((close) => <EditBatch id={row.id} onClose={close} />),
    },
    ...batchActions,
  ];
  return (
    <>
      <ResourceList
        of={batches}
        actions={actions}
        onRowClick={show}
        toolbar={(view) => <ExportButton call={exportBatchList} view={view} permission={may['card.export']} />}
      />
      {layers.shown}
    </>
  );
}

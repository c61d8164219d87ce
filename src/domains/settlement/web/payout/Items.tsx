import { lazy, useMemo } from 'react';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { exportPayoutItemList, queryPayoutItemList, type PayoutItemRow } from '../../contract/calls/payouts.ts';
import { settlementPermissions as may } from '../../contract/permissions.ts';

const MarkItem = lazy(async () => ({ default: (await import('./MarkItem.tsx')).MarkItem }));

const items = (routeKey: string) =>
  resource(queryPayoutItemList, {
    routeKey,
    empty: '还没有付款明细',
    filters: ['doctorName', 'status'],
    columns: [
      { key: 'bizRef', required: true },
      'doctorName',
      'grossFen',
      'taxFen',
      'netFen',
      'payeeName',
      'bankName',
      'accountMasked',
      'billNo',
      'bankSerialNo',
      'bankDay',
      'failReason',
      { key: 'messageStatus', plain: true },
      'status',
    ],
  });
const all = items('incomeSettle.items');
const ofBatch = items('incomeSettle.batchItems');

/** Payments row by row; of one batch, or of all. */
export function Items({ batchId }: { batchId?: string }) {
  const layers = useLayers();
  const fixed = useMemo(() => (batchId === undefined ? {} : { batchId }), [batchId]);
  const actions: readonly RowAction<PayoutItemRow>[] = [
    {
      label: '登记结果',
      permission: may['payout.result'],
      when: ({ status }) => status === 'PENDING' || status === 'UNKNOWN' || status === 'SUCCESS',
      act: (row) => layers.open((close) => <MarkItem row={row} onClose={close} />),
    },
  ];
  return (
    <>
      <ResourceList
        of={batchId === undefined ? all : ofBatch}
        fixed={fixed}
        actions={actions}
        toolbar={(view) => <ExportButton call={exportPayoutItemList} view={view} permission={may['payout.view']} />}
      />
      {layers.shown}
    </>
  );
}
export const AllItems = () => <Items />;

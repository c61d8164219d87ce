import { Button } from 'antd';
import { lazy } from 'react';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { Can } from '#kernel/web/kit/Can.tsx';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { exportSettlementBatchList, querySettlementBatchList, type SettlementBatchRow } from '../../contract/calls/settlement.ts';
import { cardPermissions as may } from '../../contract/permissions.ts';

const NewBatch = lazy(async () => ({ default: (await import('./NewBatch.tsx')).NewBatch }));
const BatchDrawer = lazy(async () => ({ default: (await import('./BatchDrawer.tsx')).BatchDrawer }));

const batches = resource(querySettlementBatchList, {
  routeKey: 'storedCardBatchManage',
  empty: '还没有结算批次，点「新建批次」生成',
  filters: ['batchNo', 'direction', 'bizLine', { kind: 'days', names: ['periodFrom', 'periodTo'], label: '期间' }, 'state'],
  columns: [
    { key: 'batchNo', required: true },
    { key: 'direction', plain: true },
    { key: 'kind', plain: true },
    { key: 'bizLine', plain: true },
    'periodFrom',
    'periodTo',
    'billCount',
    'lineCount',
    'gross',
    'reversal',
    'fee',
    'net',
    'confirmed',
    'settled',
    'state',
    'maker',
    'auditor',
    { key: 'createdAt', hidden: true },
  ],
});

/** Tab 结算批次. */
export function Batches() {
  const layers = useLayers();
  const show = (id: string) => layers.open((close) => <BatchDrawer id={id} onClose={close} />);
  const actions: readonly RowAction<SettlementBatchRow>[] = [{ label: '查看', act: (row) => show(row.id) }];
  return (
    <>
      <ResourceList
        of={batches}
        actions={actions}
        onRowClick={(row) => show(row.id)}
        every={20_000}
        toolbar={(view) => (
          <>
            <Can permission={may['settle.edit']}>
              <Button
                type="primary"
                onClick={() =>
                  layers.open((close) => (
                    <NewBatch
                      onClose={close}
                      onMade={(id) => {
                        view.refetch();
                        show(id);
                      }}
                    />
                  ))
                }
              >
                新建批次
              </Button>
            </Can>
            <ExportButton call={exportSettlementBatchList} view={view} permission={may['card.export']} />
          </>
        )}
      />
      {layers.shown}
    </>
  );
}

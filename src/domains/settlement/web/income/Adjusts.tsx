import { Button } from 'antd';
import { lazy } from 'react';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { useCommand } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { cancelIncomeAdjust, exportIncomeAdjustList, queryIncomeAdjustList, type AdjustRow } from '../../contract/calls/adjusts.ts';
import { settlementPermissions as may } from '../../contract/permissions.ts';

const AdjustForm = lazy(async () => ({ default: (await import('./AdjustForms.tsx')).AdjustForm }));
const AdjustCheck = lazy(async () => ({ default: (await import('./AdjustForms.tsx')).AdjustCheck }));

const adjusts = resource(queryIncomeAdjustList, {
  routeKey: 'incomeDetail.adjusts',
  empty: '还没有人工调整单',
  filters: ['adjustNo', 'doctorName', 'status'],
  columns: [
    { key: 'adjustNo', required: true },
    'doctorName',
    'hospitalName',
    'payerName',
    'grossFen',
    'reason',
    'makerName',
    'checkerName',
    'secondCheckerName',
    'opinion',
    'createdAt',
    'status',
  ],
});

/** Tab 人工调整: what is added or taken by hand, with a second person and from 10,000 yuan a third. */
export function Adjusts() {
  const layers = useLayers();
  const cancel = useCommand(cancelIncomeAdjust, { success: '已撤回', refreshes: [queryIncomeAdjustList] });
  const check = (row: AdjustRow) => layers.open((close) => <AdjustCheck row={row} onClose={close} />);
  const actions: readonly RowAction<AdjustRow>[] = [
    { label: '查看', act: check },
    {
      label: '复核',
      permission: may['income.adjustCheck'],
      when: ({ allowedActions }) => allowedActions.includes('approve') || allowedActions.includes('approveFirst'),
      act: check,
    },
    {
      label: '二级复核',
      permission: may['income.adjustCheck2'],
      when: ({ allowedActions }) => allowedActions.includes('approveSecond'),
      act: check,
    },
    {
      label: '撤回',
      permission: may['income.adjust'],
      when: ({ allowedActions }) => allowedActions.includes('cancel'),
      act: (row) => cancel.run({ id: row.id, version: row.version }),
    },
  ];
  return (
    <>
      <ResourceList
        of={adjusts}
        actions={actions}
        onRowClick={check}
        toolbar={(view) => (
          <>
            <Can permission={may['income.adjust']}>
              <Button type="primary" onClick={() => layers.open((close) => <AdjustForm onClose={close} />)}>
                新增调整单
              </Button>
            </Can>
            <ExportButton call={exportIncomeAdjustList} view={view} permission={may['income.export']} />
          </>
        )}
      />
      {layers.shown}
    </>
  );
}

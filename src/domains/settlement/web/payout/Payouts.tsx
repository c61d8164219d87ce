import { Button } from 'antd';
import { lazy } from 'react';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { Can } from '#kernel/web/kit/Can.tsx';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { exportPayoutBatchList, queryPayoutBatchList, type PayoutRow } from '../../contract/calls/payouts.ts';
import { payoutMachine } from '../../contract/payoutStates.ts';
import { settlementPermissions as may } from '../../contract/permissions.ts';
import { PayerSelect } from '../PayerSelect.tsx';
import { usePayoutActions, type PayoutAction } from './usePayoutActions.ts';

const NewPayout = lazy(async () => ({ default: (await import('./NewPayout.tsx')).NewPayout }));
const PayoutDrawer = lazy(async () => ({ default: (await import('./PayoutDrawer.tsx')).PayoutDrawer }));

const batches = resource(queryPayoutBatchList, {
  routeKey: 'incomeSettle',
  empty: '还没有付款批次，点「新建付款批次」选择已审核的结算单',
  filters: ['batchNo', { kind: 'picker', name: 'payerEntityId', picker: PayerSelect }, 'taxMonth', 'status'],
  columns: [
    { key: 'batchNo', required: true },
    'payerName',
    'taxMonth',
    'planPayDate',
    'grossFen',
    'taxFen',
    'netFen',
    'itemCount',
    'successCount',
    'failCount',
    'openCount',
    'makerName',
    'checkerName',
    { key: 'secondCheckerName', hidden: true },
    { key: 'exportedByName', hidden: true },
    { key: 'exportedAt', hidden: true },
    { key: 'createdAt', hidden: true },
    'status',
  ],
});

/** Tab 付款批次. */
export function Payouts() {
  const layers = useLayers();
  const { act, saveAgain } = usePayoutActions();
  const show = (row: PayoutRow) => layers.open((close) => <PayoutDrawer id={row.id} onClose={close} />);
  const action = (name: PayoutAction): RowAction<PayoutRow> => ({
    label: payoutMachine.transitions[name].label,
    permission: payoutMachine.transitions[name].permission,
    danger: payoutMachine.transitions[name].danger ?? false,
    when: ({ allowedActions }) => allowedActions.includes(name),
    act: (row) => act(row, name),
  });
  const actions: readonly RowAction<PayoutRow>[] = [
    { label: '查看', act: show },
    action('submit'),
    action('approve'),
    action('approveFirst'),
    action('approveSecond'),
    action('export'),
    action('reject'),
    action('rejectSecond'),
    action('returnForTax'),
    action('void'),
    { label: '重新生成银行文件', permission: may['payout.reexport'], when: ({ exportedAt }) => exportedAt !== null, act: saveAgain },
  ];
  return (
    <>
      <ResourceList
        of={batches}
        actions={actions}
        onRowClick={show}
        toolbar={(view) => (
          <>
            <Can permission={may['payout.make']}>
              <Button type="primary" onClick={() => layers.open((close) => <NewPayout onClose={close} />)}>
                新建付款批次
              </Button>
            </Can>
            <ExportButton call={exportPayoutBatchList} view={view} permission={may['payout.view']} />
          </>
        )}
      />
      {layers.shown}
    </>
  );
}

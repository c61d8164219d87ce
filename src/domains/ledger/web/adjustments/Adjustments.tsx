import { Button } from 'antd';
import { lazy, useRef } from 'react';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { Can } from '#kernel/web/kit/Can.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { exportLedgerAdjustmentList, queryLedgerAdjustmentList } from '../../contract/calls/adjustments.ts';
import { ledgerPermissions as may } from '../../contract/permissions.ts';
import { usePanel } from '../panel.ts';

const AdjustmentDrawer = lazy(async () => ({ default: (await import('./AdjustmentDrawer.tsx')).AdjustmentDrawer }));
const AdjustmentForm = lazy(async () => ({ default: (await import('./AdjustmentForm.tsx')).AdjustmentForm }));
const Voucher = lazy(async () => ({ default: (await import('../transfers/Voucher.tsx')).Voucher }));

const CHECKS = ['approve', 'forward', 'approveSecond'];

const adjustments = resource(queryLedgerAdjustmentList, {
  routeKey: 'ledger.adjustments',
  empty: '没有符合条件的调账',
  filters: ['adjustNo', 'status', 'reasonCode', 'makerName'],
  columns: [
    { key: 'adjustNo', required: true },
    { key: 'reasonCode', plain: true },
    'reason',
    'totalFen',
    'makerName',
    'checkerName',
    { key: 'secondCheckerName', hidden: true },
    'createdAt',
    { key: 'submittedAt', hidden: true },
    { key: 'transferNo', hidden: true },
    'status',
  ],
});

/** Tab 调账: corrections made by one person and confirmed by another. */
export function Adjustments() {
  const scope = usePanel();
  const layers = useLayers();
  // Those that wait for this checker, as the list shows them now.
  const waiting = useRef<readonly string[]>([]);
  const show = (id: string) =>
    layers.open((close) => (
      <AdjustmentDrawer id={id} queue={waiting.current} onGo={(next) => (next === undefined ? close() : show(next))} />
    ));
  return (
    <>
      <ResourceList
        of={adjustments}
        fixed={{ book: scope.book }}
        onRowClick={({ id }) => show(id)}
        actions={[
          { label: '查看', act: ({ id }) => show(id) },
          {
            label: '凭证',
            when: ({ transferNo }) => transferNo !== null,
            act: ({ transferNo }) => layers.open((close) => <Voucher transferNo={transferNo ?? ''} onClose={close} />),
          },
        ]}
        toolbar={(view) => {
          waiting.current = view.rows
            .filter(({ allowedActions }) => allowedActions.some((action) => CHECKS.includes(action)))
            .map(({ id }) => id);
          return (
            <>
              <Can permission={may['adjust.make']}>
                <Button type="primary" onClick={() => layers.open((close) => <AdjustmentForm of={null} onClose={close} />)}>
                  新增调账
                </Button>
              </Can>
              <ExportButton call={exportLedgerAdjustmentList} view={view} permission={may['account.view']} />
            </>
          );
        }}
      />
      {layers.shown}
    </>
  );
}

import { Button } from 'antd';
import { useState } from 'react';
import { ExportButton } from '../../../kernel/web/files/ExportButton.tsx';
import { Can } from '../../../kernel/web/kit/Can.tsx';
import { useLayers } from '../../../kernel/web/kit/useLayers.tsx';
import { resource, ResourceList } from '../../../kernel/web/list/ResourceList.tsx';
import { exportLedgerAdjustmentList, queryLedgerAdjustmentList } from '../contract/calls/adjustments.ts';
import { ledgerPermissions as may } from '../contract/permissions.ts';
import { AdjustmentDrawer } from './AdjustmentDrawer.tsx';
import { AdjustmentForm } from './AdjustmentForm.tsx';
import { usePanel } from './panel.ts';
import { Voucher } from './Voucher.tsx';

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
  const [shown, setShown] = useState<string | null>(null);
  return (
    <>
      <ResourceList
        of={adjustments}
        fixed={{ book: scope.book }}
        onRowClick={({ id }) => setShown(id)}
        actions={[
          { label: '查看', act: ({ id }) => setShown(id) },
          {
            label: '凭证',
            when: ({ transferNo }) => transferNo !== null,
            act: ({ transferNo }) => layers.open((close) => <Voucher transferNo={transferNo ?? ''} onClose={close} />),
          },
        ]}
        toolbar={(view) => {
          const waiting = view.rows.filter(({ allowedActions }) => allowedActions.some((action) => CHECKS.includes(action)));
          return (
            <>
              <Can permission={may['adjust.make']}>
                <Button type="primary" onClick={() => layers.open((close) => <AdjustmentForm of={null} onClose={close} />)}>
                  新增调账
                </Button>
              </Can>
              <ExportButton call={exportLedgerAdjustmentList} view={view} permission={may['account.view']} />
              {shown !== null && (
                <AdjustmentDrawer key={shown} id={shown} queue={waiting.map(({ id }) => id)} onGo={(id) => setShown(id ?? null)} />
              )}
            </>
          );
        }}
      />
      {layers.shown}
    </>
  );
}

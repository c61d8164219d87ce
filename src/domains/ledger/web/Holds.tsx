import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { TimeLeft } from '#kernel/web/kit/TimeLeft.tsx';
import { Dict, NOTHING, Time } from '#kernel/web/kit/values.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { exportLedgerHoldList, queryLedgerHoldList } from '../contract/calls/holds.ts';
import { ledgerPermissions as may } from '../contract/permissions.ts';
import { holdStates } from '../contract/states.ts';
import { Document } from './transfers/Document.tsx';
import { usePanel } from './panel.ts';

const holds = resource(queryLedgerHoldList, {
  routeKey: 'ledger.holds',
  empty: '没有符合条件的预占',
  filters: ['holdNo', 'refNo', 'status'],
  columns: [
    { key: 'holdNo', required: true },
    { key: 'refNo', render: (row) => <Document of={row} /> },
    { key: 'accountNos', hidden: true },
    'ownerName',
    'amountFen',
    'capturedFen',
    'releasedFen',
    'leftFen',
    {
      key: 'expiresAt',
      width: 170,
      render: ({ status, expiresAt }) =>
        expiresAt === null ? <>{NOTHING}</> : status === 'PENDING' ? <TimeLeft at={expiresAt} /> : <Time at={expiresAt} />,
    },
    'createdAt',
    { key: 'closedAt', hidden: true },
    { key: 'releaseReason', hidden: true },
    { key: 'operatorName', hidden: true },
    {
      key: 'status',
      width: 100,
      render: ({ status, partly }) =>
        partly ? <span className="kq-dict kq-dict-processing">部分扣款</span> : <Dict of={holdStates} code={status} />,
    },
  ],
});

/** Tab 预占: what is reserved, and what became of it. */
export function Holds() {
  const scope = usePanel();
  return (
    <ResourceList
      of={holds}
      fixed={scope}
      toolbar={(view) => <ExportButton call={exportLedgerHoldList} view={view} permission={may['account.view']} />}
    />
  );
}

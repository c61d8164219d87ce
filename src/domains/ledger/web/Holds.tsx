import { ExportButton } from '../../../kernel/web/files/ExportButton.tsx';
import { TimeLeft } from '../../../kernel/web/kit/TimeLeft.tsx';
import { Dict, NOTHING, Time } from '../../../kernel/web/kit/values.tsx';
import { resource, ResourceList } from '../../../kernel/web/list/ResourceList.tsx';
import { exportLedgerHoldList, queryLedgerHoldList } from '../contract/calls/holds.ts';
import { ledgerPermissions as may } from '../contract/permissions.ts';
import { holdStates } from '../contract/states.ts';
import { Document } from './Document.tsx';
import { usePanel } from './panel.ts';

const holds = resource(queryLedgerHoldList, {
  routeKey: 'ledger.holds',
  empty: '没有符合条件的预占',
  filters: [
    { kind: 'text', name: 'holdNo', label: '预占单号', maxLength: 20 },
    { kind: 'text', name: 'refNo', label: '业务单号', maxLength: 64 },
    { kind: 'dict', name: 'status', label: '状态', dictionary: holdStates, several: true },
  ],
  columns: [
    { key: 'holdNo', required: true },
    { key: 'refNo', title: '业务单号', width: 190, render: (row) => <Document of={row} /> },
    { key: 'accountNos', hidden: true },
    'ownerName',
    'amountFen',
    'capturedFen',
    'releasedFen',
    'leftFen',
    {
      key: 'expiresAt',
      title: '到期时间',
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
      title: '状态',
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

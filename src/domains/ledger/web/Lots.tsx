import { useState } from 'react';
import { days, instantOf, plusMs } from '#kernel/contract/time.ts';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { useList } from '#kernel/web/http/queries.ts';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { NOTHING } from '#kernel/web/kit/values.tsx';
import { columnsOf } from '#kernel/web/list/columnsOf.ts';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import type { OutputOf } from '#kernel/contract/call.ts';
import { exportLedgerLotList, queryLedgerLotList, queryLedgerLotMoveList, type LedgerLotRow } from '../contract/calls/holds.ts';
import { ledgerPermissions as may } from '../contract/permissions.ts';
import { usePanel } from './panel.ts';

const SOON = days(30);
const PAGE = 10;

/** Red within thirty days, grey once it is over. */
function lastDayClass({ expiresAt }: LedgerLotRow): string {
  if (expiresAt === null) return '';
  const now = instantOf(Date.now());
  if (expiresAt <= now) return 'kq-number kq-muted';
  return expiresAt <= plusMs(now, SOON) ? 'kq-number kq-danger' : 'kq-number';
}

const lots = resource(queryLedgerLotList, {
  routeKey: 'ledger.lots',
  empty: '没有符合条件的额度批次',
  filters: ['lotNo', 'onlyRemaining'],
  columns: [
    { key: 'lotNo', required: true },
    'accountTypeLabel',
    'ownerName',
    { key: 'accountNo', hidden: true },
    'refLabel',
    { key: 'sourceTransferNo', hidden: true },
    'originalFen',
    'remainingFen',
    'heldFen',
    { key: 'validFrom', hidden: true },
    { key: 'lastDay', render: (row) => (row.lastDay === null ? <>长期有效</> : <span className={lastDayClass(row)}>{row.lastDay}</span>) },
  ],
});

const moves = columnsOf<OutputOf<typeof queryLedgerLotMoveList>>(queryLedgerLotMoveList.output, [
  'at',
  { key: 'kind', plain: true },
  'remainingFen',
  'heldFen',
  { key: 'transferNo', width: 190 },
  { key: 'holdNo', width: 190 },
]);

/** What was done with one lot. */
function Moves({ lot }: { lot: LedgerLotRow }) {
  const [pageNo, setPageNo] = useState(1);
  const found = useList(queryLedgerLotMoveList, { lotNo: lot.lotNo, pageNo, pageSize: PAGE }, { quiet: true });
  return (
    <DataTable
      columns={moves}
      rows={found.rows}
      loading={found.fetching}
      error={found.error}
      onRetry={() => void found.refetch()}
      height="auto"
      empty={NOTHING}
      paging={{ pageNo, pageSize: PAGE, total: found.total, onChange: setPageNo, simple: true }}
    />
  );
}

/** Tab 额度批次: parts of balances with their own sources and expiries. */
export function Lots() {
  const scope = usePanel();
  return (
    <ResourceList
      of={lots}
      fixed={scope}
      expanded={(lot) => <Moves lot={lot} />}
      toolbar={(view) => <ExportButton call={exportLedgerLotList} view={view} permission={may['account.view']} />}
    />
  );
}

import { todayHere } from '#kernel/web/form/today.ts';
import { Button, Drawer, Select } from 'antd';
import { useState } from 'react';
import type { AnswerOf } from '#kernel/contract/call.ts';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { useData, useList } from '#kernel/web/http/queries.ts';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { StatementSheet } from '#kernel/web/kit/StatementSheet.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { Waiting } from '#kernel/web/kit/TableState.tsx';
import { Money } from '#kernel/web/kit/values.tsx';
import { columnsOf } from '#kernel/web/list/columnsOf.ts';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { PartOfPage } from '#kernel/web/tabs/page.tsx';
import { books, type Book } from '../../contract/books.ts';
import {
  exportLedgerPeriodList,
  exportLedgerProofList,
  exportTrialBalance,
  queryLedgerPeriodList,
  queryLedgerProofList,
  queryTrialBalance,
  trialRow,
  type TrialRow,
} from '../../contract/calls/proofs.ts';
import { ledgerPermissions as may } from '../../contract/permissions.ts';
import { usePanel } from '../panel.ts';

const proofs = resource(queryLedgerProofList, {
  routeKey: 'ledger.proofs',
  empty: '尚未检查',
  filters: ['kind', 'status'],
  columns: [
    'startedAt',
    { key: 'kind', plain: true },
    'accountsChecked',
    'entriesChecked',
    'debitTotalFen',
    'creditTotalFen',
    'findings',
    'digest',
    { key: 'prevDigest', hidden: true },
    { key: 'finishedAt', hidden: true },
    'status',
  ],
});

/** Drawer 检查记录: proofs with their chained digests. */
export function ProofsDrawer({ onClose }: { onClose(): void }) {
  const { book } = usePanel();
  return (
    <Drawer open size={1120} title={`检查记录：${books.label(book)}`} onClose={onClose} destroyOnHidden>
      <PartOfPage>
        <ResourceList
          of={proofs}
          fixed={{ book }}
          toolbar={(view) => <ExportButton call={exportLedgerProofList} view={view} permission={may['proof.view']} />}
        />
      </PartOfPage>
    </Drawer>
  );
}

const periods = resource(queryLedgerPeriodList, {
  routeKey: 'ledger.periods',
  rowKey: 'period',
  empty: '没有会计期间',
  filters: ['status'],
  columns: ['period', 'transfers', 'totalFen', 'openedAt', 'closedAt', 'closedByName', 'status'],
});

/** Drawer 会计期间: the months of a book; they are closed where its domain closes them. */
export function PeriodsDrawer({ onClose }: { onClose(): void }) {
  const { book } = usePanel();
  return (
    <Drawer open size={960} title={`会计期间：${books.label(book)}`} onClose={onClose} destroyOnHidden>
      <PartOfPage>
        <ResourceList
          of={periods}
          fixed={{ book }}
          toolbar={(view) => <ExportButton call={exportLedgerPeriodList} view={view} permission={may['account.view']} />}
        />
      </PartOfPage>
    </Drawer>
  );
}

const trialColumns = columnsOf<TrialRow>(trialRow, ['accountTypeLabel', 'normalSide', 'openingFen', 'debitFen', 'creditFen', 'closingFen']);

interface SheetProps {
  book: Book;
  period: string;
  sums: AnswerOf<typeof queryTrialBalance>;
  onClose(): void;
}

/** 试算平衡表 for the printer. */
const TrialSheet = ({ book, period, sums, onClose }: SheetProps) => (
  <StatementSheet
    title="试算平衡表"
    facts={[
      { label: '账簿', value: books.label(book) },
      { label: '会计期间', value: period },
    ]}
    columns={trialColumns}
    rows={sums.rows}
    totals={{ accountTypeLabel: '合计', debitFen: <Money fen={sums.debitFen} />, creditFen: <Money fen={sums.creditFen} /> }}
    onClose={onClose}
  />
);

/** Drawer 试算平衡表 of one month. */
export function TrialDrawer({ onClose }: { onClose(): void }) {
  const { book } = usePanel();
  const [period, setPeriod] = useState(() => todayHere().slice(0, 7));
  const layers = useLayers();
  const months = useList(queryLedgerPeriodList, { book, pageSize: 60 }, { quiet: true });
  const found = useData(queryTrialBalance, { book, period }, { quiet: true });
  const sums = found.data;
  const input = { book, period };
  return (
    <Drawer open size={900} title={`试算平衡表：${books.label(book)}`} onClose={onClose} destroyOnHidden>
      <div className="kq-row" style={{ marginBottom: 12 }}>
        <Select
          aria-label="会计期间"
          style={{ width: 140 }}
          value={period}
          options={(months.rows ?? []).map((row) => ({ value: row.period, label: row.period }))}
          onChange={setPeriod}
        />
        <ExportButton call={exportTrialBalance} view={{ filters: input }} permission={may['proof.view']} />
        <Button
          disabled={!sums}
          onClick={() => sums && layers.open((close) => <TrialSheet book={book} period={period} sums={sums} onClose={close} />)}
        >
          打印
        </Button>
      </div>
      {!sums ? (
        <Waiting for={found} />
      ) : (
        <>
          <DataTable rows={sums.rows} rowKey="accountType" height="auto" columns={trialColumns} empty="没有科目" />
          <div className="kq-ledger-sums" style={{ marginTop: 12 }}>
            <span>
              期初 借 <Money fen={sums.openingDebitFen} /> / 贷 <Money fen={sums.openingCreditFen} />
            </span>
            <span className={sums.debitFen === sums.creditFen ? undefined : 'kq-danger'}>
              本期 借 <Money fen={sums.debitFen} /> / 贷 <Money fen={sums.creditFen} />
            </span>
            <span className={sums.closingDebitFen === sums.closingCreditFen ? undefined : 'kq-danger'}>
              期末 借 <Money fen={sums.closingDebitFen} /> / 贷 <Money fen={sums.closingCreditFen} />
            </span>
          </div>
          {layers.shown}
        </>
      )}
    </Drawer>
  );
}

import { Modal } from 'antd';
import type { InputOf } from '#kernel/contract/call.ts';
import { useList } from '#kernel/web/http/queries.ts';
import { StatementSheet } from '#kernel/web/kit/StatementSheet.tsx';
import { Waiting } from '#kernel/web/kit/TableState.tsx';
import { Money } from '#kernel/web/kit/values.tsx';
import { columnsOf } from '#kernel/web/list/columnsOf.ts';
import { books } from '../../contract/books.ts';
import type { LedgerAccountRow } from '../../contract/calls/accounts.ts';
import { queryLedgerEntryList, type LedgerEntryRow } from '../../contract/calls/entries.ts';

/** Lines of one sheet at most; what is longer is exported. */
const MOST = 999;

const columns = columnsOf<LedgerEntryRow>(queryLedgerEntryList.output, [
  'postingDate',
  'transferNo',
  'label',
  'counter',
  'refNo',
  'debitFen',
  'creditFen',
  'balanceAfterFen',
]);

const sum = (rows: readonly LedgerEntryRow[], key: 'debitFen' | 'creditFen') =>
  rows.reduce((total, row) => total + BigInt(row[key] ?? 0), 0n);

interface Props {
  account: LedgerAccountRow;
  /** Those of the list that it was opened from. */
  filters: InputOf<typeof queryLedgerEntryList>;
  onClose(): void;
}

/** 对账单 of one account for the printer, oldest line first. */
export function AccountStatement({ account, filters, onClose }: Props) {
  const found = useList(queryLedgerEntryList, { ...filters, pageNo: 1, pageSize: MOST }, { quiet: true });
  if (!found.rows)
    return (
      <Modal open title="账户对账单" onCancel={onClose} footer={null}>
        <Waiting for={found} />
      </Modal>
    );
  const rows = found.rows.toReversed();
  return (
    <StatementSheet
      title="账户对账单"
      facts={[
        { label: '账簿', value: books.label(account.book) },
        { label: '账户编号', value: account.accountNo },
        { label: '科目', value: account.accountTypeLabel },
        { label: '户名', value: account.ownerName },
        { label: '期间', value: `${filters.dateFrom ?? '开户'} 至 ${filters.dateTo ?? '今日'}` },
        { label: '当前余额', value: <Money fen={account.postedFen} unit /> },
      ]}
      columns={columns}
      rows={rows}
      totals={{ postingDate: '合计', debitFen: <Money fen={sum(rows, 'debitFen')} />, creditFen: <Money fen={sum(rows, 'creditFen')} /> }}
      foot={found.total > MOST ? `共${found.total}笔，仅列出最近${MOST}笔，全部请导出` : `共${found.total}笔`}
      onClose={onClose}
    />
  );
}

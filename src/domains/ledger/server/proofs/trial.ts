import { sql } from 'kysely';
import type { CheckedInputOf } from '#kernel/contract/call.ts';
import type { Db } from '#kernel/server/context.ts';
import { exportSource, type ExportReading } from '#kernel/server/exporting/source.ts';
import { query } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { books, sides, type Book, type Side } from '../../contract/books.ts';
import { exportTrialBalance, queryTrialBalance, type TrialRow } from '../../contract/calls/proofs.ts';
import { ledgerPermissions as may } from '../../contract/permissions.ts';
import { requireBook } from '../access.ts';
import { ledgerOf } from '../books.ts';

/** Turnover of each account type before a month and in it. */
async function trialRows(kernel: Kernel, db: Db, book: Book, period: string): Promise<TrialRow[]> {
  interface Sum {
    accountType: string;
    before: string;
    debit: string;
    credit: string;
  }
  const { rows } = await sql<Sum>`
    select a.account_type,
        coalesce(sum(case e.side when 'D' then e.amount_fen else -e.amount_fen end) filter (where t.period < ${period}), 0)::text as before,
        coalesce(sum(e.amount_fen) filter (where t.period = ${period} and e.side = 'D'), 0)::text as debit,
        coalesce(sum(e.amount_fen) filter (where t.period = ${period} and e.side = 'C'), 0)::text as credit
      from ledger_entry e
      join ledger_transfer t on t.id = e.transfer_id
      join ledger_account a on a.id = e.account_id
      where t.book = ${book} and t.period <= ${period}
      group by a.account_type`.execute(db);
  const found = new Map(rows.map((row) => [row.accountType, row]));
  return ledgerOf(kernel)
    .chart.accountTypesOf(book)
    .map(({ name, label, normalSide }): TrialRow => {
      const sum = found.get(name);
      const sign = normalSide === 'D' ? 1n : -1n;
      const [opening, debit, credit] = [BigInt(sum?.before ?? 0) * sign, BigInt(sum?.debit ?? 0), BigInt(sum?.credit ?? 0)];
      return {
        accountType: name,
        accountTypeLabel: label,
        normalSide: sides.label(normalSide),
        openingFen: String(opening),
        debitFen: String(debit),
        creditFen: String(credit),
        closingFen: String(opening + (debit - credit) * sign),
      };
    });
}

const total = (rows: readonly TrialRow[], key: 'openingFen' | 'debitFen' | 'creditFen' | 'closingFen', side?: Side): string =>
  String(rows.filter((row) => side === undefined || row.normalSide === sides.label(side)).reduce((sum, row) => sum + BigInt(row[key]), 0n));

/** Σ row: it balances where debits and credits agree. */
const sumsOf = (rows: readonly TrialRow[]) => ({
  debitFen: total(rows, 'debitFen'),
  creditFen: total(rows, 'creditFen'),
  openingDebitFen: total(rows, 'openingFen', 'D'),
  openingCreditFen: total(rows, 'openingFen', 'C'),
  closingDebitFen: total(rows, 'closingFen', 'D'),
  closingCreditFen: total(rows, 'closingFen', 'C'),
});

export const trialBalance = (kernel: Kernel) =>
  query(queryTrialBalance, async ({ book, period }, ctx) => {
    requireBook(ctx, book);
    const rows = await trialRows(kernel, ctx.db, book, period);
    return { rows, ...sumsOf(rows) };
  });

const linesOf = (kernel: Kernel) => async (reading: ExportReading<CheckedInputOf<typeof exportTrialBalance>>) => {
  const { book, period } = reading.filter;
  requireBook({ has: (code) => reading.staff.permissions.has(typeof code === 'string' ? code : code.code) }, book);
  const rows = await trialRows(kernel, reading.db, book, period);
  const sums = sumsOf(rows);
  return [
    ...rows,
    {
      accountType: '',
      accountTypeLabel: '合计（借方科目）',
      normalSide: sides.label('D'),
      openingFen: sums.openingDebitFen,
      debitFen: sums.debitFen,
      creditFen: sums.creditFen,
      closingFen: sums.closingDebitFen,
    },
    {
      accountType: '',
      accountTypeLabel: '合计（贷方科目）',
      normalSide: sides.label('C'),
      openingFen: sums.openingCreditFen,
      debitFen: sums.debitFen,
      creditFen: sums.creditFen,
      closingFen: sums.closingCreditFen,
    },
  ];
};

export const trialExport = (kernel: Kernel) => {
  const lines = linesOf(kernel);
  return exportSource<typeof exportTrialBalance, TrialRow>({
    call: exportTrialBalance,
    title: '试算平衡表',
    routeKey: 'ledger.trial',
    permission: may['proof.view'].code,
    describe: ({ book, period }) => `${books.label(book)} ${period}`,
    columns: [
      { key: 'accountTypeLabel', label: '科目', width: 24, value: (row) => row.accountTypeLabel },
      { key: 'normalSide', label: '余额方向', value: (row) => row.normalSide },
      { key: 'openingFen', label: '期初余额', kind: 'money', value: (row) => row.openingFen },
      { key: 'debitFen', label: '本期借方', kind: 'money', value: (row) => row.debitFen },
      { key: 'creditFen', label: '本期贷方', kind: 'money', value: (row) => row.creditFen },
      { key: 'closingFen', label: '期末余额', kind: 'money', value: (row) => row.closingFen },
    ],
    count: async (reading) => (await lines(reading)).length,
    async *chunks(reading) {
      yield await lines(reading);
    },
  });
};

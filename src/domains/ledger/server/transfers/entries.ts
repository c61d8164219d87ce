import { sql, type SqlBool } from 'kysely';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { query } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { elsewhere, from, isNumber, upTo } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import type { Book, Side } from '../../contract/books.ts';
import { lotMoveKinds } from '../../contract/books.ts';
import {
  exportLedgerEntryList,
  queryLedgerEntryList,
  queryLedgerTransferDetail,
  type LedgerEntryRow,
} from '../../contract/calls/entries.ts';
import { accountIn, documentOf, namesFor, requireBook, typeLabel } from '../access.ts';
import { ledgerOf } from '../books.ts';
import { own } from '../database.ts';

export const entryList = (kernel: Kernel) =>
  listOf(queryLedgerEntryList)
    .from((ask) => {
      requireBook(ask, ask.filter.book);
      return own(ask.db)
        .selectFrom('ledgerEntry as e')
        .innerJoin('ledgerTransfer as t', 't.id', 'e.transferId')
        .innerJoin('ledgerAccount as a', 'a.id', 'e.accountId');
    })
    .with({
      where: {
        book: (_eb, _book, { filter }) => sql<SqlBool>`${accountIn('e.account_id', filter)} and t.book = ${filter.book}`,
        accountNos: elsewhere,
        ownerType: elsewhere,
        ownerId: elsewhere,
        dateFrom: from('t.postingDate'),
        dateTo: upTo('t.postingDate'),
        transferType: 't.transferType',
        transferNo: isNumber('t.transferNo'),
        refNo: (_eb, text) => sql<SqlBool>`coalesce(t.ref_no, t.ref_id) = ${text}`,
        side: 'e.side',
      },
      id: 'e.id',
      unsorted: 'millions of entries in the order in which they were booked, the last first',
      select: (rows) =>
        rows
          .select(['e.id', 'e.accountSeq', 'e.side', 'e.amountFen', 'e.balanceAfterFen', 't.postingDate', 't.transferNo', 't.transferType'])
          .select(['t.memo', 't.refType', 't.refId', 't.refNo', 't.operatorName', 't.createdAt'])
          .select(['a.book', 'a.accountNo', 'a.accountType', 'a.ownerName'])
          .select(sql<boolean>`t.original_transfer_id is not null`.as('back'))
          .select(
            sql<string[]>`array(select distinct x.account_type from ledger_entry o join ledger_account x on x.id = o.account_id
              where o.transfer_id = e.transfer_id and o.side <> e.side order by x.account_type)`.as('counterTypes'),
          ),
      present: (rows, ask) => {
        const { chart } = ledgerOf(kernel);
        const nameOf = namesFor(chart, ask);
        return rows.map(({ side, amountFen, counterTypes, back, transferType, refType, refId, refNo, ...row }): LedgerEntryRow => {
          const { book, accountType, ownerName: _name, ...rest } = row;
          return {
            ...rest,
            label: transferLabel(chart, { book, transferType, back }),
            ownerName: nameOf(row).ownerName,
            accountTypeLabel: typeLabel(chart, book, accountType),
            counter: counterTypes.map((one) => typeLabel(chart, book, one)).join('、'),
            debitFen: side === 'D' ? amountFen : null,
            creditFen: side === 'C' ? amountFen : null,
            ...documentOf(chart, book, { refType, refId, refNo }),
            operatorName: operatorOf(row.operatorName),
          };
        });
      },
    });

type ChartLike = ReturnType<typeof ledgerOf>['chart'];
/** What a transfer is called; one that gives back says so. */
export const transferLabel = (chart: ChartLike, { book, transferType, back }: { book: Book; transferType: string; back: boolean }) =>
  `${chart.transferType(book, transferType)?.label ?? transferType}${back ? '（退回）' : ''}`;
export const operatorOf = (name: string): string => (name === 'SYSTEM' ? '系统' : name);

export const entryExport = (kernel: Kernel) =>
  listExport(entryList(kernel), {
    call: exportLedgerEntryList,
    title: '流水',
    routeKey: 'ledger.entries',
    columns: [
      'accountNo',
      'accountTypeLabel',
      'ownerName',
      'accountSeq',
      'postingDate',
      'transferNo',
      'label',
      'counter',
      'debitFen',
      'creditFen',
      'balanceAfterFen',
      'refNo',
      'memo',
      'operatorName',
      'createdAt',
    ],
  });

interface Head {
  id: string;
  transferNo: string;
  book: Book;
  transferType: string;
  postingDate: string;
  period: string;
  totalFen: string;
  businessKey: string;
  refType: string;
  refId: string;
  refNo: string | null;
  memo: string;
  operatorName: string;
  createdAt: string;
  holdNo: string | null;
  original: string | null;
  reversals: { transferNo: string; totalFen: string; whole: boolean; postingDate: string }[];
}
interface Line {
  id: string;
  accountNo: string;
  accountType: string;
  book: Book;
  ownerName: string;
  side: Side;
  amountFen: string;
  balanceAfterFen: string | null;
  refundedFen: string;
}

/** A voucher as it was posted, with what came back on it. */
export const transferDetail = (kernel: Kernel) =>
  query(queryLedgerTransferDetail, async ({ transferNo }, ctx) => {
    const { chart } = ledgerOf(kernel);
    const { rows } = await sql<Head>`
      select t.id, t.transfer_no, t.book, t.transfer_type, t.posting_date, t.period, t.total_fen, t.business_key, t.ref_type, t.ref_id,
          t.ref_no, t.memo, t.operator_name, t.created_at, h.hold_no, o.transfer_no as original,
          coalesce((
            select jsonb_agg(
              jsonb_build_object(
                'transferNo', r.transfer_no, 'totalFen', r.total_fen::text, 'whole', r.whole, 'postingDate', r.posting_date
              ) order by r.id
            )
              from ledger_transfer r
              where r.original_transfer_id = t.id
          ), '[]'::jsonb) as reversals
        from ledger_transfer t
        left join ledger_hold h on h.id = t.hold_id
        left join ledger_transfer o on o.id = t.original_transfer_id
        where t.transfer_no = ${transferNo.trim().toUpperCase()}`.execute(ctx.db);
    const [head] = rows;
    if (!head) throw refuse(platformErrors.NOT_FOUND, { message: '记账凭证不存在' });
    requireBook(ctx, head.book);
    const { rows: lines } = await sql<Line>`
      select e.id, a.account_no, a.account_type, a.book, a.owner_name, e.side, e.amount_fen, e.balance_after_fen,
             (select coalesce(sum(r.amount_fen), 0)::text from ledger_entry r where r.original_entry_id = e.id) as refunded_fen
        from ledger_entry e join ledger_account a on a.id = e.account_id where e.transfer_id = ${head.id} order by e.line_no`.execute(
      ctx.db,
    );
    const { rows: lots } = await sql<{ lotNo: string; accountNo: string; kind: string; amountFen: string; expiresAt: string | null }>`
      select l.lot_no, a.account_no, m.kind, abs(m.delta_remaining_fen)::text as amount_fen, l.expires_at
        from ledger_lot_move m join ledger_lot l on l.id = m.lot_id join ledger_account a on a.id = l.account_id
       where m.transfer_id = ${head.id} and m.delta_remaining_fen <> 0 order by m.id`.execute(ctx.db);
    const nameOf = namesFor(chart, ctx);
    const { transferType, refType, refId, refNo, ...facts } = head;
    return {
      ...facts,
      ...documentOf(chart, head.book, { refType, refId, refNo }),
      label: transferLabel(chart, { book: head.book, transferType, back: head.original !== null }),
      operatorName: operatorOf(head.operatorName),
      entries: lines
        .map(({ book, accountType, ...line }) => ({
          ...line,
          ...nameOf({ ...line, book, accountType }),
          accountTypeLabel: typeLabel(chart, book, accountType),
        }))
        .map(({ ownerMasked: _masked, ...line }) => line),
      lots: lots.map((lot) => ({ ...lot, kind: lotMoveKinds.label(lot.kind) })),
    };
  });

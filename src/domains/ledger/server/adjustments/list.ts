import { sql } from 'kysely';
import { query } from '#kernel/server/handler.ts';
import { trailOf } from '#kernel/server/audit/transition.ts';
import { contains, isNumber } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { fileBriefs } from '#domains/files/server/index.ts';
import {
  exportLedgerAdjustmentList,
  queryLedgerAdjustmentDetail,
  queryLedgerAdjustmentList,
  type AdjustmentRow,
} from '../../contract/calls/adjustments.ts';
import type { Book, Side } from '../../contract/books.ts';
import { namesFor, requireBook, typeLabel } from '../access.ts';
import { ledgerOf } from '../books.ts';
import { own } from '../database.ts';
import { ADJUST_FILES, ADJUSTMENT, allowedFor, requireAdjustment } from './access.ts';

export const adjustmentList = listOf(queryLedgerAdjustmentList)
  .from((ask) => {
    requireBook(ask, ask.filter.book);
    return own(ask.db).selectFrom('ledgerAdjustment as d');
  })
  .with({
    where: {
      book: 'd.book',
      adjustNo: isNumber('d.adjustNo'),
      reasonCode: 'd.reasonCode',
      status: 'd.status',
      makerName: contains('d.makerName'),
    },
    id: 'd.id',
    sorts: { adjustNo: 'd.adjustNo', totalFen: 'd.totalFen', createdAt: 'd.createdAt', submittedAt: 'd.submittedAt' },
    bounded: 'adjustments are made by hand: some hundreds a year',
    select: (rows) =>
      rows
        .select(['d.id', 'd.adjustNo', 'd.book', 'd.reasonCode', 'd.reason', 'd.totalFen', 'd.status', 'd.makerId', 'd.makerName'])
        .select(['d.checkerId', 'd.checkerName', 'd.secondCheckerName', 'd.createdAt', 'd.submittedAt', 'd.version'])
        .select(sql<string | null>`(select t.transfer_no from ledger_transfer t where t.id = d.transfer_id)`.as('transferNo')),
    present: (rows, { staff, has }) =>
      rows.map(({ checkerId, ...row }): AdjustmentRow => ({
        ...row,
        allowedActions: allowedFor({ ...row, checkerId }, { userId: staff.userId, has }),
      })),
  });

export const adjustmentExport = listExport(adjustmentList, {
  call: exportLedgerAdjustmentList,
  title: '调账',
  routeKey: 'ledger.adjustments',
});

interface Now {
  accountNo: string;
  accountType: string;
  book: Book;
  ownerName: string;
  normalSide: Side;
  postedFen: string;
}

/** With the balance of each account now and after all lines: what a checker compares. */
export const adjustmentDetail = (kernel: Kernel) =>
  query(queryLedgerAdjustmentDetail, async ({ id }, ctx) => {
    const { db, staff, now, today, has } = ctx;
    const adjustment = await requireAdjustment(db, ctx, id);
    const { rows: found } = await adjustmentList.page(
      { db, staff, now, today, has, filter: { book: adjustment.book, adjustNo: adjustment.adjustNo } },
      { pageNo: 1, pageSize: 1 },
    );
    const { chart } = ledgerOf(kernel);
    const nameOf = namesFor(chart, ctx);
    const { rows: accounts } = await sql<Now>`
      select a.account_no, a.account_type, a.book, a.owner_name, a.normal_side,
             (
               select sum(b.sign * (b.debit_total_fen - b.credit_total_fen))::text from ledger_balance b where b.account_id = a.id
             ) as posted_fen
        from ledger_account a where a.account_no = any(${adjustment.legs.map((leg) => leg.accountNo)}::text[])`.execute(db);
    const byNo = new Map(accounts.map((account) => [account.accountNo, account]));
    const change = (account: Now) =>
      adjustment.legs
        .filter(({ accountNo }) => accountNo === account.accountNo)
        .reduce((sum, { side, amountFen }) => sum + (side === account.normalSide ? 1n : -1n) * BigInt(amountFen), 0n);
    return {
      adjustment: found[0]!,
      legs: adjustment.legs.flatMap((leg) => {
        const account = byNo.get(leg.accountNo);
        if (!account) return [];
        return {
          accountNo: leg.accountNo,
          side: leg.side,
          amountFen: leg.amountFen,
          accountTypeLabel: typeLabel(chart, account.book, account.accountType),
          ownerName: nameOf(account).ownerName,
          beforeFen: account.postedFen,
          // What is posted already stands in the balance.
          afterFen: adjustment.status === 'POSTED' ? account.postedFen : String(BigInt(account.postedFen) + change(account)),
        };
      }),
      attachments: await fileBriefs(db, adjustment.attachmentIds, { purpose: ADJUST_FILES, ownerType: ADJUSTMENT }),
      trail: await trailOf(db, ADJUSTMENT, id),
    };
  });

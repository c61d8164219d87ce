import { sql, type SqlBool } from 'kysely';
import type { Kernel } from '#kernel/server/kernel.ts';
import { elsewhere, isNumber } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { exportLedgerHoldList, queryLedgerHoldList, type LedgerHoldRow } from '../../contract/calls/holds.ts';
import { accountIn, documentOf, namesFor, requireBook } from '../access.ts';
import { ledgerOf } from '../books.ts';
import { own } from '../database.ts';
import { operatorOf } from '../transfers/entries.ts';

export const holdList = (kernel: Kernel) =>
  listOf(queryLedgerHoldList)
    .from((ask) => {
      requireBook(ask, ask.filter.book);
      return own(ask.db).selectFrom('ledgerHold as h');
    })
    .with({
      where: {
        book: (_eb, book, { filter }) =>
          sql<SqlBool>`
            h.book = ${book} and exists (select from ledger_hold_leg g where g.hold_id = h.id and ${accountIn('g.account_id', filter)})`,
        accountNos: elsewhere,
        ownerType: elsewhere,
        ownerId: elsewhere,
        holdNo: isNumber('h.holdNo'),
        refNo: (_eb, text) => sql<SqlBool>`coalesce(h.ref_no, h.ref_id) = ${text}`,
        status: 'h.status',
        expiresBefore: (_eb, at) => sql<SqlBool>`h.expires_at < ${at}::timestamptz`,
      },
      id: 'h.id',
      sorts: { holdNo: 'h.holdNo' },
      select: (rows) =>
        rows
          .select(['h.id', 'h.holdNo', 'h.book', 'h.refType', 'h.refId', 'h.refNo', 'h.amountFen', 'h.capturedFen', 'h.releasedFen'])
          .select(['h.expiresAt', 'h.createdAt', 'h.closedAt', 'h.releaseReason', 'h.operatorName', 'h.status'])
          .select(
            sql<{ accountNo: string; accountType: string; ownerName: string }[]>`(
              select jsonb_agg(
                jsonb_build_object('accountNo', a.account_no, 'accountType', a.account_type, 'ownerName', a.owner_name) order by a.id
              )
                from ledger_hold_leg g join ledger_account a on a.id = g.account_id where g.hold_id = h.id)`.as('accounts'),
          ),
      present: (rows, ask) => {
        const { chart } = ledgerOf(kernel);
        const nameOf = namesFor(chart, ask);
        return rows.map(({ accounts, book, refType, refId, refNo, ...row }): LedgerHoldRow => ({
          ...row,
          ...documentOf(chart, book, { refType, refId, refNo }),
          accountNos: accounts.map(({ accountNo }) => accountNo).join('、'),
          ownerName: [...new Set(accounts.map((one) => nameOf({ ...one, book }).ownerName))].join('、'),
          leftFen: String(BigInt(row.amountFen) - BigInt(row.capturedFen) - BigInt(row.releasedFen)),
          operatorName: operatorOf(row.operatorName),
          partly: row.status === 'PENDING' && row.capturedFen !== '0',
        }));
      },
    });

export const holdExport = (kernel: Kernel) =>
  listExport(holdList(kernel), { call: exportLedgerHoldList, title: '预占', routeKey: 'ledger.holds' });

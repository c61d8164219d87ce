import { sql, type SqlBool } from 'kysely';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { dayOf, plusMs } from '#kernel/contract/time.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { elsewhere, isNumber } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { exportLedgerLotList, queryLedgerLotList, queryLedgerLotMoveList, type LedgerLotRow } from '../../contract/calls/holds.ts';
import { accountIn, documentOf, namesFor, requireBook, typeLabel } from '../access.ts';
import { ledgerOf } from '../books.ts';
import { own } from '../database.ts';

/** `expiresAt` is exclusive: the last day on which the lot is good. */
const lastDayOf = (expiresAt: string | null): string | null => (expiresAt === null ? null : dayOf(plusMs(expiresAt, -1)));

export const lotList = (kernel: Kernel) =>
  listOf(queryLedgerLotList)
    .from((ask) => {
      requireBook(ask, ask.filter.book);
      return own(ask.db)
        .selectFrom('ledgerLot as l')
        .innerJoin('ledgerAccount as a', 'a.id', 'l.accountId')
        .innerJoin('ledgerTransfer as t', 't.id', 'l.sourceTransferId');
    })
    .with({
      where: {
        book: (_eb, _book, { filter }) => accountIn('l.account_id', filter),
        accountNos: elsewhere,
        ownerType: elsewhere,
        ownerId: elsewhere,
        lotNo: isNumber('l.lotNo'),
        onlyRemaining: (_eb, yes) => (yes ? sql<SqlBool>`l.remaining_fen > 0` : undefined),
        expiresBefore: (_eb, at) => sql<SqlBool>`l.expires_at < ${at}::timestamptz`,
      },
      id: 'l.id',
      sorts: { lotNo: 'l.lotNo' },
      select: (rows) =>
        rows
          .select(['l.id', 'l.lotNo', 'l.refType', 'l.refId', 'l.originalFen', 'l.remainingFen', 'l.heldFen', 'l.validFrom', 'l.expiresAt'])
          .select(['a.book', 'a.accountNo', 'a.accountType', 'a.ownerName', 't.transferNo as sourceTransferNo']),
      present: (rows, ask) => {
        const { chart } = ledgerOf(kernel);
        const nameOf = namesFor(chart, ask);
        return rows.map(({ book, accountType, refType, ...row }): LedgerLotRow => ({
          ...row,
          ownerName: nameOf({ ...row, book, accountType }).ownerName,
          accountTypeLabel: typeLabel(chart, book, accountType),
          refLabel: documentOf(chart, book, { refType, refId: row.refId, refNo: null }).refLabel,
          lastDay: lastDayOf(row.expiresAt),
        }));
      },
    });

export const lotExport = (kernel: Kernel) =>
  listExport(lotList(kernel), { call: exportLedgerLotList, title: '额度批次', routeKey: 'ledger.lots' });

export const lotMoves = listOf(queryLedgerLotMoveList)
  .from(async (ask) => {
    const { db, filter } = ask;
    const found = await own(db)
      .selectFrom('ledgerLot as l')
      .innerJoin('ledgerAccount as a', 'a.id', 'l.accountId')
      .select(['a.book'])
      .where('l.lotNo', '=', filter.lotNo)
      .executeTakeFirst();
    if (!found) throw refuse(platformErrors.NOT_FOUND, { message: '额度批次不存在' });
    requireBook(ask, found.book);
    return own(db)
      .selectFrom('ledgerLotMove as m')
      .innerJoin('ledgerLot as l', 'l.id', 'm.lotId')
      .leftJoin('ledgerTransfer as t', 't.id', 'm.transferId')
      .leftJoin('ledgerHold as h', 'h.id', 'm.holdId');
  })
  .with({
    where: { lotNo: 'l.lotNo' },
    id: 'm.id',
    unsorted: 'the movements of one lot, the last first',
    select: (rows) =>
      rows
        .select(['m.id', 'm.kind', 'm.deltaRemainingFen as remainingFen', 'm.deltaHeldFen as heldFen', 't.transferNo', 'h.holdNo'])
        .select(sql<string>`coalesce(t.created_at, h.closed_at, h.created_at)`.as('at')),
    present: (rows) => rows,
  });

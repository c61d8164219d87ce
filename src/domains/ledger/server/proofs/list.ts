import { sql } from 'kysely';
import type { Db } from '#kernel/server/context.ts';
import { query } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { checkersFor } from '#domains/identity/server/index.ts';
import {
  exportLedgerFindingList,
  exportLedgerPeriodList,
  exportLedgerProofList,
  queryLedgerBookState,
  queryLedgerFindingList,
  queryLedgerMender,
  queryLedgerPeriodList,
  queryLedgerProofList,
  type FindingRow,
} from '../../contract/calls/proofs.ts';
import { bookPermissions, ledgerPermissions as may } from '../../contract/permissions.ts';
import { typeLabel, requireBook } from '../access.ts';
import { ledgerOf } from '../books.ts';
import { own } from '../database.ts';
import { allowedOn } from './findings.ts';

export const periodList = (kernel: Kernel) =>
  listOf(queryLedgerPeriodList)
    .from((ask) => {
      requireBook(ask, ask.filter.book);
      return own(ask.db).selectFrom('ledgerPeriod as p');
    })
    .with({
      bounded: 'a row a month',
      where: { book: 'p.book', status: 'p.status' },
      id: 'p.period',
      sorts: {
        period: 'p.period',
        openedAt: 'p.openedAt',
        closedAt: 'p.closedAt',
      },
      select: (rows) =>
        rows.select(['p.period', 'p.book', 'p.openedAt', 'p.closedAt', 'p.closedBy', 'p.status']).select([
          sql<number>`(select count(*)::int from ledger_transfer t where t.book = p.book and t.period = p.period)`.as('transfers'),
          sql<string>`(
              select coalesce(sum(t.total_fen), 0)::text from ledger_transfer t where t.book = p.book and t.period = p.period
            )`.as('totalFen'),
        ]),
      present: async (rows, { db }) => {
        const names = await kernel.ports.people.names(
          db,
          rows.flatMap(({ closedBy }) => closedBy ?? []),
        );
        return rows.map(({ closedBy, ...row }) => ({ ...row, closedByName: closedBy === null ? null : (names.get(closedBy) ?? null) }));
      },
    });
export const periodExport = (kernel: Kernel) =>
  listExport(periodList(kernel), { call: exportLedgerPeriodList, title: '会计期间', routeKey: 'ledger.periods' });

export const proofList = listOf(queryLedgerProofList)
  .from((ask) => {
    requireBook(ask, ask.filter.book);
    return own(ask.db).selectFrom('ledgerProof as p');
  })
  .with({
    where: { book: 'p.book', kind: 'p.kind', status: 'p.status' },
    id: 'p.id',
    sorts: {
      accountsChecked: 'p.accountsChecked',
      entriesChecked: 'p.entriesChecked',
      debitTotalFen: 'p.debitTotalFen',
      creditTotalFen: 'p.creditTotalFen',
      findings: sql.ref('findings'),
      startedAt: 'p.startedAt',
      finishedAt: 'p.finishedAt',
    },
    bounded: 'a proof of each book a night',
    select: (rows) =>
      rows
        .select(['p.id', 'p.book', 'p.kind', 'p.status', 'p.accountsChecked', 'p.entriesChecked', 'p.debitTotalFen', 'p.creditTotalFen'])
        .select(['p.digest', 'p.prevDigest', 'p.startedAt', 'p.finishedAt'])
        .select(sql<number>`(select count(*)::int from ledger_finding f where f.proof_id = p.id)`.as('findings')),
    present: (rows) => rows,
  });
export const proofExport = listExport(proofList, { call: exportLedgerProofList, title: '平衡检查', routeKey: 'ledger.proofs' });

export const bookState = (kernel: Kernel) =>
  query(queryLedgerBookState, async (_input, ctx) => {
    const { db, staff, now, today, has } = ctx;
    const seen = ledgerOf(kernel).chart.books.filter((book) => has(bookPermissions[book]));
    return Promise.all(
      seen.map(async (book) => {
        const ask = { db, staff, now, today, has };
        const done = await proofList.page({ ...ask, filter: { book, status: ['PASSED', 'FAILED'] } }, { pageNo: 1, pageSize: 1 });
        return { book, last: done.rows[0] ?? null, ...(await openOf(db, book)) };
      }),
    );
  });

async function openOf(db: Db, book: string): Promise<{ runningSince: string | null; openFindings: number }> {
  const { rows } = await sql<{ runningSince: string | null; openFindings: number }>`
    select (select p.started_at from ledger_proof p where p.book = ${book} and p.status = 'RUNNING') as running_since,
           (
             select count(*)::int from ledger_finding f where f.book = ${book} and f.status in ('OPEN', 'ASSIGNED')
           ) as open_findings`.execute(db);
  return rows[0]!;
}

export const findingList = (kernel: Kernel) =>
  listOf(queryLedgerFindingList)
    .from((ask) => {
      requireBook(ask, ask.filter.book);
      return own(ask.db)
        .selectFrom('ledgerFinding as f')
        .leftJoin('ledgerAccount as a', 'a.id', 'f.accountId')
        .leftJoin('ledgerTransfer as t', 't.id', 'f.transferId')
        .leftJoin('ledgerLot as l', 'l.id', 'f.lotId')
        .leftJoin('ledgerAdjustment as d', 'd.id', 'f.adjustmentId');
    })
    .with({
      where: { book: 'f.book', findingCode: 'f.findingCode', status: 'f.status' },
      id: 'f.id',
      sorts: { createdAt: 'f.createdAt', closedAt: 'f.closedAt' },
      bounded: 'findings are what proofs found wrong: some dozens',
      select: (rows) =>
        rows
          .select(['f.id', 'f.book', 'f.findingCode', 'f.objectKey', 'f.expectedFen', 'f.actualFen', 'f.ownerUserId', 'f.resolution'])
          .select(['f.createdAt', 'f.closedAt', 'f.status', 'f.version', 'a.accountNo', 'a.accountType', 't.transferNo', 'l.lotNo'])
          .select('d.adjustNo'),
      present: async (rows, { db, has }) => {
        const { chart } = ledgerOf(kernel);
        const names = await kernel.ports.people.names(
          db,
          rows.flatMap(({ ownerUserId }) => ownerUserId ?? []),
        );
        return rows.map(({ book, objectKey, accountType, lotNo, ...row }): FindingRow => ({
          ...row,
          findingNo: `CY${row.id.padStart(6, '0')}`,
          object:
            row.transferNo ??
            (row.accountNo && accountType
              ? `${typeLabel(chart, book, accountType)} ${row.accountNo}${lotNo ? ` ${lotNo}` : ''}`
              : objectKey === 'book'
                ? '整个账簿'
                : '检查摘要'),
          differenceFen:
            row.expectedFen === null || row.actualFen === null ? null : String(BigInt(row.actualFen) - BigInt(row.expectedFen)),
          ownerUserName: row.ownerUserId === null ? null : (names.get(row.ownerUserId) ?? null),
          allowedActions: allowedOn(row, has),
        }));
      },
    });
export const findingExport = (kernel: Kernel) =>
  listExport(findingList(kernel), { call: exportLedgerFindingList, title: '平衡差异', routeKey: 'ledger.findings' });

export const menders = query(queryLedgerMender, async (_input, { db, today }) => {
  const found = await checkersFor(db, { permission: may['proof.manage'].code, today, limit: 200 });
  return found.map(({ userId, displayName }) => ({ userId, displayName }));
});

import { sql } from 'kysely';
import { trailOf } from '#kernel/server/audit/transition.ts';
import type { Db } from '#kernel/server/context.ts';
import { query } from '#kernel/server/handler.ts';
import { contains, isNumber } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import {
  exportPayoutBatchList,
  exportPayoutItemList,
  exportTaxRecordList,
  queryPayoutBatchDetail,
  queryPayoutBatchList,
  queryPayoutItemList,
  queryTaxRecordList,
  SECOND_PAYOUT_FEN,
  type PayoutRow,
} from '../../contract/calls/payouts.ts';
import type { messageStates } from '../../contract/dictionaries.ts';
import { payoutMachine } from '../../contract/payoutStates.ts';
import { payoutRecords } from '../access.ts';
import { own } from '../database.ts';

const joined = (db: Db) => own(db).selectFrom('settlementPayoutBatch as b').innerJoin('settlementPayer as p', 'p.id', 'b.payerEntityId');
const counted = <Name extends string>(codes: readonly string[], name: Name) =>
  sql<number>`(
    select count(*)::int
      from settlement_payout_item i
      where i.batch_id = b.id and i.status in (${sql.join(codes.map((code) => sql.lit(code)))})
  )`.as(name);
const readBatch = (db: Db, id: string) =>
  joined(db)
    .selectAll('b')
    .select('p.entityName as payerName')
    .select([
      counted(['SUCCESS'], 'successCount'),
      counted(['FAILED', 'RETURNED'], 'failCount'),
      counted(['PENDING', 'UNKNOWN'], 'openCount'),
    ])
    .where('b.id', '=', id)
    .executeTakeFirst();
type Read = NonNullable<Awaited<ReturnType<typeof readBatch>>>;

const present = (row: Read, has: (permission: string) => boolean): PayoutRow => {
  const isLarge = BigInt(row.netFen) >= SECOND_PAYOUT_FEN;
  return {
    id: row.id,
    batchNo: row.batchNo,
    payerName: row.payerName,
    taxMonth: row.taxMonth,
    planPayDate: row.planPayDate,
    itemCount: row.itemCount,
    grossFen: Number(row.grossFen),
    taxFen: Number(row.taxFen),
    netFen: Number(row.netFen),
    successCount: row.successCount,
    failCount: row.failCount,
    openCount: row.openCount,
    makerName: row.makerName,
    checkerName: row.checkerName,
    secondCheckerName: row.secondCheckerName,
    exportedByName: row.exportedByName,
    exportedAt: row.exportedAt,
    createdAt: row.createdAt,
    status: row.status,
    version: row.version,
    allowedActions: payoutMachine.allowed(row.status, has).filter((action) => action !== (isLarge ? 'approve' : 'approveFirst')),
  };
};

export const batchList = listOf(queryPayoutBatchList)
  .from(({ db }) => joined(db))
  .with({
    where: { batchNo: isNumber('b.batchNo'), payerEntityId: 'b.payerEntityId', taxMonth: 'b.taxMonth', status: 'b.status' },
    id: 'b.id',
    last: { of: 'b.status', groups: [['FINISHED', 'PARTIAL'], ['VOIDED']] },
    unsorted: 'what is under way stands first, then the newest',
    bounded: 'some batches a month for each of our companies',
    select: (rows) =>
      rows
        .selectAll('b')
        .select('p.entityName as payerName')
        .select([
          counted(['SUCCESS'], 'successCount'),
          counted(['FAILED', 'RETURNED'], 'failCount'),
          counted(['PENDING', 'UNKNOWN'], 'openCount'),
        ]),
    present: (rows, { has }) => rows.map((row) => present(row, has)),
  });
export const batchExport = listExport(batchList, { call: exportPayoutBatchList, title: '付款批次', routeKey: 'incomeSettle' });

/** Of the newest message about a payment. */
const messageStatus = sql<(typeof messageStates.codes)[number] | null>`(
  select m.status from settlement_payout_message m where m.item_id = i.id order by m.id desc limit 1
)`.as('messageStatus');

export const itemList = listOf(queryPayoutItemList)
  .from(({ db }) =>
    own(db)
      .selectFrom('settlementPayoutItem as i')
      .innerJoin('settlementPayoutBatch as b', 'b.id', 'i.batchId')
      .innerJoin('settlementBill as l', 'l.id', 'i.billId')
      .innerJoin('settlementDoctor as d', 'd.doctorId', 'i.doctorId'),
  )
  .with({
    where: { batchId: 'i.batchId', doctorName: contains('d.name'), status: 'i.status' },
    id: 'i.id',
    unsorted: 'the newest payments first',
    select: (rows) =>
      rows
        .select(['i.id', 'b.batchNo', 'i.bizRef', 'l.billNo', 'i.doctorId', 'd.doctorNo', 'd.name as doctorName', 'd.hospitalName'])
        .select(['i.payeeName', 'i.bankName', 'i.accountMasked', 'i.grossFen', 'i.taxFen', 'i.netFen', 'i.bankSerialNo', 'i.bankDay'])
        .select(['i.failReason', 'i.status', 'i.version'])
        .select(messageStatus),
    present: (rows) =>
      rows.map((row) => ({ ...row, grossFen: Number(row.grossFen), taxFen: Number(row.taxFen), netFen: Number(row.netFen) })),
  });
export const itemExport = listExport(itemList, { call: exportPayoutItemList, title: '付款明细', routeKey: 'incomeSettle.items' });

export const batchDetail = query(queryPayoutBatchDetail, async ({ id }, ctx) => {
  const row = await readBatch(ctx.db, id);
  if (!row) throw payoutRecords.missing();
  return {
    batch: present(row, ctx.has),
    fileSha256: row.fileSha256,
    exportCount: row.exportCount,
    opinion: row.opinion,
    trail: await trailOf(ctx.db, payoutRecords.type, id),
  };
});

export const taxList = listOf(queryTaxRecordList)
  .from(({ db }) =>
    own(db)
      .selectFrom('settlementTaxRecord as t')
      .innerJoin('settlementDoctor as d', 'd.doctorId', 't.doctorId')
      .innerJoin('settlementPayer as p', 'p.id', 't.payerEntityId')
      .innerJoin('settlementPayoutItem as i', 'i.id', 't.payoutItemId'),
  )
  .with({
    where: { payerEntityId: 't.payerEntityId', taxMonth: 't.taxMonth', doctorName: contains('d.name') },
    id: 't.id',
    unsorted: 'records only add up: the newest first',
    select: (rows) =>
      rows
        .select(['t.id', 't.doctorId', 'd.doctorNo', 'd.name as doctorName', 'd.hospitalName', 'p.entityName as payerName', 't.taxMonth'])
        .select(['i.bizRef', 't.method', 't.runFrom', 't.grossFen', 't.taxableFen', 't.cumTaxFen', 't.previousTaxFen', 't.taxFen'])
        .select(['t.isBack', 't.createdAt']),
    present: (rows) =>
      rows.map((row) => ({
        ...row,
        grossFen: Number(row.grossFen),
        taxableFen: Number(row.taxableFen),
        cumTaxFen: Number(row.cumTaxFen),
        previousTaxFen: Number(row.previousTaxFen),
        taxFen: Number(row.taxFen),
      })),
  });
export const taxExport = listExport(taxList, { call: exportTaxRecordList, title: '扣税记录', routeKey: 'incomeSettle.taxes' });

import { trailOf } from '#kernel/server/audit/transition.ts';
import type { Db } from '#kernel/server/context.ts';
import { query } from '#kernel/server/handler.ts';
import { isNumber } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { exportRefundBatch, queryRefundBatchDetail, queryRefundBatchList, type RefundBatchRow } from '../../contract/calls/batches.ts';
import { refundBatchMachine } from '../../contract/states.ts';
import { batchRecords, type BatchRecord } from '../access.ts';
import { own } from '../database.ts';
import { presentRefund, refundsWhere } from '../refunds/list.ts';

const present = (row: BatchRecord, has: (permission: string) => boolean): RefundBatchRow => ({
  id: row.id,
  batchNo: row.batchNo,
  itemCount: row.itemCount,
  amountFen: Number(row.amountFen),
  okCount: row.okCount,
  failCount: row.failCount,
  unknownCount: row.unknownCount,
  makerName: row.makerName,
  approverName: row.approverName,
  executorName: row.executorName,
  createdAt: row.createdAt,
  startedAt: row.startedAt,
  finishedAt: row.finishedAt,
  status: row.status,
  version: row.version,
  allowedActions: refundBatchMachine.allowed(row.status, has),
});

export const batchList = listOf(queryRefundBatchList)
  .from(({ db }) => own(db).selectFrom('invoiceRefundBatch as b'))
  .with({
    where: { batchNo: isNumber('b.batchNo'), status: 'b.status' },
    id: 'b.id',
    last: { of: 'b.status', groups: [['DONE', 'PART_FAILED'], ['VOIDED']] },
    unsorted: 'what is under way stands first, then the newest',
    bounded: 'some batches a week',
    select: (rows) => rows.selectAll('b'),
    present: (rows, { has }) => rows.map((row) => present(row, has)),
  });
export const batchExport = listExport(batchList, { call: exportRefundBatch, title: '退款批次', routeKey: 'invoice.batches' });

const itemsOf = async (db: Db, batchId: string, has: (permission: string) => boolean) => {
  const items = await own(db).selectFrom('invoiceRefundBatchItem').selectAll().where('batchId', '=', batchId).orderBy('refundId').execute();
  const rows = await refundsWhere(db)
    .where(
      'r.id',
      'in',
      items.map(({ refundId }) => refundId),
    )
    .execute();
  const refunds = new Map(rows.map((row) => [row.id, presentRefund(row, has)]));
  return items.flatMap(({ refundId, outcome, failReason }) => {
    const refund = refunds.get(refundId);
    return refund ? [{ refund, outcome, failReason }] : [];
  });
};

export const batchDetail = query(queryRefundBatchDetail, async ({ refundBatchId }, ctx) => {
  const row = await batchRecords.get(ctx.db, ctx.staff, refundBatchId);
  return {
    batch: present(row, ctx.has),
    opinion: row.opinion,
    items: await itemsOf(ctx.db, refundBatchId, ctx.has),
    trail: await trailOf(ctx.db, batchRecords.type, refundBatchId),
  };
});

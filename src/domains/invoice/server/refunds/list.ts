import { trailOf } from '#kernel/server/audit/transition.ts';
import type { Db } from '#kernel/server/context.ts';
import { query } from '#kernel/server/handler.ts';
import { from, isNumber, upTo } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { fileBriefs } from '#domains/files/server/index.ts';
import { exportRefund, queryRefundDetail, queryRefundList, type RefundRow } from '../../contract/calls/refunds.ts';
import { REFUND_VOUCHER } from '../../contract/purposes.ts';
import { refundMachine } from '../../contract/states.ts';
import { refundRecords } from '../access.ts';
import { own } from '../database.ts';

const joined = (db: Db) =>
  own(db)
    .selectFrom('invoiceRefund as r')
    .innerJoin('invoicePayment as p', 'p.id', 'r.paymentId')
    .leftJoin('invoiceRefundBatch as b', 'b.id', 'r.batchId');
const selected = (rows: ReturnType<typeof joined>) => rows.selectAll('r').select(['p.paymentNo', 'p.sourceNo', 'p.channel', 'b.batchNo']);
type Read = Awaited<ReturnType<ReturnType<typeof selected>['executeTakeFirstOrThrow']>>;

/** Refunds that a transfer alone may end. */
const BY_HAND: readonly string[] = ['register', 'returned'];

export const presentRefund = (row: Read, has: (permission: string) => boolean): RefundRow => ({
  id: row.id,
  refundNo: row.refundNo,
  paymentId: row.paymentId,
  paymentNo: row.paymentNo,
  sourceNo: row.sourceNo,
  sourceType: row.sourceType,
  channel: row.channel,
  amountFen: Number(row.amountFen),
  way: row.way,
  payeeName: row.payeeName,
  payeeBank: row.payeeBank,
  payeeAccountMasked: row.payeeAccountMasked,
  reason: row.reason,
  batchId: row.batchId,
  batchNo: row.batchNo,
  byItself: row.byItself,
  attempt: row.attempt,
  channelRefundNo: row.channelRefundNo,
  failReason: row.failReason,
  makerName: row.makerName,
  checkerName: row.checkerName,
  createdAt: row.createdAt,
  refundedAt: row.refundedAt,
  status: row.status,
  version: row.version,
  allowedActions: refundMachine.allowed(row.status, has).filter((action) => row.way === 'OFFLINE' || !BY_HAND.includes(action)),
});

export const refundsWhere = (db: Db) => selected(joined(db));

export const refundList = listOf(queryRefundList)
  .from(({ db }) => joined(db))
  .with({
    where: {
      refundNo: isNumber('r.refundNo'),
      paymentNo: isNumber('p.paymentNo'),
      sourceNo: isNumber('p.sourceNo'),
      batchNo: isNumber('b.batchNo'),
      sourceType: 'r.sourceType',
      way: 'r.way',
      status: 'r.status',
      createdFrom: from('r.createdAt'),
      createdTo: upTo('r.createdAt'),
    },
    id: 'r.id',
    sorts: { refundNo: 'r.refundNo', createdAt: 'r.createdAt' },
    last: { of: 'r.status', groups: [['SUCCESS'], ['REJECTED']] },
    select: selected,
    present: (rows, { has }) => rows.map((row) => presentRefund(row, has)),
  });
export const refundExport = listExport(refundList, { call: exportRefund, title: '退款单', routeKey: 'invoice.refunds' });

export const refundDetail = query(queryRefundDetail, async ({ refundId }, ctx) => {
  const row = await refundsWhere(ctx.db).where('r.id', '=', refundId).executeTakeFirst();
  if (!row) throw refundRecords.missing();
  const owner = { purpose: REFUND_VOUCHER, ownerType: refundRecords.type };
  const [voucher] = row.voucherFileId === null ? [] : await fileBriefs(ctx.db, [row.voucherFileId], owner);
  return {
    refund: presentRefund(row, ctx.has),
    paidOn: row.paidOn,
    bankSerialNo: row.bankSerialNo,
    voucher: voucher ?? null,
    voucherByName: row.voucherByName,
    voucherCheckerName: row.voucherCheckerName,
    opinion: row.opinion,
    trail: await trailOf(ctx.db, refundRecords.type, refundId),
  };
});

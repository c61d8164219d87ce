import { sql } from 'kysely';
import { trailOf } from '#kernel/server/audit/transition.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { limitRate } from '#kernel/server/command/rateLimit.ts';
import { procedure, query } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { from, isNumber, upTo } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import {
  exportPayment,
  queryChannelResult,
  queryPaymentDetail,
  queryPaymentList,
  queryPaymentTotal,
  type PaymentRow,
} from '../../contract/calls/payments.ts';
import { refundable } from '../../contract/rules/refund.ts';
import { paymentMachine } from '../../contract/states.ts';
import { paymentRecords, type PaymentRecord } from '../access.ts';
import { own } from '../database.ts';
import { presentRefund, refundsWhere } from '../refunds/list.ts';
import { askPayment } from './close.ts';

const SYNC_SECONDS = 10;

const present = (row: PaymentRecord): PaymentRow => ({
  id: row.id,
  paymentNo: row.paymentNo,
  sourceId: row.sourceId,
  sourceNo: row.sourceNo,
  title: row.title,
  channel: row.channel,
  amountFen: Number(row.amountFen),
  receivedFen: row.receivedFen === null ? null : Number(row.receivedFen),
  refundedFen: Number(row.refundedFen),
  refundingFen: Number(BigInt(row.reservedFen) - BigInt(row.refundedFen)),
  refundableFen: Number(refundable(row)),
  flag: row.flag,
  channelTradeNo: row.channelTradeNo,
  createdAt: row.createdAt,
  expireAt: row.expireAt,
  paidAt: row.paidAt,
  failReason: row.failReason,
  status: row.status,
  version: row.version,
});

export const paymentList = listOf(queryPaymentList)
  .from(({ db }) => own(db).selectFrom('invoicePayment as p'))
  .with({
    where: {
      paymentNo: isNumber('p.paymentNo'),
      sourceNo: isNumber('p.sourceNo'),
      channel: 'p.channel',
      flag: 'p.flag',
      status: 'p.status',
      paidFrom: from('p.paidAt'),
      paidTo: upTo('p.paidAt'),
    },
    id: 'p.id',
    sorts: { paymentNo: 'p.paymentNo', createdAt: 'p.createdAt' },
    last: { of: 'p.status', groups: [['CLOSED']] },
    select: (rows) => rows.selectAll('p'),
    present: (rows) => rows.map(present),
  });
export const paymentExport = listExport(paymentList, { call: exportPayment, title: '收款单', routeKey: 'invoice' });

export const paymentTotal = query(queryPaymentTotal, async (filter, ctx) =>
  (await paymentList.matching({ ...ctx, filter }))
    .select([
      sql<number>`count(*)::int`.as('count'),
      sql<number>`coalesce(sum(p.received_fen), 0)::float8`.as('received'),
      sql<number>`coalesce(sum(p.reserved_fen - p.refunded_fen), 0)::float8`.as('refunding'),
      sql<number>`coalesce(sum(p.refunded_fen), 0)::float8`.as('refunded'),
    ])
    .executeTakeFirstOrThrow(),
);

export const paymentDetail = query(queryPaymentDetail, async ({ paymentId }, ctx) => {
  const payment = await paymentRecords.get(ctx.db, ctx.staff, paymentId);
  const refunds = await refundsWhere(ctx.db).where('r.paymentId', '=', paymentId).orderBy('r.id', 'desc').execute();
  return {
    payment: present(payment),
    refunds: refunds.map((row) => presentRefund(row, ctx.has)),
    trail: await trailOf(ctx.db, paymentRecords.type, paymentId),
  };
});

/** Asks the channel once. */
export const sync = (kernel: Kernel) =>
  procedure(queryChannelResult, async ({ paymentId }, ctx) => {
    const seen = await paymentRecords.get(ctx.db, ctx.staff, paymentId);
    ctx.target({ type: paymentRecords.type, id: paymentId, no: seen.paymentNo, looked: true });
    await limitRate(kernel.db, `invoice.askPayment.${paymentId}`, { max: 1, seconds: SYNC_SECONDS }, ctx.now);
    await askPayment(kernel, ctx, paymentId);
    const row = await paymentRecords.get(ctx.db, ctx.staff, paymentId);
    return { ...actionAnswer(ctx, paymentMachine, { ...row, state: row.status }), state: row.status };
  });

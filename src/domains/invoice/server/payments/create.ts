import { refuse, refuseField, platformErrors } from '#kernel/contract/errors.ts';
import { hours, plusMs } from '#kernel/contract/time.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { machineViewer } from '#kernel/server/auth/viewer.ts';
import type { Context, Tx } from '#kernel/server/context.ts';
import { procedure, query } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { PayChannelCode } from '#kernel/server/pay/port.ts';
import { createPay, queryPay } from '../../contract/calls/open.ts';
import { invoiceErrors } from '../../contract/errors.ts';
import { paymentMachine } from '../../contract/states.ts';
import { paymentRecords, type PaymentRecord } from '../access.ts';
import { own } from '../database.ts';
import { closePayment } from './close.ts';
import { orders, type PayableOrder } from './orders.ts';

/** Of an order without a deadline. */
const PAY_TTL_HOURS = 2;
const OPEN: readonly PaymentRecord['status'][] = ['INIT', 'PENDING', 'UNKNOWN'];

/**
 * Payments carry no region, insurer or channel: a machine that is limited to some of them reaches none.
 * @throws Refusal SCM90040
 */
function requireWholeScope(ctx: Pick<Context, 'client'>): void {
  const { region, insurer, channel } = machineViewer(ctx).scope;
  if (region !== null || insurer !== null || channel !== null) throw noOrder();
}
const noOrder = () => refuse(platformErrors.NOT_FOUND, { message: '订单不存在或已删除' });

/** @throws Refusal SCM90040 for no such order, SCM20071 for one that is not to be paid now */
async function payable(ctx: Acting, orderId: string): Promise<PayableOrder> {
  const order = await orders.payableOrder(ctx.tx, orderId);
  if (!order) throw noOrder();
  if (order.statusCode !== 'PENDING_PAYMENT' || order.payFen <= 0 || (order.payDeadline !== null && order.payDeadline <= ctx.now))
    throw refuse(invoiceErrors.NOT_PAYABLE);
  return order;
}

const liveOf = (tx: Tx, orderId: string, channel: PayChannelCode): Promise<PaymentRecord | undefined> =>
  own(tx)
    .selectFrom('invoicePayment')
    .selectAll()
    .where('sourceId', '=', orderId)
    .where('channel', '=', channel)
    .where('status', 'in', OPEN)
    .executeTakeFirst();

/** Undefined: one of the order and channel is open already. */
export async function insertPayment(
  ctx: Acting,
  order: Pick<PayableOrder, 'orderId' | 'orderNo' | 'title' | 'payFen' | 'payDeadline'>,
  channel: PayChannelCode,
  paymentNo: string,
): Promise<PaymentRecord | undefined> {
  const made = await own(ctx.tx)
    .insertInto('invoicePayment')
    .values({
      paymentNo,
      sourceId: order.orderId,
      sourceNo: order.orderNo,
      title: order.title,
      channel,
      amountFen: String(order.payFen),
      expireAt: order.payDeadline ?? plusMs(ctx.now, hours(PAY_TTL_HOURS)),
      createdAt: ctx.now,
      ...updatedColumns(ctx),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  if (made)
    await moveState(ctx, paymentMachine, {
      targetType: paymentRecords.type,
      targetId: made.id,
      targetNo: made.paymentNo,
      action: 'create',
      from: 'INIT',
    });
  return made;
}

/**
 * The open payment of an order and channel, made where there is none; whoever makes it at the same time gets the same. The order is locked
 * before its payment is written, and one that is there is not locked: whoever takes money in locks the payment before the order.
 */
async function openPayment(ctx: Acting, order: PayableOrder, channel: PayChannelCode): Promise<PaymentRecord> {
  const known = await liveOf(ctx.tx, order.orderId, channel);
  if (known) return known;
  const made = await insertPayment(ctx, order, channel, await nextNumber(ctx.tx, 'PY', ctx.today));
  if (!made) {
    const other = await liveOf(ctx.tx, order.orderId, channel);
    if (!other) throw refuse(invoiceErrors.NOT_PAYABLE);
    return other;
  }
  return made;
}

const answer = (kernel: Kernel, payment: PaymentRecord, now: string) => ({
  paymentNo: payment.paymentNo,
  orderId: payment.sourceId,
  channel: payment.channel,
  amountFen: Number(payment.amountFen),
  status: payment.status,
  expireAt: payment.expireAt,
  payUrl:
    (payment.status === 'INIT' || payment.status === 'PENDING') && payment.expireAt > now ? kernel.pay.linkOf(payment.paymentNo) : null,
});

/** One that asks for another sum than the order now does is closed at the channel first. */
export const create = (kernel: Kernel) =>
  procedure(createPay, async ({ orderId, channel }, ctx) => {
    requireWholeScope(ctx);
    if (!kernel.pay.available.includes(channel)) throw refuseField('channel', '该支付渠道未开通');
    const stale = await ctx.transaction(async (acting) => {
      const order = await payable(acting, orderId);
      const known = await liveOf(acting.tx, orderId, channel);
      return known && BigInt(known.amountFen) !== BigInt(order.payFen) ? known.id : null;
    });
    if (stale !== null) await closePayment(kernel, ctx, stale);
    const payment = await ctx.transaction(async (acting) => openPayment(acting, await payable(acting, orderId), channel));
    ctx.target({ type: paymentRecords.type, id: payment.id, no: payment.paymentNo });
    return answer(kernel, payment, ctx.now);
  });

export const read = (kernel: Kernel) =>
  query(queryPay, async ({ paymentNo }, ctx) => {
    requireWholeScope(ctx);
    const found = await own(ctx.db).selectFrom('invoicePayment').selectAll().where('paymentNo', '=', paymentNo).executeTakeFirst();
    if (!found) throw paymentRecords.missing();
    return answer(kernel, found, ctx.now);
  });

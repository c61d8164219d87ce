import { PayError, type Trade } from '#kernel/server/pay/port.ts';
import type { Db } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { known, stillOpen, addLateTodo } from '#kernel/server/money/inquiry.ts';
import { doctorErrors } from '../../contract/errors.ts';
import { refuse } from '#kernel/contract/errors.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { own } from '../database.ts';
import { channelOf, lockOrder, noteOrder, type OrderRecord } from './access.ts';
import { latePayment } from './late.ts';
import { closeOrder, type CloseReason } from './move.ts';
import { takePayment } from './pay.ts';

export interface Asking {
  db: Db;
  /** Opens a transaction in which whoever asks acts. */
  transaction<T>(work: (ctx: Acting) => Promise<T>): Promise<T>;
}

/** Asks the channel, outside any transaction, and brings its answer in. A payer who never opened the payment page has paid nothing. */
export async function askPayment(kernel: Kernel, asking: Asking, orderId: string): Promise<Trade['state']> {
  const order = await own(asking.db)
    .selectFrom('doctorConsultOrder')
    .select(['orderNo', 'payChannel', 'payOpenedAt', 'state'])
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow();
  if (order.state !== 'WAIT_PAY') return order.state === 'CLOSED' ? 'CLOSED' : 'PAID';
  if (order.payOpenedAt === null) return 'WAITING';
  const code = channelOf(order);
  const trade = await kernel.pay.channel(code).query(order.orderNo);
  await asking.transaction(async (ctx) => {
    const { state, channelTradeNo, amountFen, paidAt } = trade;
    if (state === 'PAID' && channelTradeNo !== null && amountFen !== null && paidAt !== null) {
      await takePayment(kernel, ctx, code, { tradeNo: order.orderNo, channelTradeNo, amountFen, paidAt }, 'QUERY');
      return;
    }
    const locked = await lockOrder(ctx.tx, { id: orderId });
    if (locked.state !== 'WAIT_PAY') return;
    const payResult = state === 'PAID' ? 'UNKNOWN' : state;
    const open = payResult === 'UNKNOWN' ? stillOpen(locked.unknownSince, ctx.now) : known;
    await noteOrder(ctx.tx, orderId, { payAskedAt: ctx.now, payResult, ...open });
    const late = latePayment(locked);
    if (payResult === 'UNKNOWN') await addLateTodo(kernel, ctx.tx, open, late, ctx.now);
    else if (locked.unknownSince !== null) await kernel.ports.notices.closeTodo(ctx.tx, late.businessKey, ctx.now);
  });
  return trade.state;
}

/**
 * Ends an unpaid order after the channel was asked and told that nobody can pay any more.
 * @returns the closed order; null where it has been paid meanwhile.
 * @throws Refusal SCM07071 while the outcome of a payment is open.
 */
export async function closeUnpaid(
  kernel: Kernel,
  asking: Asking,
  orderId: string,
  how: {
    action: 'timeout' | 'cancel';
    reason: CloseReason;
    opinion?: string | undefined;
    check?(ctx: Acting, order: OrderRecord): Promise<void>;
  },
): Promise<OrderRecord | null> {
  const result = await askPayment(kernel, asking, orderId);
  if (result === 'UNKNOWN') throw refuse(doctorErrors.PAY_UNKNOWN);
  const stored = await own(asking.db)
    .selectFrom('doctorConsultOrder')
    .select(['orderNo', 'payChannel', 'payOpenedAt', 'payFlag'])
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow();
  if (stored.payOpenedAt !== null && stored.payFlag === null && result !== 'CLOSED') {
    try {
      await kernel.pay.channel(channelOf(stored)).close(stored.orderNo);
    } catch (error) {
      if (error instanceof PayError) kernel.log.warn({ error: error.message, orderNo: stored.orderNo }, 'a payment could not be closed');
      throw refuse(doctorErrors.PAY_UNKNOWN);
    }
  }
  return asking.transaction(async (ctx) => {
    const order = await lockOrder(ctx.tx, { id: orderId });
    await how.check?.(ctx, order);
    if (order.state !== 'WAIT_PAY') return null;
    return closeOrder(ctx, order, how);
  });
}

import { cardHoldTimedOut } from '#events/card.ts';
import { asSystem } from '#kernel/server/command/acting.ts';
import type { Consumer, Kernel } from '#kernel/server/kernel.ts';
import { consumer } from '#kernel/server/outbox/consumer.ts';
import { own } from '../database.ts';
import { orderRecords } from './access.ts';
import { cancelOrder } from './cancel.ts';

/** Reactions to what cards and the cashier tell. */
export const orderConsumers = (kernel: Kernel): readonly Consumer[] => [
  // Whoever pays after this is paid back: what his cards were to pay is not set aside any more.
  consumer('order', cardHoldTimedOut, async ({ payload: { bizType, bizId } }, ctx) => {
    if (bizType !== 'ORDER') return;
    const acting = asSystem(ctx, ctx);
    const known = await own(ctx.tx).selectFrom('orderOrder').select('id').where('id', '=', bizId).executeTakeFirst();
    if (!known) return;
    const order = await orderRecords.lock(ctx.tx, orderRecords.everyone, bizId);
    const paid = await own(ctx.tx)
      .selectFrom('orderPayment')
      .select('paymentNo')
      .where('orderId', '=', bizId)
      .where('answer', '=', 'ACCEPTED')
      .executeTakeFirst();
    if (order.state !== 'PENDING_PAYMENT' || paid) return;
    await cancelOrder(kernel, acting, order, { action: 'cancelBySystem', reasonCode: 'CARD_TIMEOUT', opinion: '卡预占超时' });
  }),
];

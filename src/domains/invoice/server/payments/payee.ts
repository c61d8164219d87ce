import { minutes, plusMs } from '#kernel/contract/time.ts';
import { asSystem } from '#kernel/server/command/acting.ts';
import type { Writing } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { Payee } from '#kernel/server/pay/desk.ts';
import { NOTICE_MINUTES } from './close.ts';
import { lockPaymentNo, movePayment } from './move.ts';
import { takePayment } from './take.ts';

/** Payments of orders: what the payer finds behind his link, and what a channel's notice does. */
export const orderPayee = (kernel: Kernel): Payee => {
  const acting = (writing: Writing) => asSystem(writing, { now: kernel.clock.now(), traceId: 'pay' });
  return {
    prefix: 'PY',
    open: (paymentNo) =>
      kernel.transactions.run('pay', async (writing) => {
        const ctx = acting(writing);
        const payment = await lockPaymentNo(ctx.tx, paymentNo);
        if (!payment) return null;
        const subject = payment.title;
        if (payment.status === 'SUCCESS') return { state: 'PAID', subject };
        if ((payment.status !== 'INIT' && payment.status !== 'PENDING') || payment.expireAt <= ctx.now) return { state: 'OVER', subject };
        // From here on only the channel knows whether somebody pays.
        if (payment.status === 'INIT') await movePayment(ctx, payment, 'open', { askDueAt: plusMs(ctx.now, minutes(NOTICE_MINUTES)) });
        return {
          state: 'OPEN',
          channel: payment.channel,
          order: { tradeNo: paymentNo, amountFen: Number(payment.amountFen), subject, expireAt: payment.expireAt },
        };
      }),
    paid: async (channel, { tradeNo, channelTradeNo, amountFen, paidAt }) =>
      void (await kernel.transactions.run('pay', (writing) =>
        takePayment(kernel, acting(writing), tradeNo, { channel, channelTradeNo, amountFen, paidAt }),
      )),
  };
};

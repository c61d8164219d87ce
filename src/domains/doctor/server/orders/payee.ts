import type { Payee } from '../../../../kernel/server/pay/desk.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import { asSystem } from '../../../../kernel/server/command/acting.ts';
import { channelOf, findOrder, noteOrder } from './access.ts';
import { takePayment } from './pay.ts';

/** Payments of consultations: what the payer finds behind his link, and what a channel's notice does. */
export const consultPayee = (kernel: Kernel): Payee => {
  const acting = (writing: Parameters<Parameters<Kernel['transactions']['run']>[1]>[0]) =>
    asSystem(writing, { now: kernel.clock.now(), traceId: 'pay' });
  return {
    prefix: 'ZX',
    open: (orderNo) =>
      kernel.transactions.run('pay', async (writing) => {
        const ctx = acting(writing);
        const order = await findOrder(ctx.tx, { orderNo });
        if (!order) return null;
        const subject = `${order.itemSnapshot.itemName}（订单${order.orderNo}）`;
        if (order.state !== 'WAIT_PAY') return { state: order.state === 'CLOSED' ? 'OVER' : 'PAID', subject };
        if (order.expireAt <= ctx.now) return { state: 'OVER', subject };
        // From here on only the channel knows whether somebody pays.
        if (order.payOpenedAt === null) await noteOrder(ctx.tx, order.id, { payOpenedAt: ctx.now, payResult: 'WAITING' });
        return {
          state: 'OPEN',
          channel: channelOf(order),
          order: { tradeNo: order.orderNo, amountFen: order.payFen, subject, expireAt: order.expireAt },
        };
      }),
    paid: async (code, notice) =>
      void (await kernel.transactions.run('pay', (writing) => takePayment(kernel, acting(writing), code, notice, 'NOTICE'))),
  };
};

import type { CheckedInputOf } from '#kernel/contract/call.ts';
import { refuse } from '#kernel/contract/errors.ts';
import { machineViewer } from '#kernel/server/auth/viewer.ts';
import type { ProcedureContext } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { notifyConsultPay } from '../../contract/calls/consultOrders.ts';
import { doctorErrors } from '../../contract/errors.ts';
import { lockOrder, orderRecords, type OrderRecord } from './access.ts';
import { takePayment } from './pay.ts';

/**
 * A gateway's word is no money: the channel is asked, outside any transaction, and what it says counts, not what the notice says.
 * @throws Refusal SCM90040 for an order that the machine does not see, SCM07071 while the channel does not know, SCM07078 where it knows
 *   of no such payment, SCM07070 for another amount than is due
 */
export async function takeNotice(kernel: Kernel, ctx: ProcedureContext, notice: CheckedInputOf<typeof notifyConsultPay>) {
  const { orderNo, payChannel } = notice;
  const viewer = machineViewer(ctx);
  const order = await ctx.transaction(({ tx }) => lockOrder(tx, { orderNo }, viewer));
  ctx.target({ type: 'doctor.consultOrder', id: order.id, no: orderNo });
  const trade = await kernel.pay.channel(payChannel).query(orderNo);
  if (trade.state === 'UNKNOWN') throw refuse(doctorErrors.PAY_UNKNOWN);
  const { channelTradeNo, amountFen, paidAt } = trade;
  if (
    trade.state !== 'PAID' ||
    channelTradeNo === null ||
    amountFen === null ||
    paidAt === null ||
    channelTradeNo !== notice.channelTradeNo
  )
    throw refuse(doctorErrors.NOT_PAID);
  const taken = await ctx.transaction((writing) =>
    takePayment(kernel, writing, payChannel, { tradeNo: orderNo, channelTradeNo, amountFen, paidAt }, 'INTRANET'),
  );
  return settled(taken, order);
}

/** The refusal keeps the flag and the alert: they were written before it. */
function settled({ outcome, order }: Awaited<ReturnType<typeof takePayment>>, seen: OrderRecord) {
  if (outcome === 'UNKNOWN_ORDER') throw orderRecords.missing();
  if (outcome === 'AMOUNT') throw refuse(doctorErrors.PAY_DIFFERS);
  return { outcome, order: order ?? seen };
}

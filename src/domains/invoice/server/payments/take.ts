import { yuan } from '#kernel/contract/money.ts';
import type { Instant } from '#kernel/contract/time.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { known } from '#kernel/server/money/inquiry.ts';
import type { PayChannelCode } from '#kernel/server/pay/port.ts';
import { paymentSucceeded } from '#events/invoice.ts';
import { invoicePermissions as may } from '../../contract/permissions.ts';
import type { PaymentRecord } from '../access.ts';
import { openRefund } from '../refunds/open.ts';
import { closeOrderPayments } from './kinds.ts';
import { latePayment, lockPaymentNo, movePayment, writePayment } from './move.ts';
import { orders, type Accepted } from './orders.ts';

export interface Received {
  channel: PayChannelCode;
  channelTradeNo: string;
  amountFen: number;
  paidAt: Instant;
}
type Outcome = Accepted | 'REPEATED' | 'TWICE' | 'UNKNOWN_PAYMENT';

const ALERTS: Partial<Record<Outcome, string>> = {
  AMOUNT_DIFFERS: '支付金额与应付金额不一致，订单未标记为已支付',
  TWICE: '同一支付单收到另一笔支付，请联系支付渠道退回',
  UNKNOWN_PAYMENT: '收到未知支付单的支付',
};

async function notifyOutcome(
  kernel: Pick<Kernel, 'ports'>,
  ctx: Acting,
  paymentNo: string,
  received: Received,
  outcome: Outcome,
): Promise<Outcome> {
  const title = ALERTS[outcome];
  if (title === undefined) return outcome;
  await kernel.ports.notices.addAlert(
    ctx.tx,
    {
      businessKey: `invoice.pay.${received.channel}.${received.channelTradeNo}`,
      title,
      body: `支付单${paymentNo}，渠道交易号${received.channelTradeNo}，到账${yuan(received.amountFen)}元`,
      link: '/invoice',
      permission: may['refund.make'].code,
    },
    ctx.now,
  );
  return outcome;
}

const FLAGS = { DUPLICATE: 'DUPLICATE', ENDED: 'LATE', AMOUNT_DIFFERS: 'AMOUNT' } as const;
const REFUNDS = {
  DUPLICATE: { sourceType: 'DUPLICATE_PAY', reason: '订单重复支付，自动退款' },
  ENDED: { sourceType: 'LATE_PAY', reason: '订单关闭后到账，自动退款' },
} as const;

/** The money did not pay the order: it is marked, and goes back unless somebody has to look at the sum. */
async function returnMoney(kernel: Pick<Kernel, 'ports'>, ctx: Acting, payment: PaymentRecord, accepted: Exclude<Accepted, 'ACCEPTED'>) {
  const flagged = await writePayment(ctx, payment, { flag: FLAGS[accepted] });
  if (accepted === 'AMOUNT_DIFFERS') return;
  await openRefund(kernel, ctx, flagged, {
    ...REFUNDS[accepted],
    sourceId: flagged.sourceId,
    amountFen: BigInt(flagged.receivedFen ?? 0),
    way: 'ORIGINAL',
    payee: null,
    maker: null,
  });
}

/**
 * Takes in what a channel says was paid, as often as it says so: the payment is locked, and a trade counts once. The order is paid in the
 * same transaction, after all that is written here.
 */
export async function takePayment(kernel: Kernel, ctx: Acting, paymentNo: string, received: Received): Promise<Outcome> {
  const payment = await lockPaymentNo(ctx.tx, paymentNo);
  if (!payment) return notifyOutcome(kernel, ctx, paymentNo, received, 'UNKNOWN_PAYMENT');
  const { channel, channelTradeNo, amountFen, paidAt } = received;
  if (payment.status === 'SUCCESS')
    return payment.channelTradeNo === channelTradeNo && payment.channel === channel
      ? 'REPEATED'
      : notifyOutcome(kernel, ctx, paymentNo, received, 'TWICE');
  const paid = await movePayment(ctx, payment, 'succeed', {
    receivedFen: String(amountFen),
    channelTradeNo,
    paidAt,
    finishedAt: ctx.now,
    askedAt: ctx.now,
    failReason: null,
    ...known,
  });
  if (payment.unknownSince !== null) await kernel.ports.notices.closeTodo(ctx.tx, latePayment(payment).businessKey, ctx.now);
  const accepted = await orders.acceptPayment(kernel, ctx, { orderId: payment.sourceId, paymentNo, channel, amountFen, paidAt });
  if (accepted === 'ACCEPTED') {
    await ctx.publish(paymentSucceeded, payment.id, {
      paymentNo,
      kind: payment.kind,
      sourceType: payment.sourceType,
      sourceId: payment.sourceId,
      sourceNo: payment.sourceNo,
      amount: amountFen,
      at: paidAt,
    });
    // Nobody is to pay it again by another channel.
    await ctx.enqueue(closeOrderPayments, { orderId: payment.sourceId });
    return accepted;
  }
  await returnMoney(kernel, ctx, paid, accepted);
  return notifyOutcome(kernel, ctx, paymentNo, received, accepted);
}

import { asSystem } from '#kernel/server/command/acting.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { job } from '#kernel/server/jobs/declaration.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { RefundAnswer } from '#kernel/server/pay/port.ts';
import { channelKey } from '../../contract/rules/refund.ts';
import type { Asking } from '../payments/close.ts';
import { sendRefundKind } from './kinds.ts';
import { lockRefund, moveRefund, writeRefund } from './move.ts';
import { settleRefund } from './settle.ts';

/** SEND: nobody sent it yet; AGAIN: it may have been lost on its way out; ASK: the channel did not know, it is only asked. */
type Step = 'SEND' | 'AGAIN' | 'ASK';

/** Marks that it is sent before it is, so that nobody takes what was lost for what was never sent. Null: there is nothing to send. */
export async function beginSending(ctx: Acting, refundId: string) {
  const { payment, refund } = await lockRefund(ctx.tx, refundId);
  if (refund.way !== 'ORIGINAL') return null;
  const of = (step: Step) => ({
    step,
    attempt: refund.attempt,
    channel: payment.channel,
    key: channelKey(refund.refundNo, refund.attempt),
    tradeNo: payment.paymentNo,
    amountFen: Number(refund.amountFen),
    totalFen: Number(payment.receivedFen),
    reason: refund.reason,
  });
  if (refund.status === 'UNKNOWN') return of('ASK');
  if (refund.status === 'APPROVED' && refund.byItself) {
    await moveRefund(ctx, refund, 'send', { sentAt: ctx.now });
    return of('SEND');
  }
  if (refund.status !== 'PROCESSING') return null;
  if (refund.sentAt !== null) return of('AGAIN');
  await writeRefund(ctx, refund, { sentAt: ctx.now });
  return of('SEND');
}

/** Sends a refund or asks what became of it, outside any transaction, and brings the answer in. */
export async function askRefund(kernel: Kernel, asking: Asking, refundId: string): Promise<void> {
  const begun = await asking.transaction((ctx) => beginSending(ctx, refundId));
  if (begun === null) return;
  const { step, attempt, key, tradeNo, amountFen, totalFen, reason } = begun;
  const channel = kernel.pay.channel(begun.channel);
  let answer: RefundAnswer | null = step === 'SEND' ? null : await channel.queryRefund(tradeNo, key);
  if (answer === null && step !== 'ASK') answer = await channel.refund({ tradeNo, refundNo: key, amountFen, totalFen, reason });
  await asking.transaction((ctx) => settleRefund(kernel, ctx, { refundId, attempt }, answer));
}

export const sendRefundJob = job<{ refundId: string }>({
  ...sendRefundKind,
  run: ({ refundId }, ctx) =>
    askRefund(ctx.kernel, { db: ctx.db, transaction: (work) => ctx.transaction((writing) => work(asSystem(writing, ctx))) }, refundId),
});

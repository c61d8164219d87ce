import { hours } from '#kernel/contract/time.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { addLateTodo, known, stillOpen } from '#kernel/server/money/inquiry.ts';
import type { RefundAnswer } from '#kernel/server/pay/port.ts';
import { refundSucceeded } from '#events/invoice.ts';
import { type RefundRecord } from '../access.ts';
import { noteOutcome } from '../batches/outcome.ts';
import { writePayment } from '../payments/move.ts';
import { lockRefund, moveRefund, reserve, writeRefund, type LockedRefund, type RefundChange } from './move.ts';
import { eventOf, lateRefund, publishFailed } from './failures.ts';

type Ports = Pick<Kernel, 'ports'>;
/** What a channel has never seen failed once it was unknown for so long, and was asked for so often. */
const NEVER_SEEN_MS = hours(2);
const NEVER_SEEN_TIMES = 2;

const closeLate = async ({ ports }: Ports, ctx: Acting, refund: RefundRecord): Promise<void> => {
  if (refund.unknownSince !== null) await ports.notices.closeTodo(ctx.tx, lateRefund(refund).businessKey, ctx.now);
};

/** The money is back with the payer. */
export async function succeed(
  kernel: Ports,
  ctx: Acting,
  { batch, payment, refund }: LockedRefund,
  action: 'succeed' | 'confirm',
  change: RefundChange,
  opinion?: string,
): Promise<RefundRecord> {
  const moved = await moveRefund(ctx, refund, action, { refundedAt: ctx.now, failReason: null, ...change, ...known }, opinion);
  await writePayment(ctx, payment, { refundedFen: String(BigInt(payment.refundedFen) + BigInt(refund.amountFen)) });
  await noteOutcome(ctx, batch, refund.id, 'SUCCESS', null);
  await closeLate(kernel, ctx, refund);
  await ctx.publish(refundSucceeded, refund.id, eventOf(moved));
  return moved;
}

/** It did not go back: what was reserved for it is free again, and somebody has to go on with it. */
export async function fail(
  kernel: Ports,
  ctx: Acting,
  { batch, payment, refund }: LockedRefund,
  action: 'fail' | 'returned',
  failReason: string,
): Promise<RefundRecord> {
  const moved = await moveRefund(ctx, refund, action, { failReason, ...known }, failReason);
  await reserve(ctx, payment, -BigInt(refund.amountFen));
  await noteOutcome(ctx, batch, refund.id, 'FAILED', failReason);
  await closeLate(kernel, ctx, refund);
  await publishFailed(kernel, ctx, moved, failReason);
  return moved;
}

async function stayOpen(kernel: Ports, ctx: Acting, { batch, refund }: LockedRefund, change: RefundChange): Promise<void> {
  const open = stillOpen(refund.unknownSince, ctx.now);
  if (refund.status === 'UNKNOWN') await writeRefund(ctx, refund, { ...change, ...open });
  else {
    await moveRefund(ctx, refund, 'lose', { ...change, ...open });
    await noteOutcome(ctx, batch, refund.id, null, null);
  }
  await addLateTodo(kernel, ctx.tx, open, lateRefund(refund), ctx.now);
}

/**
 * Brings in what the channel says of a refund that was sent; an answer to one that is settled, or was sent anew since, changes nothing.
 * @param answer null: the channel has never seen it
 */
export async function settleRefund(
  kernel: Ports,
  ctx: Acting,
  sent: { refundId: string; attempt: number },
  answer: RefundAnswer | null,
): Promise<void> {
  const locked = await lockRefund(ctx.tx, sent.refundId);
  const { refund } = locked;
  if (refund.attempt !== sent.attempt || (refund.status !== 'PROCESSING' && refund.status !== 'UNKNOWN')) return;
  if (answer === null) {
    const notFoundTimes = refund.notFoundTimes + 1;
    const openMs = refund.unknownSince === null ? 0 : Date.parse(ctx.now) - Date.parse(refund.unknownSince);
    if (openMs >= NEVER_SEEN_MS && notFoundTimes >= NEVER_SEEN_TIMES)
      return void (await fail(kernel, ctx, locked, 'fail', '支付渠道没有这笔退款'));
    return stayOpen(kernel, ctx, locked, { notFoundTimes });
  }
  if (answer.state === 'SUCCESS')
    return void (await succeed(kernel, ctx, locked, 'succeed', { channelRefundNo: answer.channelRefundNo, notFoundTimes: 0 }));
  if (answer.state === 'FAILED') return void (await fail(kernel, ctx, locked, 'fail', answer.failReason ?? '支付渠道拒绝退款'));
  return stayOpen(kernel, ctx, locked, { notFoundTimes: 0 });
}

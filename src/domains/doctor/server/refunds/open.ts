import { nextNumber } from '#kernel/server/command/numbers.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { RefundReason } from '../../contract/dictionaries.ts';
import { consultRefundMachine } from '../../contract/orderStates.ts';
import { refundOf, type RefundCalc } from '../../contract/rules/refund.ts';
import { dayOf } from '#kernel/contract/time.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { json, ownTx } from '../database.ts';
import { moveOrder, refundedOrder, publishRefunded } from '../orders/move.ts';
import { REFUND_TARGET, type OrderRecord } from '../orders/access.ts';
import { sendRefund } from './sendJob.ts';

/** What a reason gives back of an order today. */
export const calcOf = (order: OrderRecord, reason: RefundReason, today: string): RefundCalc =>
  refundOf(reason, {
    billing: order.itemSnapshot.billing,
    payFen: order.payFen,
    refundedFen: order.refundedFen,
    replied: order.firstReplyAt !== null,
    usedReplies: order.usedReplies,
    quotaReplies: order.itemSnapshot.quotaReplies,
    startedOn: order.acceptedAt === null ? null : dayOf(order.acceptedAt),
    periodDays: order.itemSnapshot.periodDays,
    today,
  });

interface NewRefund {
  amountFen: number;
  calc: RefundCalc;
  reason: RefundReason;
  opinion: string;
  patientNote?: string | null;
  makerId?: string | null;
  /** Waits for a second person. */
  applied?: boolean;
}

/** Writes a refund of a locked order; without a second person its way to the channel begins with the commit. */
export async function openRefund(ctx: Acting, order: OrderRecord, refund: NewRefund) {
  const state = refund.applied ? ('APPLIED' as const) : ('PENDING' as const);
  const refundNo = await nextNumber(ctx.tx, 'ZT', ctx.today);
  const row = await ownTx(ctx.tx)
    .insertInto('doctorConsultRefund')
    .values({
      refundNo,
      orderId: order.id,
      amountFen: String(refund.amountFen),
      calc: json(refund.calc),
      reason: refund.reason,
      opinion: refund.opinion,
      patientNote: refund.patientNote ?? null,
      makerId: refund.makerId ?? null,
      state,
      createdAt: ctx.now,
      createdBy: refund.makerId ?? null,
      updatedAt: ctx.now,
    })
    .returning(['id', 'version'])
    .executeTakeFirstOrThrow();
  await moveState(ctx, consultRefundMachine, {
    targetType: REFUND_TARGET,
    targetId: row.id,
    targetNo: refundNo,
    action: 'apply',
    from: state,
    opinion: refund.opinion,
  });
  if (state === 'PENDING') await ctx.enqueue(sendRefund, { refundId: row.id });
  return { ...row, refundNo, state };
}

/**
 * The service came to nothing, or the patient leaves it: money goes back by R8 without a second person.
 * @returns fen that go back; 0 where the rule gives nothing and the order stays as it is.
 */
export async function refundBySystem(
  ctx: Acting,
  order: OrderRecord,
  reason: RefundReason,
  opinion: string,
): Promise<{ order: OrderRecord; refundFen: number }> {
  const calc = calcOf(order, reason, ctx.today);
  const isFree = order.payFen === 0 && (calc.rule === 'ALL' || reason === 'PATIENT');
  if (calc.proposedFen === 0 && !isFree) return { order, refundFen: 0 };
  const from = order.state === 'SERVING' ? 'SERVING' : 'PAID';
  const refunding = await moveOrder(ctx, order, 'systemRefund', { stateBefore: from }, opinion);
  if (calc.proposedFen === 0) {
    const done = await refundedOrder(ctx, refunding, 0);
    await publishRefunded(ctx, done, { refundNo: done.orderNo, refundFen: 0 });
    return { order: done, refundFen: 0 };
  }
  await openRefund(ctx, refunding, { amountFen: calc.proposedFen, calc, reason, opinion });
  return { order: refunding, refundFen: calc.proposedFen };
}

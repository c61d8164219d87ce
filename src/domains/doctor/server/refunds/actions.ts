import { days, plusMs } from '#kernel/contract/time.ts';
import { yuan } from '#kernel/contract/money.ts';
import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { command, query, type Handler } from '#kernel/server/handler.ts';
import { doctorErrors } from '../../contract/errors.ts';
import { consultOrderMachine, consultRefundMachine } from '../../contract/orderStates.ts';
import { addConsultRefund, auditConsultRefund, previewConsultRefund } from '../../contract/calls/refunds.ts';
import { activeServiceConfig } from '../config/active.ts';
import { own, ownTx } from '../database.ts';
import { orderRecords, lockOrder, REFUND_TARGET, type OrderRecord } from '../orders/access.ts';
import { moveOrder } from '../orders/move.ts';
import { calcOf, openRefund } from './open.ts';
import { lockSeenRefund } from './result.ts';
import { sendRefund } from './sendJob.ts';
import { orderBack } from './settle.ts';

const DAYS_AFTER = 7;

function requireRefundable(order: OrderRecord, now: string): void {
  if (order.state === 'REFUNDING') throw refuse(doctorErrors.REFUND_OPEN);
  if (!consultOrderMachine.canStart('refund', order.state))
    throw refuse(platformErrors.WRONG_STATE, { state: consultOrderMachine.states[order.state].label });
  if (order.completedAt !== null && plusMs(order.completedAt, days(DAYS_AFTER)) < now) throw refuse(doctorErrors.REFUND_TOO_LATE);
}

/** What of an order people gave back without a second person, in fen. */
async function unchecked(db: Db | Tx, orderId: string): Promise<number> {
  const { sum } = await own(db)
    .selectFrom('doctorConsultRefund')
    .select(({ fn }) => fn.sum<string | null>('amountFen').as('sum'))
    .where('orderId', '=', orderId)
    .where('makerId', 'is not', null)
    .where('checkerId', 'is', null)
    .where('state', 'not in', ['REJECTED', 'FAILED'])
    .executeTakeFirstOrThrow();
  return Number(sum ?? 0);
}

export const refundHandlers: readonly Handler[] = [
  query(previewConsultRefund, async ({ orderId, reason }, ctx) => {
    const order = await orderRecords.get(ctx.db, ctx.staff, orderId);
    requireRefundable(order, ctx.now);
    const { refundAutoFen } = await activeServiceConfig(ctx.db, ctx.now);
    return { calc: calcOf(order, reason, ctx.today), autoFen: Math.max(0, refundAutoFen - (await unchecked(ctx.db, orderId))) };
  }),

  command(addConsultRefund, async ({ orderId, amountFen, reason, opinion, patientNote }, ctx) => {
    const order = await lockOrder(ctx.tx, { id: orderId }, ctx.staff);
    requireRefundable(order, ctx.now);
    const calc = calcOf(order, reason, ctx.today);
    if (amountFen > calc.limitFen) throw refuse(doctorErrors.REFUND_TOO_MUCH, { yuan: yuan(calc.limitFen) });
    const { refundAutoFen } = await activeServiceConfig(ctx.tx, ctx.now);
    const stateBefore = order.state as 'PAID' | 'SERVING' | 'COMPLETED';
    const refunding = await moveOrder(ctx, order, 'refund', { stateBefore }, opinion);
    const { id, refundNo, state, version } = await openRefund(ctx, refunding, {
      amountFen,
      calc,
      reason,
      opinion,
      patientNote: patientNote || null,
      makerId: ctx.staff.userId,
      // Many small refunds of an order are one large one.
      applied: (await unchecked(ctx.tx, orderId)) + amountFen > refundAutoFen,
    });
    return { id, refundNo, state, version, allowedActions: [] };
  }),

  command(auditConsultRefund, async ({ refundId, action, opinion }, ctx) => {
    const { order, refund } = await lockSeenRefund(ctx, refundId);
    if (action === 'reject' && !opinion?.trim()) throw refuseField('opinion', '请填写意见');
    const state = await moveState(ctx, consultRefundMachine, {
      targetType: REFUND_TARGET,
      targetId: refundId,
      targetNo: refund.refundNo,
      action,
      from: refund.state,
      opinion,
      contributors: [refund.makerId],
    });
    await ownTx(ctx.tx)
      .updateTable('doctorConsultRefund')
      .set({
        state,
        checkerId: ctx.staff.userId,
        checkOpinion: opinion ?? null,
        version: refund.version + 1,
        updatedAt: ctx.now,
        ...(action === 'reject' && { finishedAt: ctx.now }),
      })
      .where('id', '=', refundId)
      .execute();
    if (action === 'approve') await ctx.enqueue(sendRefund, { refundId });
    else await orderBack(ctx, order, order.refundedFen, `退款申请被驳回：${opinion}`);
    return { id: refundId, refundNo: refund.refundNo, state, version: refund.version + 1, allowedActions: [] };
  }),
];

import type * as z from 'zod/mini';
import { hours, plusMs } from '#kernel/contract/time.ts';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import type { advanceConsultOrderInput } from '../../contract/calls/consultOrders.ts';
import { advanceSteps } from '../../contract/dictionaries.ts';
import { doctorErrors } from '../../contract/errors.ts';
import { consultOrderMachine } from '../../contract/orderStates.ts';
import { ownTx } from '../database.ts';
import { refundBySystem } from '../refunds/open.ts';
import { lockOrder, writeOrder, type OrderRecord } from './access.ts';
import { closeOrder, completeOrder, moveOrder } from './move.ts';

type Input = z.output<typeof advanceConsultOrderInput>;
type Advanced = { order: OrderRecord; refundFen: number };

const wrongState = (order: OrderRecord) => refuse(platformErrors.WRONG_STATE, { state: consultOrderMachine.states[order.state].label });
/** While money is on its way back the service may still go on. */
const isServed = (order: OrderRecord) => order.state === 'SERVING' || (order.state === 'REFUNDING' && order.stateBefore === 'SERVING');

async function take(ctx: Acting, order: OrderRecord, { step, usedReplies }: Input): Promise<Advanced> {
  const stays = (next: OrderRecord): Advanced => ({ order: next, refundFen: 0 });
  const used = Math.max(order.usedReplies, usedReplies);
  switch (step) {
    case 'ACCEPT':
      return stays(
        await moveOrder(ctx, order, 'accept', { acceptedAt: ctx.now, replyDueAt: plusMs(ctx.now, hours(order.itemSnapshot.replyHours)) }),
      );
    case 'FIRST_REPLY':
    case 'REPLY': {
      if (!isServed(order)) throw wrongState(order);
      const change = { usedReplies: used, firstReplyAt: order.firstReplyAt ?? ctx.now };
      return stays(
        order.state === 'SERVING' ? await moveOrder(ctx, order, 'reply', change) : await writeOrder(ctx.tx, order, ctx.now, change),
      );
    }
    case 'COMPLETE':
      // A refund in between is waited for, so that the income is told with what was given back.
      if (order.state === 'REFUNDING' && order.stateBefore === 'SERVING')
        return stays(await writeOrder(ctx.tx, order, ctx.now, { completePending: true, usedReplies: used }));
      return stays(await completeOrder(ctx, { ...order, usedReplies: used }));
    case 'NO_ACCEPT':
      if (order.state !== 'PAID') throw wrongState(order);
      return refundBySystem(ctx, order, step, advanceSteps.label(step));
    case 'NO_REPLY':
      if (order.state !== 'SERVING' || order.firstReplyAt !== null) throw wrongState(order);
      return refundBySystem(ctx, order, step, advanceSteps.label(step));
    case 'DOCTOR_REFUSE':
      if (order.state !== 'PAID' && order.state !== 'SERVING') throw wrongState(order);
      return refundBySystem(ctx, order, step, advanceSteps.label(step));
    case 'PATIENT':
      if (order.state === 'WAIT_PAY') {
        if (order.payResult === 'UNKNOWN') throw refuse(doctorErrors.PAY_UNKNOWN);
        return stays(await closeOrder(ctx, order, { action: 'timeout', reason: 'PATIENT', opinion: '患者取消' }));
      }
      if (order.state !== 'PAID' && order.state !== 'SERVING') throw wrongState(order);
      return refundBySystem(ctx, { ...order, usedReplies: used }, step, advanceSteps.label(step));
  }
}

/**
 * Consultation reports how a service goes on, in its own transaction. The same step with the same number of replies counts once.
 * @throws Refusal SCM90031 when the order is not where the step belongs; SCM07071 while a payment's outcome is open.
 */
export async function advanceConsultOrder(ctx: Acting, input: Input): Promise<Advanced & { repeated: boolean }> {
  const order = await lockOrder(ctx.tx, { id: input.orderId });
  const fresh = await ownTx(ctx.tx)
    .insertInto('doctorConsultStep')
    .values({ orderId: order.id, step: input.step, usedReplies: input.usedReplies, at: ctx.now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('step')
    .executeTakeFirst();
  if (!fresh) return { order, refundFen: 0, repeated: true };
  return { ...(await take(ctx, order, input)), repeated: false };
}

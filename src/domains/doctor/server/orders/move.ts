import { releaseVip } from '../../../channel/server/index.ts';
import { moveState } from '../../../../kernel/server/audit/transition.ts';
import type { Acting } from '../../../../kernel/server/command/acting.ts';
import { consultOrderMachine } from '../../contract/orderStates.ts';
import { freePlace } from '../assistants/load.ts';
import { freeSlot } from '../openings/slots.ts';
import { ORDER_TARGET, writeOrder, type OrderRecord } from './access.ts';
import { publishClosed, publishCompleted } from './publish.ts';

type Action = keyof typeof consultOrderMachine.transitions & string;

/** Takes a transition of an order and writes what comes with it. */
export async function moveOrder(
  ctx: Acting,
  order: OrderRecord,
  action: Action,
  change: Partial<OrderRecord> = {},
  opinion?: string,
): Promise<OrderRecord> {
  const state = await moveState(ctx, consultOrderMachine, {
    targetType: ORDER_TARGET,
    targetId: order.id,
    targetNo: order.orderNo,
    action,
    from: order.state,
    opinion,
  });
  return writeOrder(ctx.tx, order, ctx.now, { ...change, state });
}

/** Gives the booked time back. */
export async function releaseSlot(ctx: Acting, order: OrderRecord): Promise<Partial<OrderRecord>> {
  if (!order.slotHeld || order.slotAt === null) return {};
  await freeSlot(ctx, order.openingId, order.slotAt);
  return { slotHeld: false };
}

export type CloseReason = 'TIMEOUT' | 'STAFF' | 'PATIENT' | 'DOCTOR_DISABLED';

/** An unpaid order ends: time and discount are free again. */
export async function closeOrder(
  ctx: Acting,
  order: OrderRecord,
  how: { action: 'timeout' | 'cancel'; reason: CloseReason; opinion?: string | undefined },
): Promise<OrderRecord> {
  const closed = await moveOrder(
    ctx,
    order,
    how.action,
    { ...(await releaseSlot(ctx, order)), closeReason: how.reason, endedAt: ctx.now },
    how.opinion,
  );
  await releaseVip(ctx.tx, order.id, ctx.now);
  await publishClosed(ctx, closed);
  return closed;
}

/** The service is over and its income stands. */
export async function completeOrder(ctx: Acting, order: OrderRecord): Promise<OrderRecord> {
  const done = await moveOrder(ctx, order, 'complete', {
    ...(await releaseSlot(ctx, order)),
    completedAt: ctx.now,
    endedAt: order.endedAt ?? ctx.now,
    completePending: false,
  });
  await publishCompleted(ctx, done);
  return done;
}

/** Everything was given back: nothing of the order holds any longer. */
export async function refundedOrder(ctx: Acting, order: OrderRecord, refundedFen: number): Promise<OrderRecord> {
  const done = await moveOrder(ctx, order, 'refundedAll', {
    ...(await releaseSlot(ctx, order)),
    refundedFen,
    stateBefore: null,
    completePending: false,
    endedAt: order.endedAt ?? ctx.now,
  });
  await releaseVip(ctx.tx, order.id, ctx.now);
  if (order.inquiryId === null) await freePlace(ctx, order.id);
  return done;
}

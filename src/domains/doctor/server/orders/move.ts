import { releaseVip } from '#domains/channel/server/index.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { consultOrderMachine } from '../../contract/orderStates.ts';
import { freePlace } from '../assistants/load.ts';
import { freeSlot } from '../openings/slots.ts';
import { ORDER_TARGET, writeOrder, type OrderRecord } from './access.ts';
import { consultOrderClosed, consultOrderCompleted, consultOrderPaid, consultOrderRefunded } from '#events/doctor.ts';

const orderPayload = (order: OrderRecord, at: string) => {
  const { refundRuleCode: _rule, ...itemSnapshot } = order.itemSnapshot;
  return {
    orderId: order.id,
    orderNo: order.orderNo,
    doctorId: order.doctorId,
    patientId: order.patientId,
    itemId: order.itemId,
    itemSnapshot,
    slotAt: order.slotAt,
    assistantId: order.assistantId,
    payFen: order.payFen,
    channelId: order.channelId,
    scanId: order.scanId,
    at,
  };
};
const incomePayload = (order: OrderRecord, at: string) => ({
  orderId: order.id,
  orderNo: order.orderNo,
  doctorId: order.doctorId,
  patientId: order.patientId,
  itemId: order.itemId,
  serviceType: order.itemType,
  productLineId: order.productLineId,
  payFen: order.payFen,
  listFen: order.priceFen,
  refundedFen: order.refundedFen,
  channelId: order.channelId,
  agentId: order.agentId,
  at,
});

export const publishPaid = (ctx: Acting, order: OrderRecord) => ctx.publish(consultOrderPaid, order.id, orderPayload(order, ctx.now));
const publishClosed = (ctx: Acting, order: OrderRecord) => ctx.publish(consultOrderClosed, order.id, orderPayload(order, ctx.now));
const publishCompleted = (ctx: Acting, order: OrderRecord) => ctx.publish(consultOrderCompleted, order.id, incomePayload(order, ctx.now));
export const publishRefunded = (ctx: Acting, order: OrderRecord, refund: { refundNo: string; refundFen: number }) =>
  ctx.publish(consultOrderRefunded, order.id, {
    ...incomePayload(order, order.completedAt ?? ctx.now),
    ...refund,
    result: order.refundedFen === order.payFen ? 'ALL' : 'PART',
    refundedAt: ctx.now,
  });

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
async function releaseSlot(ctx: Acting, order: OrderRecord): Promise<Partial<OrderRecord>> {
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

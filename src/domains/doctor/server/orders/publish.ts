import type { Acting } from '../../../../kernel/server/command/acting.ts';
import { consultOrderClosed, consultOrderCompleted, consultOrderPaid, consultOrderRefunded } from '../../../../events/doctor.ts';
import type { OrderRecord } from './access.ts';

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
export const publishClosed = (ctx: Acting, order: OrderRecord) => ctx.publish(consultOrderClosed, order.id, orderPayload(order, ctx.now));
export const publishCompleted = (ctx: Acting, order: OrderRecord) =>
  ctx.publish(consultOrderCompleted, order.id, incomePayload(order, ctx.now));
export const publishRefunded = (ctx: Acting, order: OrderRecord, refund: { refundNo: string; refundFen: number }) =>
  ctx.publish(consultOrderRefunded, order.id, {
    ...incomePayload(order, order.completedAt ?? ctx.now),
    ...refund,
    result: order.refundedFen === order.payFen ? 'ALL' : 'PART',
    refundedAt: ctx.now,
  });

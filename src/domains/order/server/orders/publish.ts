import { manualOrderPosted, orderCancelled, orderClosed, orderCompleted, orderCreated, orderPaid, refundApproved } from '#events/order.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import type { Tx } from '#kernel/server/context.ts';
import { orderMachine } from '../../contract/orderStates.ts';
import { fundingsOf, linesOf, type OrderRecord } from './access.ts';

/** What every event of an order says of it. */
export const headOf = (order: OrderRecord, at: string) => ({
  orderId: order.id,
  orderNo: order.orderNo,
  bizLine: order.bizLine,
  orderType: order.orderType,
  patientId: order.patientId,
  contractId: order.contractId,
  claimOrderId: order.claimOrderId,
  drugstoreId: order.drugstoreId,
  drugstoreName: order.drugstoreName,
  suggestNo: order.suggestNo,
  payFen: Number(order.payableFen),
  orderTime: order.createdAt,
  statusCode: order.state,
  statusName: orderMachine.states[order.state].label,
  at,
});

/** The lines of an order with what each kind of instrument pays of them. */
export async function eventLines(tx: Tx, orderId: string) {
  const lines = await linesOf(tx, orderId);
  const fundings = await fundingsOf(tx, orderId);
  const shareOf = (orderLineId: string, kinds: readonly string[]) =>
    fundings
      .filter(({ kind }) => kinds.includes(kind))
      .flatMap(({ shares }) => shares)
      .filter((share) => share.orderLineId === orderLineId)
      .reduce((sum, { amountFen }) => sum + amountFen, 0);
  return lines.map((line) => ({
    orderLineId: line.id,
    lineNo: line.lineNo,
    medicineId: line.medicineId,
    goodsCode: line.goodsCode,
    goodsName: line.goodsName,
    spec: line.spec,
    quantity: line.quantity,
    daysSupply: line.daysSupply,
    amount: Number(line.amountFen),
    benefitShare: shareOf(line.id, ['BENEFIT']),
    cardShare: shareOf(line.id, ['STORED_VALUE']),
    couponShare: shareOf(line.id, ['COUPON']),
    selfPayShare: shareOf(line.id, ['CASH']) - Number(line.freightFen),
    freightShare: Number(line.freightFen),
    taxCode: line.taxCode,
    taxRateBp: line.taxRateBp,
    taxScheme: line.taxScheme,
    traceCodes: line.traceCodes,
  }));
}
type EventLine = Awaited<ReturnType<typeof eventLines>>[number];

export const publishCreated = (ctx: Acting, order: OrderRecord) => ctx.publish(orderCreated, order.id, headOf(order, ctx.now));

export const publishPaid = async (ctx: Acting, order: OrderRecord) =>
  ctx.publish(orderPaid, order.id, {
    ...headOf(order, ctx.now),
    selfPayAmount: Number(order.selfPayFen),
    cardAmount: Number(order.cardFen),
    lines: await eventLines(ctx.tx, order.id),
  });

export const publishCompleted = async (ctx: Acting, order: OrderRecord) =>
  ctx.publish(orderCompleted, order.id, {
    ...headOf(order, ctx.now),
    insurerId: order.insurerId,
    productCode: order.productCode,
    lines: await eventLines(ctx.tx, order.id),
  });

export const publishPosted = async (ctx: Acting, order: OrderRecord, manualNo: string) =>
  ctx.publish(manualOrderPosted, order.id, { ...headOf(order, ctx.now), manualNo, lines: await eventLines(ctx.tx, order.id) });

export const publishCancelled = async (ctx: Acting, order: OrderRecord) =>
  ctx.publish(orderCancelled, order.id, {
    ...headOf(order, ctx.now),
    reasonCode: order.cancelReason ?? '',
    paid: order.paidAt !== null,
    lines: await eventLines(ctx.tx, order.id),
  });

export const publishClosed = async (ctx: Acting, order: OrderRecord, reasonCode: string) =>
  ctx.publish(orderClosed, order.id, { ...headOf(order, ctx.now), reasonCode, lines: await eventLines(ctx.tx, order.id) });

interface Refund {
  afterSaleId: string;
  cause: 'AFTER_SALE' | 'CANCEL';
  paymentNo: string | null;
  lines: readonly EventLine[];
  cashAmount: number;
  benefitAmount: number;
  cardAmount: number;
}
/** Money goes back: cash by the cashier, the benefit by claims, cards by this domain itself. */
export const publishRefund = (ctx: Acting, order: OrderRecord, { lines, ...refund }: Refund) =>
  ctx.publish(refundApproved, order.id, { ...headOf(order, ctx.now), ...refund, lines: [...lines] });

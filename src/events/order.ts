import * as z from 'zod/mini';
import { textOrNull } from '#kernel/contract/fields.ts';
import { event } from '#kernel/contract/event.ts';

const id = z.string();
const idOrNull = z.nullable(id);
const text = z.string();
const fen = z.int();

/** What every event of an order says of it. */
const head = {
  orderId: id,
  orderNo: text,
  bizLine: text,
  orderType: text,
  patientId: id,
  contractId: idOrNull,
  claimOrderId: idOrNull,
  drugstoreId: idOrNull,
  drugstoreName: textOrNull,
  suggestNo: textOrNull,
  payFen: fen,
  orderTime: text,
  statusCode: text,
  statusName: text,
  at: text,
};
/** Quantity and shares of what the event is about. */
const line = z.strictObject({
  orderLineId: id,
  lineNo: z.int(),
  medicineId: idOrNull,
  goodsCode: text,
  goodsName: text,
  spec: text,
  quantity: z.int(),
  daysSupply: z.nullable(z.int()),
  amount: fen,
  benefitShare: fen,
  cardShare: fen,
  couponShare: fen,
  selfPayShare: fen,
  freightShare: fen,
  taxCode: textOrNull,
  taxRateBp: z.nullable(z.int()),
  taxScheme: textOrNull,
  traceCodes: z.array(text),
});
const lines = z.array(line);

export const orderCreated = event('order.order.created', z.strictObject(head));
export const orderPaid = event('order.order.paid', z.strictObject({ ...head, selfPayAmount: fen, cardAmount: fen, lines }));
export const orderCompleted = event(
  'order.order.completed',
  z.strictObject({ ...head, insurerId: idOrNull, productCode: textOrNull, lines }),
);
export const orderCancelled = event('order.order.cancelled', z.strictObject({ ...head, reasonCode: text, paid: z.boolean(), lines }));
/** Everything refunded; the money went by `order.refund.approved`. */
export const orderClosed = event('order.order.closed', z.strictObject({ ...head, reasonCode: text, lines }));
/** Money of an order goes back: `paymentNo` is the payment that brought the cash, where there was any. */
export const refundApproved = event(
  'order.refund.approved',
  z.strictObject({
    ...head,
    afterSaleId: id,
    cause: z.enum(['AFTER_SALE', 'CANCEL']),
    paymentNo: textOrNull,
    lines,
    cashAmount: fen,
    benefitAmount: fen,
    cardAmount: fen,
  }),
);
export const fulfilmentShipped = event(
  'order.fulfilment.shipped',
  z.strictObject({ ...head, fulfilmentNo: text, carrierCode: textOrNull, waybillNo: textOrNull, lines }),
);
export const fulfilmentSigned = event('order.fulfilment.signed', z.strictObject({ ...head, fulfilmentNo: text }));
/** A purchase outside of the system became an order; told after it was paid and completed. */
export const manualOrderPosted = event('order.manualOrder.posted', z.strictObject({ ...head, manualNo: text, lines }));

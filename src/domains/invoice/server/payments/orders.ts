import type { Instant } from '#kernel/contract/time.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import type { Tx } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';

// What invoice asks of orders.

export interface PayableOrder {
  orderId: string;
  orderNo: string;
  patientId: string;
  title: string;
  statusCode: string;
  payFen: number;
  payDeadline: Instant | null;
}
/** ENDED: cancelled or closed; DUPLICATE: paid already by another payment; AMOUNT_DIFFERS: an exception of the order was opened. */
export type Accepted = 'ACCEPTED' | 'DUPLICATE' | 'ENDED' | 'AMOUNT_DIFFERS';
interface OrderPayment {
  orderId: string;
  paymentNo: string;
  channel: string;
  amountFen: number;
  paidAt: Instant;
}
interface Orders {
  payableOrder(tx: Tx, orderId: string): Promise<PayableOrder | null>;
  acceptPayment(kernel: Kernel, ctx: Acting, payment: OrderPayment): Promise<Accepted>;
}

/** No order is sold yet. */
export const orders: Orders = {
  payableOrder: () => Promise.resolve(null),
  acceptPayment: () => Promise.resolve('ENDED'),
};

import { acceptPayment, payableOrder } from '#domains/order/server/index.ts';

export type { PayableOrder, PaymentAnswer as Accepted } from '#domains/order/server/index.ts';

/** What the cashier asks of orders, in one place: tests of the cashier alone play them. */
export const orders = { payableOrder, acceptPayment };

/** All that other domains may use of order on the server. */
export { acceptPayment, payableOrder, type PayableOrder, type PaymentAnswer } from './orders/pay.ts';

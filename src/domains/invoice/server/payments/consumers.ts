import { orderCancelled } from '#events/order.ts';
import { consumer } from '#kernel/server/outbox/consumer.ts';
import { closeOrderPayments } from './kinds.ts';

/** Nobody is to pay an order that is over. */
export const orderConsumers = [
  consumer('invoice', orderCancelled, ({ payload }, ctx) => ctx.enqueue(closeOrderPayments, { orderId: payload.orderId })),
];

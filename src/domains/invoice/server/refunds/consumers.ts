import { refundApproved } from '#events/order.ts';
import { asSystem } from '#kernel/server/command/acting.ts';
import { consumer } from '#kernel/server/outbox/consumer.ts';
import { refundAfterSale } from './afterSale.ts';

/** Cash that order decided to give back. */
export const afterSaleConsumers = [
  consumer('invoice', refundApproved, ({ payload }, ctx) => refundAfterSale(ctx.kernel, asSystem(ctx, ctx), payload)),
];

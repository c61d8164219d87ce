import { vi } from 'vitest';
import { hours, plusMs } from '#kernel/contract/time.ts';
import type { TestApp } from '#testing/testApp.ts';
import { orders, type PayableOrder } from '../payments/orders.ts';

let counter = 0;
interface TestOrder extends PayableOrder {
  paidBy: string | null;
}
const made = new Map<string, TestOrder>();

/** Orders of a test, as the cashier sees them. */
export function playOrders(): void {
  vi.spyOn(orders, 'payableOrder').mockImplementation((_tx, orderId) => Promise.resolve(made.get(orderId) ?? null));
  vi.spyOn(orders, 'acceptPayment').mockImplementation((_kernel, _ctx, { orderId, paymentNo, amountFen }) => {
    const order = made.get(orderId);
    if (!order || order.statusCode === 'CANCELLED') return Promise.resolve('ENDED');
    if (order.paidBy !== null) return Promise.resolve(order.paidBy === paymentNo ? 'ACCEPTED' : 'DUPLICATE');
    if (amountFen !== order.payFen) return Promise.resolve('AMOUNT_DIFFERS');
    order.paidBy = paymentNo;
    order.statusCode = 'PENDING_ALLOCATION';
    return Promise.resolve('ACCEPTED');
  });
}

/** One that waits to be paid for two hours. */
export function anOrder(app: TestApp, change: Partial<TestOrder> = {}): TestOrder {
  counter += 1;
  const order: TestOrder = {
    orderId: String(800_000 + counter),
    orderNo: `OR20261121${String(counter).padStart(6, '0')}`,
    patientId: '1',
    title: `瑞戈非尼片等2种（订单${counter}）`,
    statusCode: 'PENDING_PAYMENT',
    payFen: 10_000,
    payDeadline: plusMs(app.clock.now(), hours(2)),
    paidBy: null,
    ...change,
  };
  made.set(order.orderId, order);
  return order;
}

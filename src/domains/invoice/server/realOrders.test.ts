import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cancelOrder } from '#domains/order/contract/calls/orders.ts';
import { keeper as orderKeeper } from '#domains/order/server/testing/fixtures.ts';
import { orderRow, placed, waitingForRx } from '#domains/order/server/testing/orders.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { brokenInvariants } from './invariants.ts';
import { notify, pay, paymentOf, refundsOf, refusedPay, visit } from './testing/fixtures.ts';

// The cashier with the orders of the product: what is paid, cancelled and given back agrees on both sides.
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(async () => {
  expect(await brokenInvariants(app.db)).toEqual([]);
  await app.close();
});

async function payAll(orderId: string) {
  const opened = await pay(app, orderId);
  await visit(app, opened.payUrl);
  const notice = await app.kernel.pay.simulator('WECHAT')!.act(opened.paymentNo, 'SUCCESS');
  await notify(app, 'WECHAT', notice!);
  return opened.paymentNo;
}
async function cancelled(orderId: string) {
  const { version } = await orderRow(app, orderId);
  const input = { orderId, version, reasonCode: 'PATIENT' as const, opinion: '患者不再需要' };
  return app.ok(cancelOrder, input, { as: await orderKeeper(app), idempotencyKey: `cancelling-${orderId}` });
}

describe('an order', () => {
  it('cannot be paid before a pharmacist has passed its prescription', async () => {
    const { orderId } = await waitingForRx(app);
    expect(await refusedPay(app, orderId)).toMatchObject({ code: 'SCM20071' });
  });

  it('is paid in the transaction that takes its money', async () => {
    const { orderId } = await placed(app);
    const paymentNo = await payAll(orderId);
    expect(await orderRow(app, orderId)).toMatchObject({ state: 'PENDING_ALLOCATION' });
    expect(await paymentOf(app, paymentNo)).toMatchObject({ status: 'SUCCESS' });
    const { rows } = await sql<{ refId: string; state: string }>`
      select ref_id, state from order_funding where order_id = ${orderId}`.execute(app.db);
    expect(rows).toEqual([{ refId: paymentNo, state: 'CAPTURED' }]);
  });

  it('that is cancelled after its payment gives the cash back the way it came, once', async () => {
    const { orderId } = await placed(app);
    const paymentNo = await payAll(orderId);
    await cancelled(orderId);
    await app.runDue();
    const payment = await paymentOf(app, paymentNo);
    expect(await refundsOf(app, payment!.id)).toMatchObject([{ sourceType: 'AFTER_SALE', status: 'SUCCESS' }]);
    const { rows } = await sql<{ state: string }>`select state from order_after_sale where order_id = ${orderId}`.execute(app.db);
    expect(rows).toEqual([{ state: 'REFUNDED' }]);
    expect(await orderRow(app, orderId)).toMatchObject({ state: 'CANCELLED', refundedFen: '10000' });
  });

  it('whose money comes after its end is not revived; the money goes back', async () => {
    const { orderId } = await placed(app);
    const opened = await pay(app, orderId);
    await visit(app, opened.payUrl);
    const notice = await app.kernel.pay.simulator('WECHAT')!.act(opened.paymentNo, 'SUCCESS');
    await cancelled(orderId);
    await notify(app, 'WECHAT', notice!);
    await notify(app, 'WECHAT', notice!);
    await app.runDue();
    const payment = await paymentOf(app, opened.paymentNo);
    expect(await refundsOf(app, payment!.id)).toMatchObject([{ sourceType: 'LATE_PAY', status: 'SUCCESS' }]);
    expect(await orderRow(app, orderId)).toMatchObject({ state: 'CANCELLED', refundedFen: '0' });
  });
});

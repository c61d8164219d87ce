import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { days, hours, minutes } from '#kernel/contract/time.ts';
import { orderCancelled } from '#events/order.ts';
import { paymentSucceeded } from '#events/invoice.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { sql } from 'kysely';
import { queryPay } from '../../contract/calls/open.ts';
import { queryChannelResult, queryPaymentDetail, queryPaymentList } from '../../contract/calls/payments.ts';
import { signedHeaders } from '#testing/signing.ts';
import { acting, keeper, NONE, notify, paid, pay, paymentOf, refundsOf, refusedPay, visit } from '../testing/fixtures.ts';
import { anOrder, playOrders } from '../testing/orders.ts';
import { brokenInvariants } from '../invariants.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  playOrders();
});
afterAll(async () => {
  expect(await brokenInvariants(app.db)).toEqual([]);
  await app.close();
});

const published = async (name: string, key: string) =>
  (
    await sql<{ n: number }>`
      select count(*)::int as n from kernel_outbox where name = ${name} and payload ->> 'paymentNo' = ${key}`.execute(app.db)
  ).rows[0]!.n;
/** What the channel would send once its payer has paid. */
async function noticeOf(payUrl: string | null, paymentNo: string, channel: 'WECHAT' | 'ALIPAY' = 'WECHAT') {
  await visit(app, payUrl);
  const notice = await app.kernel.pay.simulator(channel)!.act(paymentNo, 'SUCCESS');
  if (!notice) throw new Error('nobody paid');
  return notice;
}
const cancelled = (orderId: string, orderNo: string) =>
  acting(app, (ctx) =>
    ctx.publish(orderCancelled, orderId, {
      orderId,
      orderNo,
      bizLine: 'SELF',
      orderType: 'B2C',
      patientId: '1',
      contractId: null,
      claimOrderId: null,
      drugstoreId: null,
      drugstoreName: null,
      suggestNo: null,
      payFen: 10_000,
      orderTime: app.clock.now(),
      statusCode: 'CANCELLED',
      statusName: '已取消',
      at: app.clock.now(),
      reasonCode: 'USER',
      paid: false,
      lines: [],
    }),
  );

describe('a payment of an order', () => {
  it('is refused for an order that is not there, not to be paid, or out of time', async () => {
    expect(await refusedPay(app, NONE)).toMatchObject({ code: 'SCM90040' });
    expect(await refusedPay(app, anOrder(app, { statusCode: 'CANCELLED' }).orderId)).toMatchObject({ code: 'SCM20071' });
    expect(await refusedPay(app, anOrder(app, { payDeadline: app.clock.now() }).orderId)).toMatchObject({ code: 'SCM20071' });
    expect(await refusedPay(app, anOrder(app, { payFen: 0 }).orderId)).toMatchObject({ code: 'SCM20071' });
  });

  it('is one for each order and channel, however often and by how many it is asked for', async () => {
    const { orderId } = anOrder(app);
    const all = await Promise.all(Array.from({ length: 20 }, () => pay(app, orderId)));
    expect(new Set(all.map(({ paymentNo }) => paymentNo)).size).toBe(1);
    const other = await pay(app, orderId, 'ALIPAY');
    expect(other.paymentNo).not.toBe(all[0]!.paymentNo);
    expect(other).toMatchObject({ amountFen: 10_000, status: 'INIT' });
  });

  it('is made anew for another sum, the old one is closed', async () => {
    const order = anOrder(app);
    const first = await pay(app, order.orderId);
    await visit(app, first.payUrl);
    order.payFen = 9_000;
    const second = await pay(app, order.orderId);
    expect(second).toMatchObject({ amountFen: 9_000 });
    expect(await paymentOf(app, first.paymentNo)).toMatchObject({ status: 'CLOSED' });
    expect((await visit(app, first.payUrl)).text).toContain('订单已关闭');
  });

  it('pays its order, and tells it once however often the notice comes', async () => {
    const order = anOrder(app);
    const { payUrl, paymentNo } = await pay(app, order.orderId);
    expect((await visit(app, payUrl)).text).toContain('模拟支付');
    expect(await paymentOf(app, paymentNo)).toMatchObject({ status: 'PENDING' });
    const notice = await noticeOf(payUrl, paymentNo);
    const forged = { headers: notice.headers, body: notice.body.replace('10000', '10001') };
    expect(await notify(app, 'WECHAT', forged)).toMatchObject({ status: 400 });
    expect(await paymentOf(app, paymentNo)).toMatchObject({ status: 'PENDING', receivedFen: null });
    const answers = await Promise.all(Array.from({ length: 3 }, () => notify(app, 'WECHAT', notice)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    await notify(app, 'WECHAT', notice);
    expect(order.paidBy).toBe(paymentNo);
    expect(await paymentOf(app, paymentNo)).toMatchObject({ status: 'SUCCESS', receivedFen: '10000', flag: null });
    expect(await published(paymentSucceeded.name, paymentNo)).toBe(1);
    expect((await visit(app, payUrl)).text).toContain('支付成功');
    const input = { paymentNo };
    expect(await app.ok(queryPay, input, { headers: await signedHeaders(app, queryPay, input) })).toMatchObject({
      status: 'SUCCESS',
      payUrl: null,
    });
  });

  it('is found by asking where the notice was lost', async () => {
    const order = anOrder(app);
    const { payUrl, paymentNo } = await pay(app, order.orderId);
    await noticeOf(payUrl, paymentNo);
    const { id } = await paymentOf(app, paymentNo);
    const as = await keeper(app);
    expect(await app.ok(queryChannelResult, { paymentId: id }, { as })).toMatchObject({ state: 'SUCCESS' });
    expect(await app.refused(queryChannelResult, { paymentId: id }, { as })).toMatchObject({ code: 'SCM90011' });
    expect(order.paidBy).toBe(paymentNo);
    const next = anOrder(app);
    const lost = await pay(app, next.orderId);
    await noticeOf(lost.payUrl, lost.paymentNo);
    await app.advance(minutes(12));
    expect(next.paidBy).toBe(lost.paymentNo);
  });

  it('stays unknown as long as the channel does not know, and is only asked for', async () => {
    const order = anOrder(app, { payFen: 10_092 });
    const { payUrl, paymentNo } = await pay(app, order.orderId);
    await visit(app, payUrl);
    await visit(app, payUrl, 'UNKNOWN');
    const { id } = await paymentOf(app, paymentNo);
    const as = await keeper(app);
    expect(await app.ok(queryChannelResult, { paymentId: id }, { as })).toMatchObject({ state: 'UNKNOWN' });
    expect((await pay(app, order.orderId)).paymentNo).toBe(paymentNo);
    await app.advance(minutes(20));
    expect(await paymentOf(app, paymentNo)).toMatchObject({ status: 'SUCCESS' });
  });

  it('that failed may be tried again, under another number', async () => {
    const order = anOrder(app, { payFen: 10_091 });
    const first = await pay(app, order.orderId);
    await visit(app, first.payUrl);
    await visit(app, first.payUrl, 'SUCCESS');
    const { id } = await paymentOf(app, first.paymentNo);
    await app.ok(queryChannelResult, { paymentId: id }, { as: await keeper(app) });
    expect(await paymentOf(app, first.paymentNo)).toMatchObject({ status: 'FAILED' });
    expect((await pay(app, order.orderId)).paymentNo).not.toBe(first.paymentNo);
  });

  it('is closed at the channel when its time is over, or its order is', async () => {
    const late = await pay(app, anOrder(app).orderId);
    await visit(app, late.payUrl);
    const order = anOrder(app, { payDeadline: null });
    const open = await pay(app, order.orderId);
    await visit(app, open.payUrl);
    await cancelled(order.orderId, order.orderNo);
    await app.runDue();
    expect(await paymentOf(app, open.paymentNo)).toMatchObject({ status: 'CLOSED' });
    expect(await app.kernel.pay.channel('WECHAT').query(open.paymentNo)).toMatchObject({ state: 'CLOSED' });
    await app.advance(hours(2) + minutes(2));
    expect(await paymentOf(app, late.paymentNo)).toMatchObject({ status: 'CLOSED' });
  });
});

describe('money that pays no order', () => {
  it('of a second channel goes back at once, once', async () => {
    const order = anOrder(app);
    const one = await pay(app, order.orderId);
    const two = await pay(app, order.orderId, 'ALIPAY');
    const notices = [await noticeOf(one.payUrl, one.paymentNo), await noticeOf(two.payUrl, two.paymentNo, 'ALIPAY')] as const;
    await Promise.all([
      notify(app, 'WECHAT', notices[0]),
      notify(app, 'ALIPAY', notices[1]),
      notify(app, 'ALIPAY', notices[1]),
      notify(app, 'WECHAT', notices[0]),
    ]);
    await app.runDue();
    const payments = await Promise.all([one, two].map(({ paymentNo }) => paymentOf(app, paymentNo)));
    expect(payments.map(({ flag }) => flag).toSorted()).toEqual(['DUPLICATE', null]);
    const second = payments.find(({ flag }) => flag === 'DUPLICATE')!;
    expect(await refundsOf(app, second.id)).toMatchObject([
      { sourceType: 'DUPLICATE_PAY', sourceId: order.orderId, amountFen: '10000', status: 'SUCCESS', makerName: '系统' },
    ]);
    expect(await paymentOf(app, second.paymentNo)).toMatchObject({ reservedFen: '10000', refundedFen: '10000' });
    expect(await published(paymentSucceeded.name, second.paymentNo)).toBe(0);
  });

  it('of an order that is over goes back; a large sum waits for a person', async () => {
    for (const [payFen, status] of [
      [199_900, 'SUCCESS'],
      [200_000, 'PENDING_AUDIT'],
    ] as const) {
      const order = anOrder(app, { payFen });
      const { payUrl, paymentNo } = await pay(app, order.orderId);
      const notice = await noticeOf(payUrl, paymentNo);
      order.statusCode = 'CANCELLED';
      await notify(app, 'WECHAT', notice);
      await notify(app, 'WECHAT', notice);
      await app.runDue();
      const payment = await paymentOf(app, paymentNo);
      expect(payment).toMatchObject({ status: 'SUCCESS', flag: 'LATE' });
      expect(await refundsOf(app, payment.id)).toMatchObject([{ sourceType: 'LATE_PAY', amountFen: String(payFen), status }]);
    }
  });

  it('that came after the payment was closed is taken in as well', async () => {
    const order = anOrder(app);
    const { payUrl, paymentNo } = await pay(app, order.orderId);
    const notice = await noticeOf(payUrl, paymentNo);
    await acting(app, ({ tx, now }) =>
      sql`update invoice_payment set status = 'CLOSED', finished_at = ${now} where payment_no = ${paymentNo}`.execute(tx),
    );
    order.statusCode = 'CANCELLED';
    await notify(app, 'WECHAT', notice);
    expect(await paymentOf(app, paymentNo)).toMatchObject({ status: 'SUCCESS', flag: 'LATE' });
  });

  it('of another sum marks nothing as paid and stays until somebody looks', async () => {
    const order = anOrder(app);
    const { payUrl, paymentNo } = await pay(app, order.orderId);
    const notice = await noticeOf(payUrl, paymentNo);
    order.payFen = 12_000;
    await notify(app, 'WECHAT', notice);
    const payment = await paymentOf(app, paymentNo);
    expect(payment).toMatchObject({ status: 'SUCCESS', flag: 'AMOUNT', receivedFen: '10000' });
    expect(order.paidBy).toBeNull();
    expect(await refundsOf(app, payment.id)).toEqual([]);
    expect(await published(paymentSucceeded.name, paymentNo)).toBe(0);
  });
});

it('shows payments with what became of them', async () => {
  const payment = await paid(app);
  const as = await keeper(app);
  const { rows } = await app.ok(queryPaymentList, { paymentNo: payment.paymentNo }, { as });
  expect(rows).toMatchObject([{ id: payment.id, sourceNo: payment.order.orderNo, refundableFen: 10_000, status: 'SUCCESS' }]);
  const { trail } = await app.ok(queryPaymentDetail, { paymentId: payment.id }, { as });
  expect(trail.map(({ action }) => action)).toEqual(['create', 'open', 'succeed']);
  expect(await app.refused(queryPaymentDetail, { paymentId: NONE }, { as })).toMatchObject({ code: 'SCM90040' });
  await app.advance(days(1));
});

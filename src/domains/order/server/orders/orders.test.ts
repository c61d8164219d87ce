import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { minutes } from '#kernel/contract/time.ts';
import { makeCard, makeType, openBooks } from '#domains/card/server/testing/fixtures.ts';
import { makePatient } from '#domains/patient/server/testing/fixtures.ts';
import { jobContext } from '#testing/jobContext.ts';
import { partnerStore } from '#testing/signing.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import {
  addOrderRemark,
  auditRx,
  cancelOrder,
  claimNextRx,
  claimRx,
  modifyOrderAddress,
  payCardsAgain,
  queryOrderDetail,
  queryOrderList,
  queryOrderSum,
} from '../../contract/calls/orders.ts';
import { keeper, NONE, refusedFields } from '../testing/fixtures.ts';
import { exceptionsOf } from '../testing/fulfilment.ts';
import { cardFailed, decideRx, goodsOf, home, orderRow, pay, placed, unplaced, waitingForRx } from '../testing/orders.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

let tries = 0;
const runJob = async (name: string) => {
  await app.kernel.registry.jobs.get(name)!.run({} as never, jobContext(app));
};
const eventsOf = async (orderId: string) =>
  (
    await sql<{ name: string; payload: Record<string, unknown> }>`
      select name, payload from kernel_outbox where aggregate_id = ${orderId} and name like 'order.%' order by id`.execute(app.db)
  ).rows;

describe('placing an order', () => {
  it('refuses what cannot be bought, naming the field', async () => {
    const goodsCode = await goodsOf(app);
    const line = { goodsCode, quantity: 1, unitPriceFen: 100 };
    const told = async (more: Parameters<typeof unplaced>[1]) => refusedFields(await unplaced(app, { lines: [line], ...more }));
    expect(await unplaced(app, { lines: [line], patientId: NONE })).toMatchObject({ code: 'SCM90040' });
    expect(await told({ lines: [{ ...line, goodsCode: 'NO-SUCH' }] })).toEqual(['lines.0.goodsCode 商品NO-SUCH不存在或已停售']);
    expect(await told({ lines: [line, line] })).toEqual([`lines.1.goodsCode 商品${goodsCode}重复，请合并为一行`]);
    expect(await told({ receiver: null })).toEqual(['receiver 请填写收货信息']);
    expect(await told({ orderType: 'PICKUP', receiver: null })).toEqual(['drugstoreId 请选择药店']);
    expect(await told({ orderType: 'PICKUP', receiver: null, drugstoreId: NONE })).toEqual(['drugstoreId 药店不存在或已停业，请重新选择']);
    expect(await told({ discountFen: 100 })).toEqual(['discountFen 优惠须小于商品金额']);
    expect(await told({ lines: [{ ...line, quantity: 1000 }] })).toEqual(['lines.0.quantity 数量须为1–999的整数']);
    const rx = { goodsCode: await goodsOf(app, { rxRequired: true }), quantity: 1, unitPriceFen: 100 };
    expect(await told({ lines: [rx] })).toEqual(['rxFileIds 处方药须上传处方']);
  });

  it('tells each fen to one line and keeps persons unreadable', async () => {
    const lines = [10_000, 20_000, 3_333].map(async (unitPriceFen) => ({ goodsCode: await goodsOf(app), quantity: 1, unitPriceFen }));
    const made = await placed(app, { lines: await Promise.all(lines), discountFen: 1_000, freightFen: 800 });
    expect(made).toMatchObject({ state: 'PENDING_PAYMENT', payableFen: 33_133, selfPayFen: 33_133, cardFen: 0 });
    const as = await keeper(app);
    const detail = await app.ok(queryOrderDetail, { orderId: made.orderId }, { as });
    expect(detail.lines.map(({ discountFen }) => discountFen)).toEqual([300, 600, 100]);
    expect(detail.lines.reduce((sum, { freightFen }) => sum + freightFen, 0)).toBe(800);
    const [cash] = detail.fundings;
    expect(cash).toMatchObject({ kind: 'CASH', amountFen: 33_133, state: 'HELD' });
    expect(cash!.shares.reduce((sum, { amountFen }) => sum + amountFen, 0)).toBe(33_133);
    expect(detail).toMatchObject({ receiverName: '王**', receiverMobile: '138****8000', order: { buyerName: '王**' } });
    expect(JSON.stringify(detail)).not.toContain('13800138000');
    expect((await eventsOf(made.orderId)).map(({ name }) => name)).toEqual(['order.order.created']);
  });

  it('lets a counter sell at its own open stores alone', async () => {
    const { storeId } = await partnerStore(app);
    const chain = { party: 'CHAIN' } as const;
    const at = { orderType: 'STORE_DIRECT', drugstoreId: storeId } as const;
    expect(refusedFields(await unplaced(app, at, { ...chain, scope: { region: ['310000'] } }))).toEqual([
      'drugstoreId 药店不属于该连锁，请核对药店',
    ]);
    expect(await placed(app, at, chain)).toMatchObject({ state: 'PENDING_PAYMENT' });
    const outerNo = `POS-${storeId}-1`;
    await placed(app, { ...at, outerNo }, chain);
    expect(refusedFields(await unplaced(app, { ...at, outerNo }, chain))).toEqual([
      expect.stringMatching(/^outerNo 外部单号已下单（订单OR\d+）$/),
    ]);
    expect(await placed(app, { outerNo })).toMatchObject({ state: 'PENDING_PAYMENT' });
  });
});

describe('a prescription', () => {
  it('is looked at before anything may be paid', async () => {
    const order = await waitingForRx(app);
    expect(order).toMatchObject({ state: 'PENDING_RX', payDeadline: null });
    expect(await pay(app, order.orderId)).toBe('DUPLICATE');
    const as = await keeper(app);
    expect(await app.refused(auditRx, { orderId: order.orderId, version: 2, leaseToken: 'none', result: 'PASSED' }, { as })).toMatchObject({
      code: 'SCM16002',
    });
    const { version, leaseToken } = await app.ok(claimRx, { orderId: order.orderId }, { as });
    expect(await app.refused(claimRx, { orderId: order.orderId }, { as: await keeper(app) })).toMatchObject({ code: 'SCM16001' });
    expect(refusedFields(await app.refused(auditRx, { orderId: order.orderId, version, leaseToken, result: 'FAILED' }, { as }))).toEqual([
      'reasonCodes 请选择不通过原因',
      'opinion 请输入意见',
    ]);
    expect(await app.ok(auditRx, { orderId: order.orderId, version, leaseToken, result: 'PASSED' }, { as })).toMatchObject({
      state: 'PENDING_PAYMENT',
    });
    expect(await orderRow(app, order.orderId)).toMatchObject({ rxResult: 'PASSED', rxByName: as.displayName, payRound: 1 });
  });

  it('that does not pass ends the order; nobody paid anything', async () => {
    const order = await waitingForRx(app);
    expect(await decideRx(app, order.orderId, 'FAILED')).toMatchObject({ state: 'CANCELLED' });
    expect((await eventsOf(order.orderId)).at(-1)).toMatchObject({ name: 'order.order.cancelled', payload: { paid: false } });
    expect(await orderRow(app, order.orderId)).toMatchObject({ cancelReason: 'RX_FAILED', rxReasons: ['UNCLEAR'] });
  });

  it('is given to two pharmacists at once as two orders', async () => {
    await waitingForRx(app);
    await waitingForRx(app);
    const [one, other] = await Promise.all([keeper(app), keeper(app)]);
    const [first, second] = await Promise.all([app.ok(claimNextRx, {}, { as: one }), app.ok(claimNextRx, {}, { as: other })]);
    expect(first.id).not.toBe(second.id);
  });
});

describe('payment', () => {
  it('that is told twice, twice over, late or with another amount is taken once', async () => {
    const order = await placed(app);
    expect(await pay(app, order.orderId, { paymentNo: 'PY-A', amountFen: 9_999 })).toBe('AMOUNT_DIFFERS');
    expect(await pay(app, order.orderId, { paymentNo: 'PY-B' })).toBe('ACCEPTED');
    expect(await pay(app, order.orderId, { paymentNo: 'PY-B' })).toBe('ACCEPTED');
    expect(await pay(app, order.orderId, { paymentNo: 'PY-C' })).toBe('DUPLICATE');
    expect((await eventsOf(order.orderId)).filter(({ name }) => name === 'order.order.paid')).toHaveLength(1);
    expect(await orderRow(app, order.orderId)).toMatchObject({ state: 'PENDING_ALLOCATION' });
  });

  it('of two channels at once is accepted once', async () => {
    const order = await placed(app);
    const answers = await Promise.all([1, 2, 3, 4].map((n) => pay(app, order.orderId, { paymentNo: `PY-R${order.orderId}-${n}` })));
    expect(answers.toSorted()).toEqual(['ACCEPTED', 'DUPLICATE', 'DUPLICATE', 'DUPLICATE']);
  });

  it('that does not come in time ends the order, and is money to be given back afterwards', async () => {
    const order = await placed(app);
    app.clock.advance(minutes(31));
    await runJob('order.expireUnpaid');
    expect(await orderRow(app, order.orderId)).toMatchObject({ state: 'CANCELLED', cancelReason: 'UNPAID' });
    expect(await pay(app, order.orderId)).toBe('ENDED');
    expect(await orderRow(app, order.orderId)).toMatchObject({ state: 'CANCELLED' });
  });

  it('by a card and cash sets value aside, writes it off, and gives it back to the card', async () => {
    await openBooks(app);
    const { id: patientId } = await makePatient(app);
    const { cardId } = await makeCard(app, await makeType(app), { funding: [{ amount: 6_000n }] });
    await sql`update card_card set patient_id = ${patientId} where id = ${cardId}`.execute(app.db);
    expect(refusedFields(await unplaced(app, { cardIds: [cardId] }))).toEqual(['cardIds 所选卡券不存在或不属于该患者，请重新选择']);
    const order = await placed(app, { patientId, cardIds: [cardId] });
    expect(order).toMatchObject({ payableFen: 10_000, cardFen: 6_000, selfPayFen: 4_000 });
    expect(await pay(app, order.orderId)).toBe('ACCEPTED');
    const { fundings } = await app.ok(queryOrderDetail, { orderId: order.orderId }, { as: await keeper(app) });
    expect(fundings.map(({ kind, amountFen, state }) => [kind, amountFen, state])).toEqual([
      ['CASH', 4_000, 'CAPTURED'],
      ['STORED_VALUE', 6_000, 'CAPTURED'],
    ]);
    const { version } = await orderRow(app, order.orderId);
    await app.ok(
      cancelOrder,
      { orderId: order.orderId, version, reasonCode: 'PATIENT', opinion: '患者不再需要' },
      { as: await keeper(app), idempotencyKey: `cancelling-${order.orderId}` },
    );
    const events = await eventsOf(order.orderId);
    expect(events.find(({ name }) => name === 'order.refund.approved')).toMatchObject({
      payload: { cause: 'CANCEL', cashAmount: 4_000, cardAmount: 6_000, benefitAmount: 0 },
    });
  });

  it('whose card does not pay any more waits for a person, who has it pay once it can', async () => {
    const failing = await cardFailed(app);
    const as = await keeper(app);
    const on = async () => ({ orderId: failing.orderId, version: (await orderRow(app, failing.orderId)).version });
    const retry = async (wish: Awaited<ReturnType<typeof on>>) =>
      app.send(payCardsAgain, wish, { as, idempotencyKey: `paying-again-${failing.orderId}-${(tries += 1)}` });
    const unpaid = await placed(app);
    const { version } = await orderRow(app, unpaid.orderId);
    expect((await retry({ orderId: unpaid.orderId, version })).envelope.code).toBe('SCM90031');

    await sql`update card_card set state = 'FROZEN' where id = ${failing.cardId}`.execute(app.db);
    const before = await orderRow(app, failing.orderId);
    expect((await retry(await on())).envelope.code).toMatch(/^SCM17/);
    expect(await orderRow(app, failing.orderId)).toEqual(before);
    await sql`update card_card set state = 'ACTIVE' where id = ${failing.cardId}`.execute(app.db);

    const answers = await Promise.all([on(), on()].map(async (wish) => (await retry(await wish)).envelope.code));
    expect(answers.toSorted()).toEqual(['0000000', 'SCM90030']);
    expect(await orderRow(app, failing.orderId)).toMatchObject({ state: 'PENDING_ALLOCATION' });
    const { fundings } = await app.ok(queryOrderDetail, { orderId: failing.orderId }, { as });
    expect(fundings.map(({ kind, amountFen, state }) => [kind, amountFen, state])).toEqual([
      ['CASH', 4_000, 'CAPTURED'],
      ['STORED_VALUE', 6_000, 'CAPTURED'],
    ]);
    expect(await exceptionsOf(app, failing.orderId)).toMatchObject([{ type: 'CARD_FAILED', state: 'RESOLVED' }]);
  });

  it('is complete at once where cards pay everything', async () => {
    await openBooks(app);
    const { id: patientId } = await makePatient(app);
    const { cardId } = await makeCard(app, await makeType(app), { funding: [{ amount: 50_000n }] });
    await sql`update card_card set patient_id = ${patientId} where id = ${cardId}`.execute(app.db);
    const order = await placed(app, { patientId, cardIds: [cardId] });
    expect(order).toMatchObject({ cardFen: 10_000, selfPayFen: 0, state: 'PENDING_PAYMENT' });
    await app.runDue();
    expect(await orderRow(app, order.orderId)).toMatchObject({ state: 'PENDING_ALLOCATION' });
  });
});

describe('the page', () => {
  it('finds an order by number, mobile and name, and counts the states beside the sums', async () => {
    const as = await keeper(app);
    const order = await placed(app, { buyerName: '欧阳明月', buyerMobile: '13911112222' });
    for (const filter of [{ orderNo: order.orderNo }, { patientKeyword: '13911112222' }, { patientKeyword: '欧阳明月' }])
      expect((await app.ok(queryOrderList, filter, { as })).rows.map(({ id }) => id)).toEqual([order.orderId]);
    expect(await app.ok(queryOrderSum, { patientKeyword: '欧阳明月' }, { as })).toMatchObject({
      orders: 1,
      payableFen: '10000',
      counts: { ALL: 1, PENDING_PAYMENT: 1 },
    });
  });

  it('keeps the address, a remark and a cancellation under the version', async () => {
    const as = await keeper(app);
    const { orderId } = await placed(app);
    const { version } = await orderRow(app, orderId);
    expect(await app.refused(modifyOrderAddress, { orderId, version: version - 1, ...home }, { as })).toMatchObject({ code: 'SCM90030' });
    expect(refusedFields(await app.refused(modifyOrderAddress, { orderId, version, ...home, adcode: '999999' }, { as }))).toEqual([
      'adcode 请选择省市区',
    ]);
    const moved = await app.ok(modifyOrderAddress, { orderId, version, ...home, addressDetail: '天目山路1号' }, { as });
    const noted = await app.ok(addOrderRemark, { orderId, version: moved.version, staffRemark: '周末送达' }, { as });
    expect(await app.ok(queryOrderDetail, { orderId }, { as })).toMatchObject({ staffRemark: '周末送达' });
    const input = { orderId, version: noted.version, reasonCode: 'PATIENT', opinion: '患者不再需要' } as const;
    expect(await app.refused(cancelOrder, { ...input, opinion: '' }, { as, idempotencyKey: `cancelling-0-${orderId}` })).toMatchObject({
      code: 'SCM90020',
    });
    expect(await app.ok(cancelOrder, input, { as, idempotencyKey: `cancelling-1-${orderId}` })).toMatchObject({ state: 'CANCELLED' });
  });
});

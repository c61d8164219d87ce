import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { orderCancelled, orderPaid } from '#events/order.ts';
import { SUCCESS } from '#kernel/contract/envelope.ts';
import { partnerStore, signedHeaders } from '#testing/signing.ts';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { ledgerOf, SYSTEM } from '#domains/ledger/server/index.ts';
import { addHold, captureHold as captureCall, openHoldCard, releaseHold as releaseCall } from '../../contract/calls/use.ts';
import { own } from '../database.ts';
import { lookAll } from '../findings/invariants.ts';
import {
  cardRow,
  hold,
  holdRequest,
  inTransaction,
  keeper,
  makeCard,
  makeOrder,
  makeType,
  nextId,
  openBooks,
  useLine,
} from '../testing/fixtures.ts';
import { captureHold } from './capture.ts';
import { reverseNow } from './reverse.ts';

let app: TestApp;
let clerk: TestStaff;
beforeAll(async () => {
  app = await startTestApp();
  await openBooks(app);
  clerk = await keeper(app);
});
afterAll(() => app.close());

const AT_ONCE = 4;
let count = 0;
const key = () => ({ as: clerk, idempotencyKey: `card-order-${(count += 1)}` });
const by = { ...SYSTEM, type: 'AUTO' as const };
const capture = (holdId: string) => inTransaction(app, (use) => captureHold(use, ledgerOf(app.kernel), { holdId, by }));
const look = (codes: readonly 'I13'[] | [] = []) => inTransaction(app, (use) => lookAll(use, ledgerOf(app.kernel), codes));
const rich = async (amount = 1_000_000n) => {
  const type = await makeType(app);
  return Promise.all(Array.from({ length: AT_ONCE }, () => makeCard(app, type, { funding: [{ amount }] })));
};
/** What a partner's counter sends for one card. */
const sendHold = async (input: { cardNo: string; orderId: string; lines: readonly object[] }) => {
  const { storeId } = await partnerStore(app);
  const lines = input.lines.map((line) => ({ ...line, merchantId: storeId }));
  const asked = {
    ...input,
    orderType: 'STORE_DIRECT',
    drugstoreId: storeId,
    drugstoreName: '康桥大药房',
    orderNo: `DD${input.orderId}`,
    lines,
  };
  return { asked, headers: await signedHeaders(app, openHoldCard, asked) };
};
const counterLine = (orderLineId: string, amount: number, payable?: number) => ({
  orderLineId,
  goodsName: '药',
  quantity: 1,
  amount,
  merchantName: '康桥大药房',
  ...(payable !== undefined && { payable }),
});

describe('an order that several cards pay', () => {
  it('is held by one of four clerks at once; the others are told what is still to be paid', async () => {
    const cards = await rich();
    const { orderNo } = await makeOrder(app, [11_834]);
    const results = await Promise.all(cards.map(({ cardId }) => app.send(addHold, { cardId, orderNo, amount: 11_834 }, key())));
    expect(results.map(({ envelope }) => envelope.code).toSorted()).toEqual([SUCCESS, 'SCM90020', 'SCM90020', 'SCM90020']);
    const holds = await own(app.db).selectFrom('cardHold').select(['id', 'version']).where('bizNo', '=', orderNo).execute();
    expect(holds).toHaveLength(1);
    expect(await app.ok(captureCall, { holdId: holds[0]!.id, version: 1 }, { ...key(), as: await keeper(app) })).toMatchObject({
      captured: 11_834,
    });
    expect(await app.refused(addHold, { cardId: cards[1]!.cardId, orderNo, amount: 1 }, key())).toMatchObject({
      fields: [{ message: '核销金额不能大于0.00元' }],
    });
    expect(await look()).toMatchObject({ found: 0 });
  });

  it('is held by one of four domains or counters at once, whether an event told of it or nobody did', async () => {
    for (const known of [true, false]) {
      const cards = await rich();
      const { orderId, orderNo } = known ? await makeOrder(app, [5000]) : { orderId: nextId(), orderNo: `DD${nextId()}` };
      const kept = await own(app.db).selectFrom('cardOrderCopy').select('lines').where('orderId', '=', orderId).executeTakeFirst();
      const line = useLine(5000, kept && { orderLineId: (kept.lines as { orderLineId: string }[])[0]!.orderLineId });
      const results = await Promise.allSettled(
        cards.map(({ cardId }) => hold(app, holdRequest([cardId], [line], { bizId: orderId, bizNo: orderNo, key: `race:${cardId}` }))),
      );
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const one of results.filter(({ status }) => status === 'rejected'))
        expect(one).toMatchObject({ reason: { code: 'SCM17039', message: `订单${orderNo}的卡支付合计100.00元，超过应付50.00元` } });
    }
    expect(await look()).toMatchObject({ found: 0 });
  });

  it('at a counter is paid by two cards together, never by more than it costs', async () => {
    const cards = await rich();
    const [orderId, lineId] = [nextId(), nextId()];
    const send = async (at: number, amount: number, payable?: number) => {
      const { asked, headers } = await sendHold({ cardNo: cards[at]!.cardNo, orderId, lines: [counterLine(lineId, amount, payable)] });
      return app.send(openHoldCard, asked, { headers, idempotencyKey: `card-counter-${(count += 1)}` });
    };
    expect((await send(0, 5000, 11_834)).envelope.code).toBe(SUCCESS);
    expect((await send(1, 6835, 11_834)).envelope.code).toBe('SCM17039');
    // The line cost what it cost when the first card paid for it.
    expect((await send(1, 6835, 20_000)).envelope.code).toBe('SCM17039');
    const results = await Promise.all([1, 2, 3].map((at) => send(at, 6834, 11_834)));
    expect(results.map(({ envelope }) => envelope.code).toSorted()).toEqual([SUCCESS, 'SCM17039', 'SCM17039']);
  });

  it('by hand in small parts is written off by one person below 5,000 yuan together, also at once', async () => {
    const [card, other] = await rich();
    const { orderNo } = await makeOrder(app, [800_000]);
    const held = [];
    for (const { cardId } of [card!, other!]) held.push(await app.ok(addHold, { cardId, orderNo, amount: 300_000 }, key()));
    const write = (holdId: string, as: TestStaff) => app.send(captureCall, { holdId, version: 1 }, { ...key(), as });
    const results = await Promise.all(held.map(({ id }) => write(id, clerk)));
    expect(results.map(({ envelope }) => `${envelope.code} ${envelope.message}`).toSorted()).toEqual([
      expect.stringContaining(SUCCESS),
      'SCM17003 金额超过5000元，需另一人复核',
    ]);
    const left = held[results.findIndex(({ envelope }) => envelope.code !== SUCCESS)]!;
    expect((await write(left.id, await keeper(app))).envelope.code).toBe(SUCCESS);
  });

  it('has no line that its event did not tell, and is not paid any more when it was cancelled', async () => {
    const [card] = await rich();
    const { orderId, orderNo } = await makeOrder(app, [5000]);
    const ask = (more: object) => hold(app, holdRequest([card!.cardId], [useLine(100)], { bizId: orderId, bizNo: orderNo, ...more }));
    await expect(ask({})).rejects.toMatchObject({ fields: [{ message: '订单没有这一明细，请核对订单明细' }] });
    await expect(ask({ bizNo: 'DD-ANDERS' })).rejects.toMatchObject({ fields: [{ path: 'orderNo' }] });
    await own(app.db).updateTable('cardOrderCopy').set({ closed: true }).where('orderId', '=', orderId).execute();
    await expect(ask({})).rejects.toMatchObject({ code: 'SCM90031' });
  });

  it('stays cancelled when the news of its payment comes after that of its end, and frees what was held for it meanwhile', async () => {
    const [card, other] = await rich();
    const orderId = nextId();
    const told = {
      orderId,
      orderNo: `DD${orderId}`,
      bizLine: 'HMO',
      orderType: 'STORE_DIRECT',
      patientId: '1',
      contractId: null,
      claimOrderId: null,
      drugstoreId: '501',
      drugstoreName: '康桥大药房',
      suggestNo: null,
      payFen: 5000,
      orderTime: app.clock.now(),
      statusCode: 'CANCELLED',
      statusName: '已取消',
      at: app.clock.now(),
      lines: [],
    };
    const line = useLine(5000);
    const ask = (cardId: string) =>
      hold(app, holdRequest([cardId], [line], { bizId: orderId, bizNo: told.orderNo, key: `late:${cardId}` }));
    await ask(card!.cardId);
    await inTransaction(app, (use) => use.publish(orderCancelled, orderId, { ...told, reasonCode: 'USER', paid: false }));
    await inTransaction(app, (use) => use.publish(orderPaid, orderId, { ...told, selfPayAmount: 5000, cardAmount: 0 }));
    await app.runDue();
    expect(await cardRow(app, card!.cardId)).toMatchObject({ principalAvail: '1000000', heldAmount: '0' });
    await expect(ask(other!.cardId)).rejects.toMatchObject({ code: 'SCM90031' });
    expect(await app.refused(addHold, { cardId: other!.cardId, orderNo: told.orderNo, amount: 1 }, key())).toMatchObject({
      code: 'SCM90031',
    });
  });

  it('is open again as far as a card let go or gave back', async () => {
    const [first, second, third] = await rich();
    const { orderNo } = await makeOrder(app, [10_000]);
    const holdOf = (cardId: string, amount: number) => app.ok(addHold, { cardId, orderNo, amount }, key());
    const held = await holdOf(first!.cardId, 10_000);
    await app.ok(releaseCall, { holdId: held.id, version: 1, opinion: '换卡支付' }, key());
    const other = await holdOf(second!.cardId, 10_000);
    const { writeOffs } = await capture(other.id);
    await inTransaction(app, (use) =>
      reverseNow(use, ledgerOf(app.kernel), {
        writeOffId: writeOffs[0]!.writeOffId,
        amount: 4000n,
        key: 'order:back',
        reasonCode: 'RETURN',
        opinion: '退货',
        requestedBy: SYSTEM,
      }),
    );
    await holdOf(third!.cardId, 4000);
    expect(await app.refused(addHold, { cardId: first!.cardId, orderNo, amount: 1 }, key())).toMatchObject({ code: 'SCM90020' });
    expect(await look()).toMatchObject({ found: 0 });
  });

  it('two cards of one group are refused, also when one was set aside by the order and the other by hand', async () => {
    const type = await makeType(app, { rules: { stackGroup: 'ONE', stackable: false } });
    const [first, second] = [
      await makeCard(app, type, { funding: [{ amount: 10_000n }] }),
      await makeCard(app, type, { funding: [{ amount: 10_000n }] }),
    ];
    const { orderId, orderNo } = await makeOrder(app, [10_000]);
    const { lines } = await own(app.db)
      .selectFrom('cardOrderCopy')
      .select('lines')
      .where('orderId', '=', orderId)
      .executeTakeFirstOrThrow();
    const line = useLine(5000, { orderLineId: (lines as { orderLineId: string }[])[0]!.orderLineId });
    await hold(app, holdRequest([first.cardId], [line], { bizId: orderId, bizNo: orderNo }));
    expect(await app.refused(addHold, { cardId: second.cardId, orderNo, amount: 5000 }, key())).toMatchObject({ code: 'SCM17034' });
  });

  it('that is paid twice all the same is found at night', async () => {
    const [card] = await rich();
    const { orderId, orderNo } = await makeOrder(app, [5000]);
    const held = await app.ok(addHold, { cardId: card!.cardId, orderNo, amount: 5000 }, key());
    await own(app.db).updateTable('cardOrderCopy').set({ payFen: '4000' }).where('orderId', '=', orderId).execute();
    expect(await look(['I13'])).toMatchObject({ found: 1 });
    await app.ok(releaseCall, { holdId: held.id, version: 1, opinion: '多余的预占' }, key());
    expect(await look(['I13'])).toMatchObject({ found: 0, closed: 1 });
    expect(await cardRow(app, card!.cardId)).toMatchObject({ heldAmount: '0' });
  });
});

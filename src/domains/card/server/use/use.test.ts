import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { days, minutes, plusMs, startOfDay } from '#kernel/contract/time.ts';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { ledgerOf, SYSTEM } from '#domains/ledger/server/index.ts';
import {
  addHold,
  captureHold as captureCall,
  checkCard,
  queryOrderCardList,
  releaseHold as releaseCall,
} from '../../contract/calls/use.ts';
import {
  addReversal,
  auditReversal,
  queryReversalList,
  queryWriteOffDetail,
  queryWriteOffList,
  queryWriteOffTotal,
} from '../../contract/calls/writeOffs.ts';
import { lookAll } from '../findings/invariants.ts';
import { own } from '../database.ts';
import {
  cardRow,
  hold,
  holdRequest,
  inTransaction,
  keeper,
  lotsLeft,
  makeCard,
  makeOrder,
  makeType,
  openBooks,
  useLine,
} from '../testing/fixtures.ts';
import { captureHold, releaseHold } from './capture.ts';
import { reverseNow } from './reverse.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  await openBooks(app);
});
afterAll(() => app.close());

const by = { ...SYSTEM, type: 'AUTO' as const };
const capture = (holdId: string, amount?: number) =>
  inTransaction(app, (use) =>
    captureHold(use, ledgerOf(app.kernel), { holdId, amount: amount === undefined ? undefined : BigInt(amount), by }),
  );
const release = (holdId: string) => inTransaction(app, (use) => releaseHold(use, ledgerOf(app.kernel), { holdId, reason: '测试', by }));
const reverse = (writeOffId: string, amount: number, key: string) =>
  inTransaction(app, (use) =>
    reverseNow(use, ledgerOf(app.kernel), {
      writeOffId,
      amount: BigInt(amount),
      key,
      reasonCode: 'RETURN',
      opinion: '退货',
      requestedBy: SYSTEM,
    }),
  );
/** Nothing that must hold is broken. */
const sound = async () => expect(await inTransaction(app, (use) => lookAll(use, ledgerOf(app.kernel), []))).toMatchObject({ found: 0 });
const stored = async (amount = 1000n, rules: object = {}) => makeCard(app, await makeType(app, { rules }), { funding: [{ amount }] });
const refusal = (code: string, message?: string) => ({ status: 'rejected', reason: { code, ...(message && { message }) } });

describe('stored value', () => {
  it('is never set aside twice: of two at once one gets it, the other is told what there is', async () => {
    const card = await stored();
    const results = await Promise.allSettled([0, 1].map(() => hold(app, holdRequest([card.cardId], [useLine(800)]))));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject(refusal('SCM17031', '可用余额不足：需8.00元，可用2.00元'));
    expect(await cardRow(app, card.cardId)).toMatchObject({ principalAvail: '200', heldAmount: '800' });
  });

  it('set aside twice with one key is set aside once; the same key for something else is refused', async () => {
    const card = await stored();
    const request = holdRequest([card.cardId], [useLine(300)]);
    const [once] = await hold(app, request);
    expect((await hold(app, request))[0]).toMatchObject({ holdId: once!.holdId, amount: 300n });
    await expect(hold(app, { ...request, lines: [{ ...request.lines[0]!, amount: 301n }] })).rejects.toMatchObject({ code: 'SCM90050' });
    expect(await capture(once!.holdId)).toEqual(await capture(once!.holdId));
    await expect(capture(once!.holdId, 200)).rejects.toMatchObject({ code: 'SCM90050' });
    await expect(release(once!.holdId)).rejects.toMatchObject({ code: 'SCM90031' });
  });

  it('pays out of the lots of the rule and goes back to them the other way', async () => {
    const type = await makeType(app, { rules: { feeRateBp: 150 } });
    const card = await makeCard(app, type, {
      funding: [
        { amount: 10_000n, expiresAt: startOfDay('2027-12-31') },
        { amount: 3000n, bonus: true, expiresAt: startOfDay('2027-06-30') },
        { amount: 5000n },
      ],
    });
    const [held] = await hold(app, holdRequest([card.cardId], [useLine(12_000)]));
    expect(await lotsLeft(app, card)).toEqual([
      [10_000, 9000],
      [3000, 3000],
      [5000, 0],
    ]);
    const { writeOffs } = await capture(held!.holdId);
    expect(await lotsLeft(app, card)).toEqual([
      [1000, 0],
      [0, 0],
      [5000, 0],
    ]);
    const { writeOffId } = writeOffs[0]!;
    await expect(reverse(writeOffId, 12_001, 'r1:over')).rejects.toMatchObject({ code: 'SCM17037', message: '可冲正金额为120.00元' });
    const first = await reverse(writeOffId, 5000, 'r1:a');
    expect(await lotsLeft(app, card)).toEqual([
      [6000, 0],
      [0, 0],
      [5000, 0],
    ]);
    expect(await reverse(writeOffId, 5000, 'r1:a')).toEqual(first);
    await expect(reverse(writeOffId, 4999, 'r1:a')).rejects.toMatchObject({ code: 'SCM90050' });
    await reverse(writeOffId, 7000, 'r1:b');
    expect(await lotsLeft(app, card)).toEqual([
      [10_000, 0],
      [3000, 0],
      [5000, 0],
    ]);
    await expect(reverse(writeOffId, 1, 'r1:c')).rejects.toMatchObject({ code: 'SCM17037' });
    await app.runDue();
    await sound();
  });

  it('captured in part keeps the first lots and frees the rest at once', async () => {
    const card = await makeCard(app, await makeType(app), { funding: [{ amount: 500n }, { amount: 500n, bonus: true }] });
    const [held] = await hold(app, holdRequest([card.cardId], [useLine(700), useLine(300)]));
    const { writeOffs, lots } = await capture(held!.holdId, 600);
    expect(writeOffs.map(({ amount }) => amount)).toEqual([600n]);
    expect(lots).toEqual([
      { lotId: card.lots[1], amount: 500n },
      { lotId: card.lots[0], amount: 100n },
    ]);
    expect(await cardRow(app, card.cardId)).toMatchObject({
      principalAvail: '400',
      bonusAvail: '0',
      heldAmount: '0',
      spentAmount: '600',
      state: 'ACTIVE',
    });
    const [rest] = await hold(app, holdRequest([card.cardId], [useLine(400)]));
    await capture(rest!.holdId);
    expect(await cardRow(app, card.cardId)).toMatchObject({ state: 'DEPLETED' });
    await reverse(writeOffs[0]!.writeOffId, 100, 'part:back');
    expect(await cardRow(app, card.cardId)).toMatchObject({ state: 'ACTIVE', principalAvail: '100' });
  });

  it('of a frozen card is not set aside any more; what was before is written off all the same', async () => {
    const card = await stored();
    const [held] = await hold(app, holdRequest([card.cardId], [useLine(400)]));
    await own(app.db).updateTable('cardCard').set({ state: 'FROZEN' }).where('id', '=', card.cardId).execute();
    await expect(hold(app, holdRequest([card.cardId], [useLine(100)]))).rejects.toMatchObject({
      code: 'SCM17030',
      message: '卡状态为已冻结，不能使用',
    });
    expect(await capture(held!.holdId)).toMatchObject({ amount: 400n });
  });

  it('is free again when its time is over, once; who comes late is refused', async () => {
    const card = await stored();
    const [held] = await hold(app, holdRequest([card.cardId], [useLine(400)]));
    await app.advance(minutes(15) + 1000);
    await expect(capture(held!.holdId)).rejects.toMatchObject({ code: 'SCM17036' });
    await app.advance(minutes(2));
    await app.runDue();
    expect(await cardRow(app, card.cardId)).toMatchObject({ principalAvail: '1000', heldAmount: '0' });
    await expect(capture(held!.holdId)).rejects.toMatchObject({ code: 'SCM17036' });
    await sound();
  });

  it('that ends at midnight leaves what is held; the next night takes what was freed, nothing after it was written off', async () => {
    const end = startOfDay('2026-12-01');
    const type = await makeType(app);
    const freed = await makeCard(app, type, { funding: [{ amount: 1000n, expiresAt: end }], expireAt: end });
    const spent = await makeCard(app, type, { funding: [{ amount: 1000n, expiresAt: end }], expireAt: end });
    app.clock.set(plusMs(end, -1000));
    const ask = (cardId: string) => hold(app, holdRequest([cardId], [useLine(400)], { expireAt: plusMs(end, days(3)) }));
    const [first] = await ask(freed.cardId);
    const [second] = await ask(spent.cardId);
    await app.advance(minutes(12));
    await app.runDue();
    expect([await lotsLeft(app, freed), await lotsLeft(app, spent)]).toEqual([[[400, 400]], [[400, 400]]]);
    await expect(hold(app, holdRequest([freed.cardId], [useLine(1)]))).rejects.toMatchObject({ code: 'SCM17030' });
    await release(first!.holdId);
    await capture(second!.holdId);
    await app.advance(days(1), ['card', 'ledger']);
    await app.runDue();
    expect([await lotsLeft(app, freed), await lotsLeft(app, spent)]).toEqual([[[0, 0]], [[0, 0]]]);
    expect(await cardRow(app, freed.cardId)).toMatchObject({ state: 'EXPIRED' });
    await sound();
  });

  it('of fifty write-offs at once on one card never exceeds its balance', async () => {
    const card = await stored(3000n);
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, async () => {
        const [held] = await hold(app, holdRequest([card.cardId], [useLine(170)]));
        return capture(held!.holdId);
      }),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(17);
    expect(await cardRow(app, card.cardId)).toMatchObject({ principalAvail: '110', heldAmount: '0', spentAmount: '2890' });
    await sound();
  });

  it("keeps to the limits of a use and of a holder's day", async () => {
    const card = await stored(10_000n, { perUseMin: 100, perUseMax: 3000, perDayMax: 4000 });
    const of = (amount: number) => hold(app, holdRequest([card.cardId], [useLine(amount)]));
    await expect(of(99)).rejects.toMatchObject({ code: 'SCM17033' });
    await expect(of(3001)).rejects.toMatchObject({ code: 'SCM17035', message: '超过单次/单日限额30.00元' });
    await of(3000);
    await expect(of(1001)).rejects.toMatchObject({ code: 'SCM17035' });
    await of(1000);
  });
});

describe('coupons and times', () => {
  it('a coupon is on one order at a time, and comes back when all of it was reversed', async () => {
    const type = await makeType(app, {
      kind: 'COUPON',
      funder: 'PLATFORM',
      rules: { couponRule: { mode: 'FULL_CUT', threshold: 5000, value: 1000, cap: null } },
    });
    const card = await makeCard(app, type, { times: [{ benefitId: 'COUPON', times: 1 }] });
    await expect(hold(app, holdRequest([card.cardId], [useLine(4999)]))).rejects.toMatchObject({
      code: 'SCM17033',
      message: '未达使用门槛50.00元',
    });
    const results = await Promise.allSettled([0, 1].map(() => hold(app, holdRequest([card.cardId], [useLine(6000), useLine(2000)]))));
    const [held] = results.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'SCM17030' } });
    expect(held).toMatchObject({ amount: 1000n, lines: [{ amount: 750n }, { amount: 250n }] });
    const { writeOffs } = await capture(held!.holdId);
    await reverse(writeOffs[0]!.writeOffId, 750, 'coupon:1');
    await expect(hold(app, holdRequest([card.cardId], [useLine(6000)]))).rejects.toMatchObject({ code: 'SCM17030' });
    await reverse(writeOffs[1]!.writeOffId, 250, 'coupon:2');
    expect(await hold(app, holdRequest([card.cardId], [useLine(6000)]))).toHaveLength(1);
    await sound();
  });

  it('coupon first, then stored value; two of a group are refused', async () => {
    const rules = { stackGroup: 'G', couponRule: { mode: 'CASH', threshold: 0, value: 1000, cap: null } };
    const couponType = await makeType(app, { kind: 'COUPON', funder: 'PLATFORM', rules });
    const coupon = await makeCard(app, couponType, { times: [{ benefitId: 'COUPON', times: 1 }] });
    const other = await makeCard(app, couponType, { times: [{ benefitId: 'COUPON', times: 1 }] });
    const card = await stored(5000n);
    await expect(hold(app, holdRequest([coupon.cardId, other.cardId], [useLine(4000)]))).rejects.toMatchObject({ code: 'SCM17034' });
    const held = await hold(app, holdRequest([card.cardId, coupon.cardId], [useLine(4000)]));
    expect(held.map(({ kind, amount }) => [kind, amount])).toEqual([
      ['COUPON', 1000n],
      ['STORED_VALUE', 3000n],
    ]);
  });

  it('times are used one by one, and what was held too long is there again', async () => {
    const type = await makeType(app, {
      kind: 'BENEFIT_CARD',
      rules: { benefits: [{ benefitId: 'GENE', times: 2, settlePrice: 5000, perMonthMax: null }] },
    });
    const card = await makeCard(app, type, { times: [{ benefitId: 'GENE', times: 2 }] });
    const ask = (times: number) =>
      hold(app, holdRequest([card.cardId], [useLine(0)], { bizType: 'RIGHTS', benefit: { benefitId: 'GENE', times } }));
    await expect(ask(3)).rejects.toMatchObject({ code: 'SCM17031' });
    const [held] = await ask(2);
    await expect(ask(1)).rejects.toMatchObject({ code: 'SCM17031' });
    await app.advance(days(3) + minutes(2), ['card', 'ledger']);
    await app.runDue();
    await expect(capture(held!.holdId)).rejects.toMatchObject({ code: 'SCM17036' });
    const [again] = await ask(1);
    expect((await capture(again!.holdId)).writeOffs).toMatchObject([{ amount: 5000n, fee: 0n }]);
    await sound();
  });
});

describe('by hand', () => {
  it('a large amount is written off by somebody else; a stale one is refused', async () => {
    const maker = await keeper(app);
    const checker = await keeper(app);
    const card = await stored(2_000_000n);
    const { orderNo } = await makeOrder(app, [400_000, 300_000]);
    const key = (name: string) => ({ as: maker, idempotencyKey: `card-use-${name}` });
    expect(await app.refused(addHold, { cardId: card.cardId, orderNo, amount: 700_001 }, key('h0'))).toMatchObject({
      fields: [{ message: '核销金额不能大于7000.00元' }],
    });
    expect(await app.refused(addHold, { cardId: card.cardId, orderNo: 'DD0', amount: 1 }, key('h1'))).toMatchObject({ code: 'SCM90040' });
    const held = await app.ok(addHold, { cardId: card.cardId, orderNo, amount: 600_000 }, key('h2'));
    expect(held).toMatchObject({ state: 'HELD', secondPerson: true });
    expect(await app.refused(captureCall, { holdId: held.id, version: 1 }, key('c1'))).toMatchObject({
      code: 'SCM17003',
      message: '金额超过5000元，需另一人复核',
    });
    expect(await app.refused(captureCall, { holdId: held.id, version: 2 }, { as: checker, idempotencyKey: 'card-use-c2' })).toMatchObject({
      code: 'SCM90030',
    });
    expect(await app.ok(captureCall, { holdId: held.id, version: 1 }, { as: checker, idempotencyKey: 'card-use-c3' })).toMatchObject({
      state: 'CAPTURED',
      captured: 600_000,
    });
    expect(await app.refused(releaseCall, { holdId: held.id, version: 2, opinion: '取消' }, key('r1'))).toMatchObject({ code: 'SCM90031' });
    const [row] = (await app.ok(queryOrderCardList, { orderNo }, { as: maker })).rows;
    expect(row).toMatchObject({ payable: 600_000, captured: 600_000, holderName: '张三' });
    const blind = await app.staff({ permissions: ['card.card.view'] });
    const [masked] = (await app.ok(queryOrderCardList, { orderNo }, { as: blind })).rows;
    expect(masked!.holderName).toBe('张*');
  });

  it('a reversal is asked for by one and done by another', async () => {
    const maker = await keeper(app);
    const checker = await keeper(app);
    const card = await stored(5000n, { feeRateBp: 150 });
    const [held] = await hold(app, holdRequest([card.cardId], [useLine(5000)]));
    const { writeOffs } = await capture(held!.holdId);
    const writeOffId = writeOffs[0]!.writeOffId;
    const ask = { writeOffId, amount: 1000, reasonCode: 'RETURN' as const, opinion: '顾客退货' };
    const asked = await app.ok(addReversal, ask, { as: maker, idempotencyKey: 'card-use-q1' });
    expect(await app.refused(addReversal, ask, { as: maker, idempotencyKey: 'card-use-q2' })).toMatchObject({ code: 'SCM17038' });
    const decide = { reversalId: asked.id, version: 1, decision: 'approve' as const };
    const offered = async (as: TestStaff) =>
      (await app.ok(queryReversalList, {}, { as })).rows.find(({ id }) => id === asked.id)?.allowedActions;
    expect([await offered(maker), await offered(checker)]).toEqual([[], ['approve', 'reject']]);
    expect(await app.refused(auditReversal, decide, { as: maker, idempotencyKey: 'card-use-q3' })).toMatchObject({ code: 'SCM17003' });
    expect(
      await app.refused(auditReversal, { ...decide, decision: 'reject' }, { as: checker, idempotencyKey: 'card-use-q4' }),
    ).toMatchObject({ code: 'SCM90020' });
    expect(await app.ok(auditReversal, decide, { as: checker, idempotencyKey: 'card-use-q5' })).toMatchObject({ status: 'DONE' });
    expect(await app.ok(queryWriteOffDetail, { writeOffId }, { as: maker })).toMatchObject({
      state: 'PART_REVERSED',
      reversed: 1000,
      reversible: 4000,
      fee: 75,
      reversals: [{ amount: 1000, fee: 15 }],
      lots: [{ amount: 5000, kind: 'PRINCIPAL' }],
    });
    expect(await app.ok(queryWriteOffTotal, { cardId: card.cardId }, { as: maker })).toMatchObject({
      count: 1,
      amount: '5000',
      reversed: '1000',
      net: '4000',
    });
    expect((await app.ok(queryWriteOffList, { cardId: card.cardId, settleState: 'NONE' }, { as: maker })).total).toBe(1);
  });

  it('is told every reason why a card cannot pay', async () => {
    const as = await keeper(app);
    const card = await stored(1000n, { scope: { orderTypes: ['B2C'] }, perUseMin: 50_000 });
    const { orderNo } = await makeOrder(app, [3000]);
    const answer = await app.ok(checkCard, { cardNo: card.cardNo, orderNo }, { as });
    expect(answer).toMatchObject({ ok: false, available: 1000, order: { orderNo } });
    expect(answer.rules.filter(({ passed }) => !passed).map(({ rule, code }) => [rule, code])).toEqual([
      ['ORDER', 'SCM17032'],
      ['LIMIT', 'SCM17033'],
    ]);
    const fine = await stored(1000n);
    expect(await app.ok(checkCard, { cardNo: fine.cardNo, orderNo, amount: 600 }, { as })).toMatchObject({
      ok: true,
      usable: 600,
      after: 400,
      lots: [{ take: 600 }],
    });
  });
});

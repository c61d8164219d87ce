import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { minutes } from '#kernel/contract/time.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { ledgerOf, SYSTEM } from '#domains/ledger/server/index.ts';
import { own } from '../database.ts';
import { lookAll } from '../findings/invariants.ts';
import { captureHold, captureHolds, holdCards, releaseHold, releaseHolds, usableCards } from '../index.ts';
import {
  cardRow,
  hold,
  holdRequest,
  inTransaction,
  makeCard,
  makeType,
  nextId,
  openBooks,
  useLine,
  type MadeCard,
} from '../testing/fixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  await openBooks(app);
});
afterAll(() => app.close());

const by = { ...SYSTEM, type: 'AUTO' as const };
const stored = async (amount = 1000n, rules: object = {}) =>
  makeCard(app, await makeType(app, { rules: { feeRateBp: 150, ...rules } }), { funding: [{ amount }] });
const coupon = async (value = 500) =>
  makeCard(
    app,
    await makeType(app, {
      kind: 'COUPON',
      funder: 'PLATFORM',
      rules: { couponRule: { mode: 'CASH', threshold: 0, value, cap: null } },
    }),
    { times: [{ benefitId: 'COUPON', times: 1 }] },
  );
/** Two stored-value cards and a coupon, each held for an order of its own merchant. */
async function threeHolds(): Promise<{ cards: MadeCard[]; holdIds: string[] }> {
  const cards = [await stored(), await coupon(), await stored()];
  const holdIds: string[] = [];
  for (const [at, { cardId }] of cards.entries()) {
    const line = useLine(600, { merchantId: String(700 + at), merchantName: `药店${at}` });
    holdIds.push((await hold(app, holdRequest([cardId], [line])))[0]!.holdId);
  }
  return { cards, holdIds };
}
const captureAll = (holdIds: readonly string[]) =>
  inTransaction(app, (use) =>
    captureHolds(
      use,
      ledgerOf(app.kernel),
      holdIds.map((holdId) => ({ holdId, by })),
    ),
  );
const releaseAll = (holdIds: readonly string[]) =>
  inTransaction(app, (use) => releaseHolds(use, ledgerOf(app.kernel), { holdIds, reason: '订单取消', by: SYSTEM }));
const sound = async () => {
  await app.runDue();
  expect(await inTransaction(app, (use) => lookAll(use, ledgerOf(app.kernel), []))).toMatchObject({ found: 0 });
};
const statesOf = async (holdIds: readonly string[]) => {
  const rows = await own(app.db)
    .selectFrom('cardHold')
    .select(['id', 'state'])
    .where('id', 'in', [...holdIds])
    .execute();
  return holdIds.map((wanted) => rows.find(({ id }) => id === wanted)?.state);
};

describe('several holds of one transaction', () => {
  it('are written off together in any order of theirs, again with the same answer, none where one is dead', async () => {
    const { cards, holdIds } = await threeHolds();
    await expect(captureAll([...holdIds, '999999999'])).rejects.toMatchObject({ code: 'SCM90040' });
    const backwards = holdIds.toReversed();
    const done = await captureAll(backwards);
    expect(done.map(({ holdId, amount }) => [holdId, amount])).toEqual([
      [backwards[0], 600n],
      [backwards[1], 500n],
      [backwards[2], 600n],
    ]);
    expect(await captureAll(backwards)).toEqual(done);
    expect(await cardRow(app, cards[0]!.cardId)).toMatchObject({ principalAvail: '400', heldAmount: '0', spentAmount: '600' });
    const other = await threeHolds();
    await releaseAll([other.holdIds[1]!]);
    await expect(captureAll(other.holdIds)).rejects.toMatchObject({ code: 'SCM90031' });
    expect(await statesOf(other.holdIds)).toEqual(['HELD', 'RELEASED', 'HELD']);
    await sound();
  });

  it('are released together, those that are free already staying so, none where one was written off', async () => {
    const { cards, holdIds } = await threeHolds();
    await captureAll([holdIds[2]!]);
    await expect(releaseAll(holdIds)).rejects.toMatchObject({ code: 'SCM90031' });
    expect(await statesOf(holdIds)).toEqual(['HELD', 'HELD', 'CAPTURED']);
    for (let time = 0; time < 2; time += 1) await releaseAll([holdIds[1]!, holdIds[0]!]);
    expect(await statesOf(holdIds)).toEqual(['RELEASED', 'RELEASED', 'CAPTURED']);
    expect(await cardRow(app, cards[0]!.cardId)).toMatchObject({ principalAvail: '1000', heldAmount: '0' });
    await sound();
  });

  it('of one order never wait for each other, nor for those whose time is over', async () => {
    const { holdIds } = await threeHolds();
    const { holdIds: late } = await threeHolds();
    const results = await Promise.allSettled([
      captureAll(holdIds),
      captureAll(holdIds.toReversed()),
      releaseAll(late),
      releaseAll(late.toReversed()),
      ...[...holdIds, ...late].map((holdId) => inTransaction(app, (use) => captureHold(use, ledgerOf(app.kernel), { holdId, by }))),
    ]);
    // Each is written off or free, and whoever was refused is told so by its state.
    const refused = results.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(refused).toEqual(refused.map(() => expect.objectContaining({ code: 'SCM90031' })));
    expect(await statesOf(holdIds)).toEqual(['CAPTURED', 'CAPTURED', 'CAPTURED']);
    expect(await statesOf(late)).not.toContain('HELD');
    await sound();
  });
});

describe('a hold that is dead', () => {
  it('is not answered again under its key, whether its time is over, it was freed for that, or released', async () => {
    const card = await stored();
    const request = holdRequest([card.cardId], [useLine(400)]);
    await hold(app, request);
    await app.advance(minutes(15) + 1000);
    await expect(hold(app, request)).rejects.toMatchObject({ code: 'SCM17036', message: '预占已超时释放，请重新预占' });
    await app.advance(minutes(2));
    await app.runDue();
    await expect(hold(app, request)).rejects.toMatchObject({ code: 'SCM17036' });
    const [again] = await hold(app, { ...request, key: `${request.key}:2` });
    await inTransaction(app, (use) => releaseHold(use, ledgerOf(app.kernel), { holdId: again!.holdId, reason: '取消', by: SYSTEM }));
    await expect(hold(app, { ...request, key: `${request.key}:2` })).rejects.toMatchObject({ code: 'SCM90031' });
    const [third] = await hold(app, { ...request, key: `${request.key}:3` });
    expect(await captureAll([third!.holdId])).toMatchObject([{ amount: 400n }]);
    // What was written off is answered as what it was.
    expect(await hold(app, { ...request, key: `${request.key}:3` })).toMatchObject([{ holdId: third!.holdId }]);
    await sound();
  });
});

describe('the cards of a person', () => {
  it('are each judged for an order, and those without a refusal pay for it together', async () => {
    const patientId = nextId();
    const ofPerson = async (card: MadeCard) => {
      await own(app.db).updateTable('cardCard').set({ patientId }).where('id', '=', card.cardId).execute();
      return card;
    };
    const full = await ofPerson(await stored(1000n));
    const empty = await ofPerson(await stored(1000n));
    const elsewhere = await ofPerson(await stored(1000n, { scope: { drugstoreIds: ['777'] } }));
    const cut = await ofPerson(await coupon(300));
    await stored();
    await hold(app, holdRequest([empty.cardId], [useLine(1000)]));
    const request = holdRequest([], [useLine(700), useLine(100)]);
    const ask = (more: object = {}) =>
      inTransaction(app, (use) =>
        usableCards(
          use.tx,
          ledgerOf(app.kernel),
          {
            patientId,
            bizType: 'ORDER',
            bizId: request.bizId,
            orderType: request.orderType,
            drugstoreId: request.drugstoreId,
            lines: request.lines,
            ...more,
          },
          use.now,
        ),
      );
    const cards = await ask();
    expect(cards.map(({ cardId, amount, refusal }) => [cardId, amount, refusal?.code ?? null])).toEqual([
      [cut.cardId, 300n, null],
      [full.cardId, 800n, null],
      [empty.cardId, 0n, 'SCM17031'],
      [elsewhere.cardId, 0n, 'SCM17032'],
    ]);
    expect(cards[1]).toMatchObject({ available: 1000n, shares: [{ amount: 700n }, { amount: 100n }] });
    expect(await ask({ patientId: '999999999' })).toEqual([]);
    // All of them would refuse the order as a whole; those that are usable pay it.
    const holdAll = (cardIds: readonly string[]) =>
      inTransaction(app, (use) => holdCards(use, ledgerOf(app.kernel), { ...request, cardIds }));
    await expect(holdAll(cards.map(({ cardId }) => cardId))).rejects.toMatchObject({ code: expect.stringMatching(/^SCM1703/) });
    const usable = cards.filter(({ refusal }) => refusal === null).map(({ cardId }) => cardId);
    expect((await holdAll(usable)).map(({ amount }) => amount)).toEqual([300n, 500n]);
    await sound();
  });
});

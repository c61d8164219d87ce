import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InputOf } from '#kernel/contract/call.ts';
import { dayOf, plusDays, startOfDay } from '#kernel/contract/time.ts';
import { jobContext } from '#testing/jobContext.ts';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { uploadPaper } from '#testing/uploads.ts';
import { ledgerOf, SYSTEM } from '#domains/ledger/server/index.ts';
import { addCardChange, auditCardChange, queryCardChangeList, withdrawCardChange } from '../../contract/calls/cardChanges.ts';
import { cardDetails, freezeCard } from '../../contract/calls/cards.ts';
import { CARD_EVIDENCE } from '../../contract/purposes.ts';
import { own } from '../database.ts';
import { expiryJob } from '../expiry/sweep.ts';
import {
  balancesOf,
  cardRow,
  hold,
  holdRequest,
  inTransaction,
  keeper,
  makeCard,
  makeType,
  openBooks,
  useLine,
  type MadeCard,
} from '../testing/fixtures.ts';
import { captureHold, releaseHold } from '../use/capture.ts';
import { reverseNow } from '../use/reverse.ts';

let app: TestApp;
let maker: TestStaff;
let checker: TestStaff;
beforeAll(async () => {
  app = await startTestApp();
  await openBooks(app);
  maker = await keeper(app);
  checker = await keeper(app);
});
afterAll(() => app.close());

type Wish = Omit<InputOf<typeof addCardChange>, 'cardIds' | 'reason'>;
const wish = (cardId: string, more: Wish) => ({ cardIds: [cardId], reason: '持卡人申请', ...more });
async function asked(cardId: string, more: Wish) {
  const { made } = await app.ok(addCardChange, wish(cardId, more), { as: maker });
  return { changeId: made[0]!.id, version: made[0]!.version };
}
const pass = (change: { changeId: string; version: number }) =>
  app.ok(auditCardChange, { ...change, decision: 'approve' }, { as: checker, idempotencyKey: `change-is-passed-${change.changeId}` });
const end = (days: number) => startOfDay(plusDays(dayOf(app.clock.now()), days));
/** A card in stock of the same type. */
async function inStock(cardTypeId: string): Promise<MadeCard> {
  const made = await makeCard(app, cardTypeId);
  await own(app.db)
    .updateTable('cardCard')
    .set({ state: 'IN_STOCK', holderName: null, holderIdHash: null })
    .where('id', '=', made.cardId)
    .execute();
  return made;
}
const spend = async (cardId: string, amount: number) => {
  const [held] = await hold(app, holdRequest([cardId], [useLine(amount)]));
  const done = await inTransaction(app, (use) =>
    captureHold(use, ledgerOf(app.kernel), { holdId: held!.holdId, by: { ...SYSTEM, type: 'AUTO' } }),
  );
  return done.writeOffs[0]!.writeOffId;
};
const lotsOf = async (cardId: string) =>
  (await ledgerOf(app.kernel).lotsOf(app.db, 'CARD', { type: 'cardAccount', id: cardId }))
    .filter(({ remaining }) => remaining > 0n)
    .map(({ remaining, expiresAt }) => [Number(remaining), expiresAt] as const);

describe('a change', () => {
  it('waits alone on its card, is passed by another person and taken back by who asked', async () => {
    const card = await makeCard(app, await makeType(app), { funding: [{ amount: 1_000n }] });
    const change = await asked(card.cardId, { action: 'REBIND', mobile: '13800138000' });
    const second = await app.refused(addCardChange, wish(card.cardId, { action: 'VOID' }), { as: maker });
    expect(second).toMatchObject({ code: 'SCM17040' });
    expect(second.message).toMatch(/^该卡有待审批的变更（CC\d+）$/);
    const decision = { ...change, decision: 'approve' as const };
    expect(await app.refused(auditCardChange, decision, { as: maker, idempotencyKey: 'change-is-tried-own' })).toMatchObject({
      code: 'SCM17003',
    });
    expect(await app.refused(withdrawCardChange, change, { as: checker })).toMatchObject({ code: 'SCM17003' });
    const back = { ...change, decision: 'reject' as const };
    expect(await app.refused(auditCardChange, back, { as: checker, idempotencyKey: 'change-is-tried-mute' })).toMatchObject({
      code: 'SCM90020',
    });
    expect(await app.ok(withdrawCardChange, change, { as: maker })).toMatchObject({ status: 'WITHDRAWN' });
    await pass(await asked(card.cardId, { action: 'REBIND', mobile: '13800138000' }));
    const { card: after, changes } = await app.ok(cardDetails, { cardId: card.cardId }, { as: checker });
    expect(after.holderMobile).toBe('138****8000');
    expect(changes.map(({ status }) => status)).toEqual(['APPROVED', 'WITHDRAWN']);
    const { rows } = await app.ok(queryCardChangeList, { cardId: card.cardId, status: ['APPROVED'] }, { as: checker });
    expect(JSON.stringify(rows)).not.toContain('13800138000');
  });

  it('is refused while something is held, and where the state does not allow it', async () => {
    const card = await makeCard(app, await makeType(app), { funding: [{ amount: 10_000n }] });
    const [held] = await hold(app, holdRequest([card.cardId], [useLine(250)]));
    expect(await app.refused(addCardChange, wish(card.cardId, { action: 'VOID' }), { as: maker })).toMatchObject({
      code: 'SCM17013',
      message: '卡有预占2.50元，请先释放',
    });
    await inTransaction(app, (use) => releaseHold(use, ledgerOf(app.kernel), { holdId: held!.holdId, reason: '测试', by: SYSTEM }));
    const change = await asked(card.cardId, { action: 'VOID' });
    await hold(app, holdRequest([card.cardId], [useLine(250)]));
    const late = { ...change, decision: 'approve' as const };
    expect(await app.refused(auditCardChange, late, { as: checker, idempotencyKey: 'change-is-tried-late' })).toMatchObject({
      code: 'SCM17013',
    });
    const used = await makeCard(app, await makeType(app));
    await own(app.db).updateTable('cardCard').set({ state: 'VOIDED' }).where('id', '=', used.cardId).execute();
    expect(await app.refused(addCardChange, wish(used.cardId, { action: 'REPLACE' }), { as: maker })).toMatchObject({ code: 'SCM90031' });
  });
});

it('a voided card gives its value back to whoever funded it', async () => {
  const type = await makeType(app, { fundingMode: 'ON_USE' });
  const card = await makeCard(app, type, { funding: [{ amount: 8_000n }, { amount: 500n, bonus: true }] });
  await app.ok(
    freezeCard,
    {
      cardId: card.cardId,
      version: (await app.ok(cardDetails, { cardId: card.cardId }, { as: maker })).card.version,
      reasonCode: 'LOST',
      opinion: '挂失',
    },
    { as: maker },
  );
  const before = await balancesOf(app);
  await pass(await asked(card.cardId, { action: 'VOID' }));
  expect(await cardRow(app, card.cardId)).toMatchObject({ state: 'VOIDED', principalAvail: '0', bonusAvail: '0' });
  const after = await balancesOf(app);
  expect(after[`CARD_PRINCIPAL/${card.cardId}`]).toBe(0);
  const committed = Object.keys(after).filter((name) => name.startsWith('CARD_COMMITTED/'));
  expect(committed.reduce((sum, name) => sum + (before[name] ?? 0) - (after[name] ?? 0), 0)).toBe(8_000);
});

it('a replaced card hands over its lots with their ends, and what is reversed later comes to the new one', async () => {
  const type = await makeType(app);
  const [early, late] = [end(20), end(90)];
  const old = await makeCard(app, type, {
    funding: [
      { amount: 6_000n, expiresAt: early },
      { amount: 9_000n, expiresAt: late },
    ],
    expireAt: late,
  });
  const writeOffId = await spend(old.cardId, 7_000);
  expect(await app.refused(addCardChange, wish(old.cardId, { action: 'REPLACE' }), { as: maker })).toMatchObject({ code: 'SCM17023' });
  const fresh = await inStock(type);
  const stranger = await inStock(await makeType(app));
  expect(
    await app.refused(addCardChange, wish(old.cardId, { action: 'REPLACE', newCardNo: stranger.cardNo }), { as: maker }),
  ).toMatchObject({ fields: [{ message: '新卡须与原卡同一卡种' }] });
  await pass(await asked(old.cardId, { action: 'REPLACE', newCardNo: fresh.cardNo }));
  expect(await cardRow(app, old.cardId)).toMatchObject({ state: 'REPLACED', principalAvail: '0' });
  expect(await cardRow(app, fresh.cardId)).toMatchObject({ state: 'ACTIVE', principalAvail: '8000' });
  expect(await lotsOf(fresh.cardId)).toEqual([[8_000, late]]);
  await expect(hold(app, holdRequest([old.cardId], [useLine(100)]))).rejects.toMatchObject({ message: '卡状态为已换卡，不能使用' });
  await inTransaction(app, (use) =>
    reverseNow(use, ledgerOf(app.kernel), {
      writeOffId,
      amount: 3_000n,
      key: 'after-replacement',
      reasonCode: 'RETURN',
      opinion: '退货',
      requestedBy: SYSTEM,
    }),
  );
  expect(new Map((await lotsOf(fresh.cardId)).map(([left, until]) => [until, left]))).toEqual(
    new Map([
      [late, 9_000],
      [early, 2_000],
    ]),
  );
  await spend(fresh.cardId, 11_000);
  const { card } = await app.ok(cardDetails, { cardId: fresh.cardId }, { as: maker });
  expect(card).toMatchObject({ state: 'DEPLETED', replaces: { cardId: old.cardId }, spent: 11_000 });
});

it('a benefit card hands over its times', async () => {
  const type = await makeType(app, { kind: 'BENEFIT_CARD', rules: { benefits: [{ benefitId: 'CHECK', times: 5, settlePrice: 100 }] } });
  const old = await makeCard(app, type, { times: [{ benefitId: 'CHECK', times: 5 }] });
  const fresh = await inStock(type);
  await pass(await asked(old.cardId, { action: 'REPLACE' }));
  const left = (cardId: string) => own(app.db).selectFrom('cardTimesBalance').select('leftTimes').where('cardId', '=', cardId).execute();
  expect([await left(old.cardId), await left(fresh.cardId)]).toEqual([[{ leftTimes: 0 }], [{ leftTimes: 5 }]]);
});

describe('a card is good for longer', () => {
  it('with all that is on it, frozen or not', async () => {
    const card = await makeCard(app, await makeType(app), {
      funding: [
        { amount: 4_000n, expiresAt: end(10) },
        { amount: 600n, bonus: true, expiresAt: end(5) },
      ],
      expireAt: end(10),
    });
    const sooner = wish(card.cardId, { action: 'EXTEND', expireOn: plusDays(dayOf(app.clock.now()), 3) });
    expect(await app.refused(addCardChange, sooner, { as: maker })).toMatchObject({ fields: [{ path: 'expireOn' }] });
    const until = plusDays(dayOf(app.clock.now()), 60);
    const { version } = (await app.ok(cardDetails, { cardId: card.cardId }, { as: maker })).card;
    await app.ok(freezeCard, { cardId: card.cardId, version, reasonCode: 'LOST', opinion: '挂失' }, { as: maker });
    await pass(await asked(card.cardId, { action: 'EXTEND', expireOn: until }));
    expect((await lotsOf(card.cardId)).toSorted()).toEqual([
      [4_000, end(61)],
      [600, end(61)],
    ]);
    expect(await cardRow(app, card.cardId)).toMatchObject({ state: 'FROZEN', principalAvail: '4000', bonusAvail: '600' });
    const funded = await own(app.db).selectFrom('cardLot').select('lotId').where('cardId', '=', card.cardId).execute();
    expect(funded).toHaveLength(4);
  });

  it('after its end too, with what the sweep took', async () => {
    const card = await makeCard(app, await makeType(app), { funding: [{ amount: 5_000n, expiresAt: end(2) }], expireAt: end(2) });
    await app.advance(3 * 86_400_000);
    // Sessions ended meanwhile.
    maker = await keeper(app);
    checker = await keeper(app);
    const ctx = jobContext(app);
    await expiryJob(app.kernel).run({}, { ...ctx, transaction: (work) => app.kernel.transactions.run('test', work) });
    await app.runDue();
    expect(await cardRow(app, card.cardId)).toMatchObject({ state: 'EXPIRED', principalAvail: '0' });
    const until = plusDays(dayOf(app.clock.now()), 30);
    await pass(await asked(card.cardId, { action: 'EXTEND', expireOn: until }));
    expect(await cardRow(app, card.cardId)).toMatchObject({ state: 'ACTIVE', principalAvail: '5000' });
    expect(await lotsOf(card.cardId)).toEqual([[5_000, startOfDay(plusDays(until, 1))]]);
    await spend(card.cardId, 5_000);
  });

  it('for many at once, each by itself', async () => {
    const type = await makeType(app);
    const [good, endless] = [await makeCard(app, type, { expireAt: end(10) }), await makeCard(app, type)];
    const many = { cardIds: [good.cardId, endless.cardId], reason: '项目延期', expireOn: plusDays(dayOf(app.clock.now()), 90) };
    expect(await app.refused(addCardChange, { ...many, action: 'VOID' }, { as: maker })).toMatchObject({
      fields: [{ message: '只有延期可以批量申请' }],
    });
    const { made, failures } = await app.ok(addCardChange, { ...many, action: 'EXTEND' }, { as: maker });
    expect(made.map(({ cardId }) => cardId)).toEqual([good.cardId]);
    expect(failures).toMatchObject([{ cardId: endless.cardId, message: '该卡长期有效，不需要延期' }]);
  });
});

it('an adjustment adds a lot of its own on what was handed in for it', async () => {
  const card = await makeCard(app, await makeType(app), { funding: [{ amount: 1_000n }] });
  const more = { action: 'ADJUST' as const, lotKind: 'BONUS' as const, amount: 2_500 };
  expect(await app.refused(addCardChange, wish(card.cardId, more), { as: maker })).toMatchObject({
    fields: [{ message: '请上传调账依据附件' }],
  });
  const evidenceFileIds = [await uploadPaper(app, maker, CARD_EVIDENCE)];
  const change = await asked(card.cardId, { ...more, evidenceFileIds });
  await pass(change);
  expect(await cardRow(app, card.cardId)).toMatchObject({ principalAvail: '1000', bonusAvail: '2500' });
  const { rows } = await sql<{ funder: string }>`select funder from card_lot where card_id = ${card.cardId} and kind = 'BONUS'`.execute(
    app.db,
  );
  expect(rows).toEqual([{ funder: 'PLATFORM' }]);
});

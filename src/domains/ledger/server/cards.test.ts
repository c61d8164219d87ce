import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dayOf, days, plusMs, startOfDay, type Instant } from '#kernel/contract/time.ts';
import type { Fen } from './commands.ts';
import { byUse, firstOf, giveBack, takeLots, type Lot } from './lots/lots.ts';
import { bonus, breakage, MAKER, next, openBank, openCard, principal, shop, spend, START, topUp, type Bank } from './testing/bank.ts';

const DEC: Instant = startOfDay('2026-12-02');

let bank: Bank;
beforeAll(async () => {
  bank = await openBank();
});
afterAll(() => bank.close());

const post = (command: Parameters<Bank['ledger']['post']>[1]) => bank.inTransaction((posting) => bank.ledger.post(posting, command));
const of = (ref: Parameters<Bank['ledger']['balance']>[1]) => bank.ledger.balance(bank.database.db, ref, bank.now);
const proven = async () =>
  expect(await bank.inTransaction((posting) => bank.ledger.prove(posting, 'CARD', 'MANUAL'))).toMatchObject({
    status: 'PASSED',
    findings: 0,
  });
const lotsOf = async (card: string): Promise<Record<string, [remaining: number, held: number]>> => {
  const { rows } = await sql<{ refId: string; remaining: number; held: number }>`
    select l.ref_id, l.remaining_fen::int as remaining, l.held_fen::int as held
      from ledger_lot l
      join ledger_account a on a.id = l.account_id
      where a.owner_type = 'cardAccount' and a.owner_id = ${card}
      order by l.id`.execute(bank.database.db);
  return Object.fromEntries(rows.map(({ refId, remaining, held }) => [refId, [remaining, held]]));
};
const lot = (refId: string, expiresAt: Instant | null) => ({ refType: 'grant', refId, expiresAt });

/** The card of the design: A 200 yuan and B 50 yuan that end on 2026-12-01, C 300 yuan without an end. */
async function threeLots(): Promise<string> {
  const card = await openCard(bank);
  await post(topUp(principal(card), 20_000n, lot('A', DEC)));
  await post(topUp(bonus(card), 5_000n, lot('B', DEC)));
  await post(topUp(principal(card), 30_000n, lot('C', null)));
  return card;
}
const sweep = (one: { id: string }) => ({ type: 'EXPIRE', credit: breakage, businessKey: `exp:${one.id}:${dayOf(bank.now)}` });
const expire = () =>
  bank.inTransaction((posting) => bank.ledger.expireLots(posting, { book: 'CARD', asOf: posting.now, limit: 200, sweep }));
const holdOn = (card: string, amount: Fen, expiresAt: Instant | null = null) =>
  bank.inTransaction((posting) =>
    bank.ledger.hold(posting, {
      businessKey: `test:hold:${next()}`,
      book: 'CARD',
      legs: [{ account: [principal(card), bonus(card)], amount }],
      expiresAt,
      ref: { type: 'test', id: card },
      actor: MAKER,
    }),
  );
const captureOf = (holdId: string, amount: Fen, final: boolean, businessKey = `test:capture:${next()}`) => ({
  holdId,
  businessKey,
  type: 'SPEND',
  amount,
  credit: [{ account: shop(), amount }],
  final,
  ref: { type: 'test', id: holdId },
  actor: MAKER,
});
const capture = (...args: Parameters<typeof captureOf>) =>
  bank.inTransaction((posting) => bank.ledger.capture(posting, captureOf(...args)));
const release = (holdId: string, businessKey = `test:release:${next()}`) =>
  bank.inTransaction((posting) => bank.ledger.release(posting, { holdId, businessKey, reason: '取消', actor: MAKER }));

describe('lots', () => {
  const lots = fc.array(
    fc.record({
      remaining: fc.bigInt(0n, 500n),
      heldShare: fc.nat(100),
      expiresAt: fc.constantFrom(null, DEC, '2026-11-01T00:00:00.000Z'),
      usedFirst: fc.boolean(),
    }),
    { maxLength: 8 },
  );
  const made = (all: readonly { remaining: Fen; heldShare: number; expiresAt: Instant | null; usedFirst: boolean }[]): Lot[] =>
    all.map(({ remaining, heldShare, ...one }, at) => ({
      ...one,
      id: String(at + 1),
      accountId: '1',
      refType: 'grant',
      refId: String(at),
      original: remaining,
      remaining,
      held: (remaining * BigInt(heldShare)) / 100n,
    }));

  it('give what is asked or say what is missing, never what is held or expired', () => {
    fc.assert(
      fc.property(lots, fc.bigInt(1n, 2000n), (all, amount) => {
        const stock = made(all);
        const { taken, missing } = takeLots(stock, amount, START);
        expect(taken.reduce((sum, one) => sum + one.amount, missing)).toBe(amount);
        for (const one of taken) {
          expect(one.amount).toBeLessThanOrEqual(one.lot.remaining - one.lot.held);
          expect(one.lot.expiresAt === null || one.lot.expiresAt > START).toBe(true);
        }
        expect(taken.map(({ lot: one }) => one)).toEqual(taken.map(({ lot: one }) => one).toSorted(byUse));
      }),
    );
  });

  it('take back from the last one used, and parts and rest are the whole', () => {
    const parts = fc.array(fc.record({ amount: fc.bigInt(0n, 300n) }), { maxLength: 6 });
    fc.assert(
      fc.property(parts, fc.bigInt(0n, 900n), (used, amount) => {
        const sum = (all: readonly { amount: Fen }[]) => all.reduce((total, one) => total + one.amount, 0n);
        const { given, missing } = giveBack(used, amount);
        expect(sum(given) + missing).toBe(amount);
        const { first, rest } = firstOf(used, amount);
        expect(sum(first) + sum(rest)).toBe(sum(used));
        expect(sum(first) <= amount).toBe(true);
      }),
    );
    expect(
      giveBack(
        [
          { id: 'B', amount: 5n },
          { id: 'A', amount: 20n },
          { id: 'C', amount: 2n },
        ],
        10n,
      ).given,
    ).toEqual([
      { id: 'C', amount: 2n },
      { id: 'A', amount: 8n },
    ]);
  });
});

describe('a card', () => {
  it('spends what ends first, of that what was given; a refund goes back the other way, to the fen', async () => {
    const card = await threeLots();
    const spent = await post(spend(card, 27_000n));
    expect(spent.entries.map(({ side, amount }) => [side, amount])).toEqual([
      ['D', 22_000n],
      ['D', 5_000n],
      ['C', 27_000n],
    ]);
    expect(await lotsOf(card)).toEqual({ A: [0, 0], B: [0, 0], C: [28_000, 0] });
    const [paid, , merchant] = spent.entries;
    const back = {
      transfer: spent.transferId,
      businessKey: `test:refund:${next()}`,
      reason: '退货',
      actor: MAKER,
      legs: [
        { entryId: paid!.entryId, amount: 10_000n },
        { entryId: merchant!.entryId, amount: 10_000n },
      ],
    };
    const refund = (more: object = {}) =>
      bank.inTransaction((posting) => bank.ledger.refund(posting, { ...back, businessKey: `test:refund:${next()}`, ...more }));
    await expect(refund({ legs: [back.legs[0]] })).rejects.toMatchObject({ code: 'SCM18005' });
    await expect(refund({ legs: [{ ...back.legs[0]!, amount: 22_001n }, back.legs[1]] })).rejects.toMatchObject({ code: 'SCM18012' });
    const first = await bank.inTransaction((posting) => bank.ledger.refund(posting, back));
    expect(await bank.inTransaction((posting) => bank.ledger.refund(posting, back))).toMatchObject({
      transferId: first.transferId,
      replayed: true,
    });
    expect(await lotsOf(card)).toEqual({ A: [8_000, 0], B: [0, 0], C: [30_000, 0] });
    await expect(
      bank.inTransaction((posting) => bank.ledger.reverse(posting, { ...back, businessKey: `test:reverse:${next()}` })),
    ).rejects.toMatchObject({ code: 'SCM18012' });
    await expect(refund({ legs: back.legs.map((leg) => ({ ...leg, amount: 12_001n })) })).rejects.toMatchObject({ code: 'SCM18012' });
    await refund({ legs: back.legs.map((leg) => ({ ...leg, amount: 12_000n })) });
    expect(await lotsOf(card)).toEqual({ A: [20_000, 0], B: [0, 0], C: [30_000, 0] });
    await proven();
  });

  it('reverses a spend as a whole once; what may not be reversed says so', async () => {
    const card = await threeLots();
    const spent = await post(spend(card, 26_000n));
    const command = { transfer: spent.transferId, businessKey: `test:reverse:${next()}`, reason: '重复扣款', actor: MAKER };
    const both = await Promise.allSettled(
      [command, { ...command, businessKey: `test:reverse:${next()}` }].map((one) =>
        bank.elsewhere((posting) => bank.ledger.reverse(posting, one)),
      ),
    );
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'SCM18011' } });
    expect(await lotsOf(card)).toEqual({ A: [20_000, 0], B: [5_000, 0], C: [30_000, 0] });
    const [done] = both.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const twice = bank.inTransaction((posting) =>
      bank.ledger.reverse(posting, { ...command, transfer: done!.transferId, businessKey: `test:reverse:${next()}` }),
    );
    await expect(twice).rejects.toMatchObject({ code: 'SCM18013' });
    await proven();
  });

  it('never spends more than it has, however many shops write off at once', async () => {
    const card = await threeLots();
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, (_, at) =>
        (at % 2 ? bank.inTransaction : bank.elsewhere)((posting) => bank.ledger.post(posting, spend(card, 1_700n))),
      ),
    );
    const done = results.filter(({ status }) => status === 'fulfilled').length;
    expect(done).toBe(32);
    expect((await of(principal(card))).posted + (await of(bonus(card))).posted).toBe(55_000n - 32n * 1_700n);
    await proven();
  });

  it('says what has expired; the sweep takes it but what is held, and the rest when that is free', async () => {
    const card = await openCard(bank);
    await post(topUp(principal(card), 10_000n, lot('A', plusMs(bank.now, days(1)))));
    const { holdId } = await holdOn(card, 4_000n);
    bank.now = plusMs(bank.now, days(2));
    await expect(post(spend(card, 100n))).rejects.toMatchObject({ code: 'SCM18041', message: '可用额度不足：60.00元已过期' });
    expect(await of(principal(card))).toMatchObject({ posted: 10_000n, held: 4_000n, available: 6_000n, spendable: 0n });
    expect(await expire()).toEqual({ swept: 1, amount: 6_000n });
    expect(await lotsOf(card)).toEqual({ A: [4_000, 4_000] });
    await capture(holdId, 1_500n, false);
    await release(holdId);
    bank.now = plusMs(bank.now, days(1));
    expect(await expire()).toEqual({ swept: 1, amount: 2_500n });
    expect(await expire()).toEqual({ swept: 0, amount: 0n });
    expect(bank.published.filter(({ name }) => name === 'ledger.lot.expired').at(-1)).toMatchObject({
      payload: { amountFen: 2_500, refId: 'A' },
    });
    await proven();
  });

  it('is swept as often a day as holds give back, also the same amount twice', async () => {
    const card = await openCard(bank);
    await post(topUp(principal(card), 10_000n, lot('A', plusMs(bank.now, days(1)))));
    const held = [await holdOn(card, 4_000n), await holdOn(card, 4_000n)];
    bank.now = plusMs(bank.now, days(2));
    expect(await expire()).toEqual({ swept: 1, amount: 2_000n });
    for (const { holdId } of held) {
      await release(holdId);
      expect(await expire()).toEqual({ swept: 1, amount: 4_000n });
    }
    expect(await expire()).toEqual({ swept: 0, amount: 0n });
    expect(await of(principal(card))).toMatchObject({ posted: 0n, held: 0n });
    await proven();
  });

  it('gets a refund with days of grace where its lot has ended meanwhile', async () => {
    const card = await openCard(bank);
    await post(topUp(principal(card), 10_000n, lot('A', plusMs(bank.now, days(1)))));
    const spent = await post(spend(card, 6_000n));
    bank.now = plusMs(bank.now, days(2));
    const minLotExpiry = plusMs(bank.now, days(30));
    await bank.inTransaction((posting) =>
      bank.ledger.refund(posting, {
        transfer: spent.transferId,
        businessKey: `test:refund:${next()}`,
        reason: '退货',
        actor: MAKER,
        legs: spent.entries.map(({ entryId }) => ({ entryId, amount: 5_000n })),
        grace: { minLotExpiry, sweep },
      }),
    );
    expect(await of(principal(card))).toMatchObject({ posted: 5_000n, spendable: 5_000n, nextExpiry: minLotExpiry });
    await proven();
  });

  it('captured in part pays with what is used first, whatever account it belongs to; the rest is free at once', async () => {
    const card = await openCard(bank);
    await post(topUp(principal(card), 500n, lot('paid', null)));
    await post(topUp(bonus(card), 500n, lot('given', DEC)));
    const { holdId } = await holdOn(card, 1_000n);
    const { entries } = await capture(holdId, 600n, true);
    expect(entries.filter(({ side }) => side === 'D').map(({ amount }) => amount)).toEqual([500n, 100n]);
    expect(await lotsOf(card)).toEqual({ paid: [400, 0], given: [0, 0] });
    await proven();
  });

  it('takes lots that the caller chose, and refuses those that cannot give it', async () => {
    const card = await threeLots();
    const chosen = (refId: string, amount: Fen) => ({
      ...spend(card, amount),
      debit: [{ account: [principal(card), bonus(card)], amount, lots: [{ refType: 'grant', refId, amount }] }],
    });
    await expect(post(chosen('A', 20_001n))).rejects.toMatchObject({ code: 'SCM18043' });
    await expect(post(chosen('none', 1n))).rejects.toMatchObject({ code: 'SCM18043' });
    const { entries } = await post(chosen('C', 1_000n));
    expect(entries.find(({ side }) => side === 'D')!.lots).toMatchObject([{ amount: 1_000n, expiresAt: null }]);
  });

  it('is replaced with all its lots; refunds of what the old one paid land on the new one', async () => {
    const card = await threeLots();
    const fresh = await openCard(bank);
    const spent = await post(spend(card, 25_000n));
    const { holdId } = await holdOn(card, 100n);
    const replace = () =>
      bank.inTransaction((posting) =>
        bank.ledger.replaceAccount(posting, {
          from: principal(card),
          to: principal(fresh),
          businessKey: `test:replace:${next()}`,
          type: 'REPLACE',
          reason: '挂失',
          actor: MAKER,
        }),
      );
    await expect(replace()).rejects.toMatchObject({ code: 'SCM18042' });
    await release(holdId);
    await replace();
    expect(await of(principal(fresh))).toMatchObject({ posted: 30_000n });
    const [paid, given, merchant] = spent.entries;
    expect(given!.amount).toBe(5_000n);
    await bank.inTransaction((posting) =>
      bank.ledger.refund(posting, {
        transfer: spent.transferId,
        businessKey: `test:refund:${next()}`,
        reason: '退货',
        actor: MAKER,
        legs: [paid!, merchant!].map(({ entryId }) => ({ entryId, amount: 3_000n })),
      }),
    );
    expect(await of(principal(fresh))).toMatchObject({ posted: 33_000n });
    expect(await lotsOf(fresh)).toMatchObject({ A: [3_000, 0], C: [30_000, 0] });
    await expect(post(topUp(principal(card), 1n, lot('D', null)))).rejects.toMatchObject({ code: 'SCM18003' });
    await proven();
  });
});

describe('a hold', () => {
  it('keeps what it reserved; a final capture frees the rest, and a second one is refused', async () => {
    const card = await openCard(bank);
    await post(topUp(principal(card), 12_000n, lot('A', null)));
    const { holdId, legs } = await holdOn(card, 10_000n);
    expect(legs).toMatchObject([{ amount: 10_000n, lots: [{ amount: 10_000n }] }]);
    await expect(post(spend(card, 2_001n))).rejects.toMatchObject({ code: 'SCM18001' });
    await post(spend(card, 2_000n));
    await expect(bank.inTransaction((posting) => bank.ledger.close(posting, principal(card)))).rejects.toMatchObject({
      code: 'SCM18040',
      message: '账户余额或预占不为零，不能销户',
    });
    await expect(capture(holdId, 10_001n, true)).rejects.toMatchObject({ code: 'SCM18022', message: '扣款金额超过预占剩余金额100.00元' });
    const key = `test:capture:${next()}`;
    const done = await capture(holdId, 6_500n, true, key);
    expect(await capture(holdId, 6_500n, true, key)).toMatchObject({ transferId: done.transferId, replayed: true });
    expect(await of(principal(card))).toMatchObject({ posted: 3_500n, held: 0n, available: 3_500n });
    await expect(capture(holdId, 1n, true)).rejects.toMatchObject({ code: 'SCM18021', message: '预占已扣款，不能再操作' });
    await expect(capture('999999', 1n, true)).rejects.toMatchObject({ code: 'SCM18020' });
    await proven();
  });

  it('is captured in parts, of a card that was frozen and over lots that ended meanwhile', async () => {
    const card = await openCard(bank);
    await post(topUp(principal(card), 5_000n, lot('A', plusMs(bank.now, days(1)))));
    await post(topUp(bonus(card), 5_000n, lot('B', null)));
    const { holdId } = await holdOn(card, 7_000n);
    await bank.inTransaction((posting) => bank.ledger.freeze(posting, principal(card), { reason: '挂失', actor: MAKER }));
    await expect(holdOn(card, 1n)).rejects.toMatchObject({ code: 'SCM18002' });
    bank.now = plusMs(bank.now, days(2));
    await capture(holdId, 5_500n, false);
    expect(await lotsOf(card)).toEqual({ A: [0, 0], B: [4_500, 1_500] });
    const key = `test:release:${next()}`;
    expect(await release(holdId, key)).toMatchObject({ status: 'CAPTURED', replayed: false });
    expect(await release(holdId, key)).toMatchObject({ status: 'CAPTURED', replayed: true });
    expect(await lotsOf(card)).toEqual({ A: [0, 0], B: [4_500, 0] });
    await proven();
  });

  it('ends by its time or by a capture, never by both', async () => {
    const card = await openCard(bank);
    await post(topUp(principal(card), 50_000n, lot('A', null)));
    const ids = await Promise.all(Array.from({ length: 20 }, async () => (await holdOn(card, 1_000n, plusMs(bank.now, 60_000))).holdId));
    bank.now = plusMs(bank.now, 120_000);
    const results = await Promise.allSettled([
      bank.inTransaction((posting) => bank.ledger.timeOutHolds(posting, 200)),
      ...ids.map((holdId) => bank.elsewhere((posting) => bank.ledger.capture(posting, captureOf(holdId, 1_000n, true)))),
    ]);
    await bank.inTransaction((posting) => bank.ledger.timeOutHolds(posting, 200));
    const captured = results.slice(1).filter(({ status }) => status === 'fulfilled').length;
    for (const one of results.slice(1))
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'SCM18023', message: '预占已超时释放，请重新发起' });
    expect(await of(principal(card))).toMatchObject({ posted: 50_000n - BigInt(captured) * 1_000n, held: 0n });
    const { rows } = await sql<{ status: string; n: number }>`
      select h.status, count(*)::int as n from ledger_hold h where h.ref_id = ${card} group by h.status`.execute(bank.database.db);
    expect(Object.fromEntries(rows.map(({ status, n }) => [status, n]))).toEqual({
      ...(captured > 0 && { CAPTURED: captured }),
      ...(captured < 20 && { TIMED_OUT: 20 - captured }),
    });
    await proven();
  });

  it('of the same key happens once, with another amount it is refused', async () => {
    const card = await threeLots();
    const command = {
      businessKey: `test:hold:${next()}`,
      book: 'CARD' as const,
      legs: [{ account: principal(card), amount: 500n }],
      expiresAt: null,
      ref: { type: 'test', id: card },
      actor: MAKER,
    };
    const results = await Promise.all(Array.from({ length: 8 }, () => bank.elsewhere((posting) => bank.ledger.hold(posting, command))));
    expect(new Set(results.map(({ holdId }) => holdId)).size).toBe(1);
    expect(await of(principal(card))).toMatchObject({ held: 500n });
    const other = bank.inTransaction((posting) =>
      bank.ledger.hold(posting, { ...command, legs: [{ account: principal(card), amount: 501n }] }),
    );
    await expect(other).rejects.toMatchObject({ code: 'SCM18010' });
    const open = bank.inTransaction((posting) =>
      bank.ledger.hold(posting, { ...command, businessKey: `test:hold:${next()}`, legs: [{ account: shop(), amount: 5n }] }),
    );
    await expect(open).rejects.toMatchObject({ code: 'SCM18008' });
  });
});

import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { days, type Instant } from '#kernel/contract/time.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import type { TestStaff } from '#testing/staff.ts';
import { ledgerOf } from '#domains/ledger/server/index.ts';
import {
  auditSettlementBill,
  holdSettlementBill,
  previewSettleRun,
  printSettlementBill,
  querySettleRunList,
  querySettleRunSkips,
  querySettlementBillDetail,
  querySettlementBillList,
  recalcSettlementBill,
  startSettleRun,
  submitSettlementBill,
  unholdSettlementBill,
  voidSettlementBill,
} from '../../contract/calls/bills.ts';
import { holdIncome, reverseIncome } from '../../contract/calls/income.ts';
import { own } from '../database.ts';
import {
  acting,
  booksOf,
  completed,
  goTo,
  incomesOf,
  keeper,
  key,
  makeRules,
  newDoctor,
  openBooks,
  refunded,
} from '../testing/fixtures.ts';

let app: TestApp;
let maker: TestStaff;
let checker: TestStaff;
let payerId: string;
const opinion = '核对无误';
beforeAll(async () => {
  app = await startTestApp({ now: '2026-10-21T02:00:00.000Z' });
  await openBooks(app);
  ({ payerId } = await makeRules(app));
});
beforeEach(async () => {
  maker = await keeper(app);
  checker = await keeper(app);
});
afterAll(async () => {
  const proof = await acting(app, (ctx) => ledgerOf(app.kernel).prove(ctx, 'DOCTOR', 'MANUAL'));
  expect(proof).toMatchObject({ status: 'PASSED' });
  // An income is in one bill at most, and a bill is what its incomes add up to.
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n
      from settlement_bill b
      where b.status <> 'VOIDED'
        and b.gross_fen <> (select coalesce(sum(i.gross_fen), 0) from settlement_income i where i.bill_id = b.id)`.execute(app.db);
  expect(rows[0]!.n).toBe(0);
  await app.close();
});

const scope = (period: string) => ({ period, payerEntityId: payerId });
async function later(to: Instant): Promise<void> {
  await goTo(app, to);
  await openBooks(app);
  maker = await keeper(app);
  checker = await keeper(app);
}
async function run(period: string): Promise<void> {
  await app.ok(startSettleRun, scope(period), key(maker));
  await app.runDue();
}
const billOf = async (doctorId: string, as = maker) => {
  const { rows } = await app.ok(querySettlementBillList, { doctorId }, { as });
  return rows[0]!;
};
const on = ({ id, version }: { id: string; version: number }) => ({ id, version });
const heldOf = async (doctorId: string): Promise<number> => {
  const { rows } = await sql<{ fen: number }>`
    select coalesce(sum(b.held_fen), 0)::int as fen
      from ledger_account a
      join ledger_balance b on b.account_id = a.id
      where a.account_type = 'DR_PAYABLE' and a.owner_id = ${doctorId}`.execute(app.db);
  return rows[0]!.fen;
};

describe('a month of incomes', () => {
  let rich: string;
  let poor: string;
  let other: string;

  it('is run when it is over, once, and by one of many who start it together', async () => {
    [rich, poor, other] = [await newDoctor(app), await newDoctor(app), await newDoctor(app)];
    for (const doctorId of [rich, rich, other, other]) await completed(app, doctorId, { payFen: 19_900, listFen: 19_900 });
    await completed(app, poor);
    expect(await app.refused(startSettleRun, scope('2026-10'), key(maker))).toMatchObject({
      fields: [{ message: '该期间尚未结束，请在次月批算' }],
    });
    await later('2026-11-02T02:00:00.000Z');
    expect(await app.ok(previewSettleRun, scope('2026-10'), { as: maker })).toMatchObject({
      doctorCount: 3,
      billCount: 2,
      grossFen: 55_720,
      skipped: [{ grossFen: 6_930, reason: '未达起付额滚存' }],
    });
    const starts = await Promise.all([1, 2, 3].map(() => app.send(startSettleRun, scope('2026-10'), key(maker))));
    expect(starts.map(({ envelope }) => envelope.code).toSorted()).toEqual(['0000000', 'SCM19045', 'SCM19045']);
    await app.runDue();
    const { rows } = await app.ok(querySettleRunList, { period: '2026-10' }, { as: maker });
    expect(rows).toMatchObject([{ status: 'DONE', billCount: 2, rolledCount: 1, grossFen: 55_720 }]);
    expect(await app.ok(querySettleRunSkips, { id: rows[0]!.id }, { as: maker })).toMatchObject([{ grossFen: 6_930 }]);
  });

  it('sets aside what it bills, so that nothing taken back later eats it', async () => {
    expect(await billOf(rich)).toMatchObject({ grossFen: 27_860, consultFen: 27_860, itemCount: 2, status: 'CALCULATED' });
    expect(await heldOf(rich)).toBe(27_860);
    const [income] = await incomesOf(app, maker, rich);
    expect(income).toMatchObject({ status: 'LOCKED' });
    const input = { id: income!.id, version: income!.version, opinion };
    expect(await app.refused(holdIncome, input, { as: maker })).toMatchObject({ code: 'SCM19011' });
    expect(await app.refused(reverseIncome, input, key(maker))).toMatchObject({ code: 'SCM19011' });
  });

  it('is passed by another person than who ran, submitted or recalculated it', async () => {
    const starter = maker;
    const submitter = await keeper(app);
    await later('2026-11-02T03:00:00.000Z');
    const bill = await billOf(rich);
    const recalculated = await app.ok(recalcSettlementBill, on(bill), key(maker));
    const sent = await app.ok(submitSettlementBill, on(recalculated), { as: submitter });
    const verdict = { id: bill.id, version: sent.version, decision: 'approve' as const, opinion };
    for (const as of [maker, submitter])
      expect(await app.refused(auditSettlementBill, verdict, { as })).toMatchObject({ code: 'SCM19001' });
    expect(starter.userId).not.toBe(checker.userId);
    expect(await app.ok(auditSettlementBill, verdict, { as: checker })).toMatchObject({ state: 'APPROVED' });
    expect(await heldOf(rich)).toBe(27_860);
  });

  it('stops at every state and goes on from there', async () => {
    const bill = await billOf(rich);
    const held = await app.ok(holdSettlementBill, { ...on(bill), opinion }, { as: maker });
    expect(held).toMatchObject({ state: 'HELD' });
    expect(await app.refused(submitSettlementBill, on(held), { as: maker })).toMatchObject({ code: 'SCM90031' });
    expect(await app.ok(unholdSettlementBill, { ...on(held), opinion }, { as: maker })).toMatchObject({ state: 'APPROVED' });
  });

  it('that is voided frees its incomes and its money', async () => {
    const bill = await billOf(other);
    expect(await app.refused(voidSettlementBill, { ...on(bill), opinion: '' }, key(checker))).toMatchObject({ code: 'SCM90020' });
    await app.ok(voidSettlementBill, { ...on(bill), opinion }, key(checker));
    expect(await heldOf(other)).toBe(0);
    expect((await incomesOf(app, maker, other)).map(({ status }) => status)).toEqual(['AVAILABLE', 'AVAILABLE']);
  });

  it('that was too little is carried into the next', async () => {
    await completed(app, poor, { payFen: 29_900, listFen: 29_900 });
    await later('2026-12-02T02:00:00.000Z');
    await run('2026-11');
    expect(await billOf(poor)).toMatchObject({ period: '2026-11', grossFen: 27_860, carryInFen: 6_930, itemCount: 2 });
    expect(await billOf(other)).toMatchObject({ period: '2026-11', grossFen: 27_860, carryInFen: 27_860 });
  });
});

describe('a refund of what is in a bill', () => {
  it('is taken back by an income of its own, which the next bill counts', async () => {
    const doctorId = await newDoctor(app);
    const order = await completed(app, doctorId, { payFen: 20_000, listFen: 20_000 });
    await later('2027-01-02T02:00:00.000Z');
    await run('2026-12');
    const bill = await billOf(doctorId);
    await refunded(app, order, 5_000);
    await refunded(app, order, 5_000);
    const incomes = await incomesOf(app, maker, doctorId);
    expect(incomes).toMatchObject([
      { incomeType: 'CLAWBACK', grossFen: -3_500, status: 'AVAILABLE' },
      { grossFen: 14_000, status: 'LOCKED' },
    ]);
    expect(await booksOf(app, doctorId)).toMatchObject({ DR_PAYABLE: 14_000, DR_CLAWBACK: 3_500 });
    expect(await heldOf(doctorId)).toBe(14_000);
    expect(await billOf(doctorId)).toMatchObject({ id: bill.id, grossFen: 14_000 });
    // Recalculated before it was passed, the bill counts it.
    const again = await app.ok(recalcSettlementBill, on(bill), key(maker));
    expect(again).toMatchObject({ state: 'CALCULATED' });
    expect(await billOf(doctorId)).toMatchObject({ grossFen: 10_500, clawbackFen: -3_500, itemCount: 2 });
    expect(await booksOf(app, doctorId)).toMatchObject({ DR_PAYABLE: 10_500, DR_CLAWBACK: 0 });
    await refunded(app, order, 20_000);
    const [claw] = await incomesOf(app, maker, doctorId);
    expect(claw).toMatchObject({ incomeType: 'CLAWBACK', grossFen: -10_500 });
    const latest = await billOf(doctorId);
    expect(await app.refused(recalcSettlementBill, on(latest), key(maker))).toMatchObject({ code: 'SCM19029' });
  });
});

it('a bill is read with its tax, its lines and its story, and printed', async () => {
  const { rows } = await app.ok(querySettlementBillList, {}, { as: maker });
  const { bill, lines, tax, trail } = await app.ok(querySettlementBillDetail, { id: rows[0]!.id }, { as: maker });
  expect(lines.reduce((sum, { grossFen }) => sum + grossFen, 0)).toBe(bill.grossFen);
  expect(tax).toMatchObject({ method: 'CUMULATIVE', months: 1 });
  expect(trail).toEqual(expect.any(Array));
  const { body } = await app.file(printSettlementBill, { id: bill.id }, { as: maker });
  expect(body.subarray(0, 5).toString()).toBe('%PDF-');
});

it('the month is run by itself on the day that its payer’s rule says', async () => {
  await later('2027-01-03T02:00:00.000Z');
  const doctorId = await newDoctor(app);
  await completed(app, doctorId, { payFen: 50_000, listFen: 50_000 });
  await sql`update settlement_rule_version set cycle_day = 5 where rule_type = 'CYCLE'`.execute(app.db);
  await later('2027-02-04T02:00:00.000Z');
  expect(await own(app.db).selectFrom('settlementRun').select('id').where('period', '=', '2027-01').execute()).toEqual([]);
  await app.advance(days(1), ['settlement', 'doctor']);
  maker = await keeper(app);
  const { rows } = await app.ok(querySettleRunList, { period: '2027-01' }, { as: maker });
  expect(rows).toMatchObject([{ startedByName: '系统', status: 'DONE' }]);
  expect(await billOf(doctorId)).toMatchObject({ period: '2027-01', grossFen: 35_000 });
});

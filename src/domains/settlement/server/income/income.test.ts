import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { days, plusDays, startOfDay } from '#kernel/contract/time.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import type { TestStaff } from '#testing/staff.ts';
import { uploadPaper } from '#testing/uploads.ts';
import { queryDoctorDetail } from '#domains/doctor/contract/calls/doctors.ts';
import { ledgerOf } from '#domains/ledger/server/index.ts';
import {
  addIncomeAdjust,
  auditIncomeAdjust,
  auditIncomeAdjustSecond,
  cancelIncomeAdjust,
  queryIncomeAdjustList,
} from '../../contract/calls/adjusts.ts';
import {
  holdIncome,
  queryDoctorIncomeList,
  queryIncomeDetail,
  queryIncomeTotal,
  reverseIncome,
  unholdIncome,
} from '../../contract/calls/income.ts';
import { INCOME_ADJUST } from '../../contract/purposes.ts';
import { own } from '../database.ts';
import { acting, booksOf, completed, incomesOf, keeper, key, makeRules, newDoctor, openBooks, refunded } from '../testing/fixtures.ts';
import { bookOrder } from './book.ts';

let app: TestApp;
let maker: TestStaff;
let checker: TestStaff;
let payerId: string;
beforeAll(async () => {
  app = await startTestApp();
  await openBooks(app);
  ({ payerId } = await makeRules(app));
  maker = await keeper(app);
  checker = await keeper(app);
});
afterAll(async () => {
  // Whatever was done, the books add up.
  const proof = await acting(app, (ctx) => ledgerOf(app.kernel).prove(ctx, 'DOCTOR', 'MANUAL'));
  expect(proof).toMatchObject({ status: 'PASSED' });
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from settlement_doctor a
      where a.unsettled_fen <> (
        select coalesce(sum(i.gross_fen), 0) from settlement_income i where i.doctor_id = a.doctor_id and i.status <> 'REVERSED'
      )`.execute(app.db);
  expect(rows[0]!.n).toBe(0);
  await app.close();
});

const opinion = '按协议处理';
/** Whoever was signed in is not any more. */
async function later(ms: number): Promise<void> {
  await app.advance(ms, ['settlement', 'doctor']);
  maker = await keeper(app);
  checker = await keeper(app);
}
/** Until everything that was earned so far is payable. */
const mature = () => later(days(5));

describe('a completed consultation', () => {
  it('is one income by the rule, frozen for its days, however often it is told', async () => {
    const doctorId = await newDoctor(app);
    const order = await completed(app, doctorId);
    await completed(app, doctorId, order);
    await acting(app, (ctx) => bookOrder(ctx, ledgerOf(app.kernel), order.orderId));
    const [income, ...others] = await incomesOf(app, maker, doctorId);
    expect(others).toEqual([]);
    expect(income).toMatchObject({ incomeType: 'CONSULT', sourceNo: order.orderNo, baseFen: 9_900, grossFen: 6_930, status: 'PENDING' });
    expect(income!.availableAt).toBe(startOfDay(plusDays(app.clock.today(), 4)));
    expect(await booksOf(app, doctorId)).toEqual({ DR_PENDING: 6_930 });
    const { trace, transfers } = await app.ok(queryIncomeDetail, { id: income!.id }, { as: maker });
    expect(trace).toMatchObject({ baseType: 'PAID', payFen: 9_900, ratioBp: 7_000, fixedFen: 0, freezeDays: 3, grossFen: 6_930 });
    expect(transfers).toMatchObject([{ amountFen: 6_930 }]);
  });

  it('tells the doctors’ domain what is not settled, and becomes payable after its days', async () => {
    const doctorId = await newDoctor(app);
    await completed(app, doctorId);
    const reader = await app.staff({ permissions: app.kernel.registry.permissions.map(({ code }) => code) });
    expect(await app.ok(queryDoctorDetail, { doctorId }, { as: reader })).toMatchObject({ unsettledFen: 6_930 });
    await later(days(3));
    expect(await booksOf(app, doctorId)).toEqual({ DR_PENDING: 6_930 });
    await later(days(2));
    expect(await booksOf(app, doctorId)).toEqual({ DR_PENDING: 0, DR_PAYABLE: 6_930 });
    expect(await incomesOf(app, maker, doctorId)).toMatchObject([{ status: 'AVAILABLE' }]);
  });

  it('is follow-up income where it was a follow-up, and nothing where nothing was paid', async () => {
    const doctorId = await newDoctor(app);
    await completed(app, doctorId, { serviceType: 'FOLLOW_UP' });
    await completed(app, doctorId, { payFen: 0 });
    expect(await incomesOf(app, maker, doctorId)).toMatchObject([{ incomeType: 'FOLLOW_UP' }]);
  });

  it('before any rule waits for one, and whoever keeps the rules is told', async () => {
    const doctorId = await newDoctor(app);
    const order = await completed(app, doctorId, { at: '2025-12-31T02:00:00.000Z' });
    expect(await incomesOf(app, maker, doctorId)).toEqual([]);
    expect(await own(app.db).selectFrom('settlementFact').select('state').where('orderId', '=', order.orderId).execute()).toEqual([
      { state: 'WAITING' },
    ]);
    const { rows } = await sql`select title from identity_notice where title = '有已完成的咨询没有适用的结算规则'`.execute(app.db);
    expect(rows).toHaveLength(1);
    await sql`update settlement_rule_version set effective_from = '2025-12-01' where scope_weight = 0`.execute(app.db);
    await later(days(1));
    expect(await incomesOf(app, maker, doctorId)).toMatchObject([{ grossFen: 6_930 }]);
  });
});

describe('a refund', () => {
  it('of a part before it is paid makes the income anew, with its day', async () => {
    const doctorId = await newDoctor(app);
    const order = await completed(app, doctorId);
    const [before] = await incomesOf(app, maker, doctorId);
    await refunded(app, order, 3_300);
    await refunded(app, order, 3_300);
    const after = await incomesOf(app, maker, doctorId);
    expect(after).toMatchObject([
      { grossFen: 4_620, status: 'PENDING', availableAt: before!.availableAt },
      { id: before!.id, status: 'REVERSED' },
    ]);
    expect(await booksOf(app, doctorId)).toEqual({ DR_PENDING: 4_620 });
    await refunded(app, order, 9_900);
    expect(await booksOf(app, doctorId)).toEqual({ DR_PENDING: 0 });
    expect((await incomesOf(app, maker, doctorId)).map(({ status }) => status)).toEqual(['REVERSED', 'REVERSED']);
  });

  it('of what is payable takes it back out of what is payable', async () => {
    const doctorId = await newDoctor(app);
    const order = await completed(app, doctorId);
    await mature();
    await refunded(app, order, 9_900);
    expect(await booksOf(app, doctorId)).toMatchObject({ DR_PENDING: 0, DR_PAYABLE: 0 });
  });
});

describe('an income', () => {
  it('is held by one and freed by another, with an opinion; who held it may not', async () => {
    const doctorId = await newDoctor(app);
    await completed(app, doctorId);
    const [income] = await incomesOf(app, maker, doctorId);
    const input = { id: income!.id, version: income!.version, opinion };
    expect(await app.refused(holdIncome, { ...input, opinion: '' }, { as: maker })).toMatchObject({ code: 'SCM90020' });
    expect(await app.refused(holdIncome, { ...input, version: 9 }, { as: maker })).toMatchObject({ code: 'SCM90030' });
    const held = await app.ok(holdIncome, input, { as: maker });
    const free = { ...input, version: held.version };
    expect(await app.refused(unholdIncome, free, { as: maker })).toMatchObject({
      code: 'SCM19012',
      message: '挂起人不能解除本人挂起的收入',
    });
    await mature();
    expect(await booksOf(app, doctorId)).toEqual({ DR_PENDING: 6_930 });
    expect(await app.ok(unholdIncome, free, { as: checker })).toMatchObject({ state: 'AVAILABLE' });
    expect(await booksOf(app, doctorId)).toEqual({ DR_PENDING: 0, DR_PAYABLE: 6_930 });
  });

  it('is taken back by hand once, and a refund after it takes nothing more', async () => {
    const doctorId = await newDoctor(app);
    const order = await completed(app, doctorId);
    const [income] = await incomesOf(app, maker, doctorId);
    const input = { id: income!.id, version: income!.version, opinion };
    await app.ok(reverseIncome, input, key(checker));
    expect(await app.refused(reverseIncome, { ...input, version: 2 }, key(checker))).toMatchObject({ code: 'SCM90031' });
    await refunded(app, order, 3_300);
    expect(await booksOf(app, doctorId)).toEqual({ DR_PENDING: 0 });
    expect(await app.ok(queryIncomeTotal, { doctorId }, { as: maker })).toEqual([{ status: 'REVERSED', count: 1, grossFen: 6_930 }]);
    expect(await app.ok(queryDoctorIncomeList, { monthFrom: '2026-11', monthTo: '2026-12' }, { as: maker })).not.toMatchObject({
      rows: expect.arrayContaining([expect.objectContaining({ doctorId })]),
    });
  });
});

describe('an adjustment by hand', () => {
  const asked = async (doctorId: string, grossFen: number, as = maker) => ({
    doctorId,
    payerEntityId: payerId,
    grossFen,
    reason: '补发上月漏计的咨询收入',
    fileIds: [await uploadPaper(app, as, INCOME_ADJUST)],
  });

  it('is not for nothing, needs its paper, and is nobody’s own to pass', async () => {
    const doctorId = await newDoctor(app);
    const input = await asked(doctorId, 5_000);
    expect(await app.refused(addIncomeAdjust, { ...input, grossFen: 0 }, key(maker))).toMatchObject({
      fields: [{ message: '调整金额不能为0' }],
    });
    expect(await app.refused(addIncomeAdjust, { ...input, fileIds: [] }, key(maker))).toMatchObject({ code: 'SCM90020' });
    const made = await app.ok(addIncomeAdjust, input, key(maker));
    const verdict = { id: made.id, version: made.version, decision: 'approve' as const, opinion };
    expect(await app.refused(auditIncomeAdjust, verdict, key(maker))).toMatchObject({ code: 'SCM19001' });
    const passed = await app.ok(auditIncomeAdjust, verdict, key(checker));
    expect(passed).toMatchObject({ state: 'APPROVED' });
    expect(await incomesOf(app, maker, doctorId)).toMatchObject([{ incomeType: 'ADJUST', grossFen: 5_000, status: 'AVAILABLE' }]);
    expect(await booksOf(app, doctorId)).toMatchObject({ DR_PAYABLE: 5_000 });
  });

  it('of 10,000 yuan waits for a third person', async () => {
    const doctorId = await newDoctor(app);
    const made = await app.ok(addIncomeAdjust, await asked(doctorId, 1_000_000), key(maker));
    const first = await app.ok(auditIncomeAdjust, { ...made1(made), decision: 'approve', opinion }, key(checker));
    expect(first).toMatchObject({ state: 'PENDING_SECOND' });
    const second = { id: made.id, version: first.version, decision: 'approve' as const, opinion };
    for (const as of [maker, checker])
      expect(await app.refused(auditIncomeAdjustSecond, second, key(as))).toMatchObject({ code: 'SCM19001' });
    expect(await app.ok(auditIncomeAdjustSecond, second, key(await keeper(app)))).toMatchObject({ state: 'APPROVED' });
    expect(await booksOf(app, doctorId)).toMatchObject({ DR_PAYABLE: 1_000_000 });
  });

  it('that takes more than there is leaves the rest owed', async () => {
    const doctorId = await newDoctor(app);
    await completed(app, doctorId);
    await mature();
    const made = await app.ok(addIncomeAdjust, await asked(doctorId, -10_000), key(maker));
    await app.ok(auditIncomeAdjust, { ...made1(made), decision: 'approve', opinion }, key(checker));
    expect(await booksOf(app, doctorId)).toMatchObject({ DR_PAYABLE: 0, DR_CLAWBACK: 3_070 });
  });

  it('is withdrawn by its maker alone', async () => {
    const doctorId = await newDoctor(app);
    const made = await app.ok(addIncomeAdjust, await asked(doctorId, 5_000), key(maker));
    expect(await app.refused(cancelIncomeAdjust, made1(made), { as: checker })).toMatchObject({ code: 'SCM19014' });
    const offeredTo = async (as: TestStaff) =>
      (await app.ok(queryIncomeAdjustList, {}, { as })).rows.find(({ id }) => id === made.id)!.allowedActions;
    expect(await offeredTo(maker)).toContain('cancel');
    expect(await offeredTo(checker)).not.toContain('cancel');
    expect(await app.ok(cancelIncomeAdjust, made1(made), { as: maker })).toMatchObject({ state: 'CANCELLED' });
    const { rows } = await app.ok(queryIncomeAdjustList, { status: ['CANCELLED'] }, { as: maker });
    expect(rows).toMatchObject([{ id: made.id, allowedActions: [] }]);
  });
});

const made1 = ({ id, version }: { id: string; version: number }) => ({ id, version });

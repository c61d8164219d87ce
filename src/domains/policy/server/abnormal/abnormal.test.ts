import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InputOf } from '#kernel/contract/call.ts';
import { plusDays } from '#kernel/contract/time.ts';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import type { CheckCode } from '../../contract/abnormal/checks.ts';
import {
  auditFinding,
  modifyCheck,
  queryCheckList,
  queryFindingDetail,
  queryFindingList,
  queryFindingTotal,
  queryRunList,
  runCheck,
} from '../../contract/calls/abnormal.ts';
import { addReceipt } from '../../contract/calls/premium.ts';
import { abnormalPermissions } from '../../contract/permissions.ts';
import { serial } from '../testing/fixtures.ts';
import { coveredPerson, receiptWish } from '../testing/orders.ts';

let app: TestApp;
let keeper: TestStaff;
let other: TestStaff;
const codes = Object.values(abnormalPermissions).map(({ code }) => code);
beforeAll(async () => {
  app = await startTestApp();
  keeper = await app.staff({ permissions: codes });
  other = await app.staff({ permissions: codes });
});
afterAll(() => app.close());

const key = () => `policy-abnormal-${serial()}`;
type Person = Awaited<ReturnType<typeof coveredPerson>>;

/** What no call lets happen. */
const plants: Partial<Record<CheckCode, (at: Person) => ReturnType<typeof sql>>> = {
  AB01: ({ policyId }) => sql`update policy_policy set coverage_end = coverage_start + 2000 where id = ${policyId}`,
  AB05: ({ policyId }) => sql`update policy_policy set state = 'PENDING' where id = ${policyId}`,
  AB07: ({ policyId }) => sql`update policy_policy set declared_count = 9 where id = ${policyId}`,
  AB08: ({ insuredItemId }) =>
    sql`update policy_insured_item set id_no_cipher = ${app.kernel.secrets.encrypt('110101199005120010')} where id = ${insuredItemId}`,
  AB09: ({ insuredItemId }) => sql`update policy_insured_item set birth_date = '1990-05-13' where id = ${insuredItemId}`,
  AB12: ({ policyId }) => sql`update policy_policy set coverage_end = coverage_end - 1 where id = ${policyId}`,
  AB14: ({ insuredItemId }) => sql`update policy_insured_item set birth_date = '1950-01-01' where id = ${insuredItemId}`,
  AB17: ({ insuredItemId }) => sql`update policy_insured_item set mobile_hash = null where id = ${insuredItemId}`,
  AB19: ({ orderId }) => sql`update policy_premium_order set state = 'VOIDED' where id = ${orderId}`,
  AB20: ({ orderId }) => sql`update policy_premium_order set amount_fen = 119999 where id = ${orderId}`,
  AB21: ({ orderId }) => sql`update policy_premium_order set state = 'APPROVED', due_on = due_on - 100 where id = ${orderId}`,
  AB23: ({ orderId }) => sql`update policy_premium_order set settled_fen = 100 where id = ${orderId}`,
  AB29: ({ insuredItemId }) => sql`update policy_insured_item set state_cache = 'LEFT' where id = ${insuredItemId}`,
  AB30: ({ policyId }) => sql`update policy_policy set endorsement_seq = 7 where id = ${policyId}`,
  AB32: ({ orderId }) => sql`update policy_premium_order set updated_at = updated_at - interval '20 days' where id = ${orderId}`,
};
const planted = (statement: ReturnType<typeof sql>) => statement.execute(app.db);
const wrongs = async (code: CheckCode) => (await app.ok(queryFindingList, { checkCode: [code] }, { as: keeper })).rows;
type Wish = InputOf<typeof auditFinding>;
const act = (input: Wish, as: TestStaff = keeper) => app.ok(auditFinding, input, { as, idempotencyKey: key() });
const refused = (input: object, as: TestStaff = keeper) => app.refused(auditFinding, input, { as, idempotencyKey: key() });

describe('abnormal data of policies', () => {
  // policy.md acceptance 23
  it('finds each planted violation once, again none, and what is right again is resolved', async () => {
    const people = new Map<CheckCode, Person>();
    for (const code of Object.keys(plants) as CheckCode[]) people.set(code, await coveredPerson(app));
    await app.ok(runCheck, {}, { as: keeper, idempotencyKey: key() });
    // The persons of the fixtures share a mobile number: that alone is found before anything is planted.
    expect((await app.ok(queryFindingList, {}, { as: keeper })).rows.map(({ checkCode }) => checkCode)).toEqual(['AB18']);
    await planted(sql`update policy_insured_item set mobile_hash = id::text`);
    for (const [code, plant] of Object.entries(plants)) await planted(plant(people.get(code as CheckCode)!));
    const cashier = await app.staff({ permissions: ['policy.premium.receipt'] });
    const wish = { ...receiptWish(app), paidOn: plusDays(app.clock.today(), -30) };
    const { id: receiptId } = await app.ok(addReceipt, wish, { as: cashier });
    const run = await app.ok(runCheck, {}, { as: keeper, idempotencyKey: key() });
    expect(run).toMatchObject({ cleared: 1 });
    for (const code of Object.keys(plants) as CheckCode[]) {
      const { policyId } = people.get(code)!;
      expect(
        (await wrongs(code)).filter((row) => row.policyId === policyId),
        code,
      ).toHaveLength(1);
    }
    expect(await wrongs('AB22')).toMatchObject([{ subjectId: receiptId, subjectType: 'receipt', state: 'OPEN' }]);
    expect(await app.ok(runCheck, {}, { as: keeper, idempotencyKey: key() })).toMatchObject({ found: run.found, added: 0, cleared: 0 });
    const total = await app.ok(queryFindingTotal, {}, { as: keeper });
    expect(total.open.reduce((sum, { count }) => sum + count, 0)).toBe(run.found);
    expect((await app.ok(queryRunList, {}, { as: keeper })).rows).toHaveLength(3);
    await planted(sql`update policy_policy set endorsement_seq = 1 where endorsement_seq = 7`);
    await app.ok(runCheck, { checkCode: ['AB30'] }, { as: keeper, idempotencyKey: key() });
    expect(await wrongs('AB30')).toMatchObject([{ state: 'RESOLVED' }]);
  });

  // policy.md acceptance 23, 24
  it('is mended, looked at again, or set aside until a day by two persons', async () => {
    const [wrong] = await wrongs('AB07');
    const { id, policyId } = wrong!;
    const taken = await act({ id, version: wrong!.version, action: 'take' });
    expect(taken).toMatchObject({ state: 'FIXING' });
    const fix = { id, version: taken.version, action: 'submitFix' } as const;
    expect(await refused({ ...fix, version: wrong!.version })).toMatchObject({ code: 'SCM90030' });
    expect(await refused(fix)).toMatchObject({ code: 'SCM13060' });
    expect(await refused({ ...fix, note: '已核对清单' })).toMatchObject({
      code: 'SCM13061',
      message: '复查未通过：应为申报9人，实为在保1人',
    });
    const until = plusDays(app.clock.today(), 5);
    expect(await refused({ ...fix, action: 'askIgnore', note: '保司确认', ignoreUntil: plusDays(until, 90) })).toMatchObject({
      code: 'SCM90020',
    });
    const askedFor = await act({ ...fix, action: 'askIgnore', note: '保司确认', ignoreUntil: until });
    const approve = { id, version: askedFor.version, action: 'approveIgnore' } as const;
    expect(await refused(approve)).toMatchObject({ code: 'SCM13063' });
    expect(await act(approve, other)).toMatchObject({ state: 'IGNORED' });
    await planted(sql`update policy_abnormal_finding set ignore_until = ignore_until - 10 where id = ${id}`);
    await app.ok(runCheck, { checkCode: ['AB07'] }, { as: keeper, idempotencyKey: key() });
    const again = await app.ok(queryFindingDetail, { findingId: id }, { as: keeper });
    expect(again).toMatchObject({ state: 'OPEN', expected: '申报9人', guide: [expect.any(String), expect.any(String)] });
    expect(await refused({ id, version: again.version, action: 'recheck' })).toMatchObject({ code: 'SCM13061' });
    await planted(sql`update policy_policy set declared_count = 1 where id = ${policyId}`);
    expect(await act({ id, version: again.version, action: 'recheck' })).toMatchObject({ state: 'RESOLVED' });
    const [binding] = await wrongs('AB20');
    const ask = { id: binding!.id, version: binding!.version, action: 'askIgnore', note: '不处理', ignoreUntil: until };
    expect(await refused(ask)).toMatchObject({ code: 'SCM13062' });
    const [cache] = await wrongs('AB29');
    expect(await act({ id: cache!.id, version: cache!.version, action: 'rebuild' })).toMatchObject({ state: 'RESOLVED' });
  });

  it('asks a check as it is set', async () => {
    const set = { checkCode: 'AB17', version: 1, enabled: false, severity: 'MID', dueDays: 10, ownerRule: 'PRODUCT' } as const;
    expect(await app.ok(modifyCheck, set, { as: keeper, idempotencyKey: key() })).toMatchObject({ enabled: false, version: 2 });
    expect(await app.refused(modifyCheck, set, { as: keeper, idempotencyKey: key() })).toMatchObject({ code: 'SCM90030' });
    const checks = await app.ok(queryCheckList, {}, { as: keeper });
    expect(checks.find(({ checkCode }) => checkCode === 'AB17')).toMatchObject({
      enabled: false,
      dueDays: 10,
      ownerRule: 'PRODUCT',
      severity: 'MID',
      openCount: 1,
    });
    expect(await app.refused(runCheck, { checkCode: ['AB17'] }, { as: keeper, idempotencyKey: key() })).toMatchObject({ code: 'SCM90020' });
  });
});

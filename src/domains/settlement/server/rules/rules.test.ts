import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { days, plusDays } from '#kernel/contract/time.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import type { TestStaff } from '#testing/staff.ts';
import { baseOf, shareOf } from '../../contract/rules/share.ts';
import {
  addPayerEntity,
  addSettlementRule,
  auditSettlementRule,
  modifyPayerEntity,
  modifySettlementRule,
  queryPayerEntityList,
  querySettlementRuleList,
  retireSettlementRule,
  submitSettlementRule,
} from '../../contract/calls/rules.ts';
import { completed, incomesOf, keeper, newDoctor, openBooks, payerFields, shareFields } from '../testing/fixtures.ts';

describe('a share', () => {
  const terms = { baseType: 'PAID' as const, ratioBp: 7_000, fixedFen: 0n, capFen: null };
  it.each([
    [9_900n, 0n, 6_930n],
    [9_900n, 3_300n, 4_620n],
    [9_900n, 9_900n, 0n],
    [1n, 0n, 1n],
  ])('of %d with %d refunded is %d', (payFen, refundedFen, expected) => {
    expect(shareOf(terms, baseOf(terms, { payFen, listFen: payFen, refundedFen }))).toBe(expected);
  });
  it('of the list price shrinks with what was refunded, has its fixed part and its cap', () => {
    const list = { ...terms, baseType: 'LIST' as const, fixedFen: 500n, capFen: 10_000n };
    expect(shareOf(list, baseOf(list, { payFen: 8_000n, listFen: 10_000n, refundedFen: 0n }))).toBe(7_500n);
    expect(shareOf(list, baseOf(list, { payFen: 8_000n, listFen: 10_000n, refundedFen: 4_000n }))).toBe(4_000n);
    expect(shareOf(list, baseOf(list, { payFen: 50_000n, listFen: 50_000n, refundedFen: 0n }))).toBe(10_000n);
  });
});

let app: TestApp;
let maker: TestStaff;
let checker: TestStaff;
let payerId: string;
beforeAll(async () => {
  app = await startTestApp();
  await openBooks(app);
  maker = await keeper(app);
  checker = await keeper(app);
  payerId = (await app.ok(addPayerEntity, payerFields(), { as: maker })).id;
});
afterAll(() => app.close());

/** Whoever was signed in is not any more. */
async function later(ms: number): Promise<void> {
  await app.advance(ms, ['settlement', 'doctor']);
  maker = await keeper(app);
  checker = await keeper(app);
}
const opinion = '与协议一致';
const share = (change: Parameters<typeof shareFields>[1] = {}) => shareFields(app.clock.today(), change);
const cycle = (change: Parameters<typeof shareFields>[1] = {}) =>
  share({ ruleType: 'CYCLE', payerEntityId: payerId, freezeDays: 3, cycleDay: 5, minPayoutFen: 10_000, ...change });
async function submitted(input: ReturnType<typeof share>) {
  const { id, version } = await app.ok(addSettlementRule, input, { as: maker });
  const answer = await app.ok(submitSettlementRule, { id, version }, { as: maker });
  return { id, version: answer.version };
}
const verdict = (rule: { id: string; version: number }) => ({ ...rule, decision: 'approve' as const, opinion });
async function published(input: ReturnType<typeof share>) {
  const rule = await submitted(input);
  const { version } = await app.ok(auditSettlementRule, verdict(rule), { as: checker });
  return { id: rule.id, version };
}
const refusedToHold = async (input: ReturnType<typeof share>) =>
  app.refused(auditSettlementRule, verdict(await submitted(input)), { as: checker });

describe('a rule', () => {
  it('says what its kind has to say', async () => {
    const told = async (change: Parameters<typeof shareFields>[1]) =>
      (await app.refused(addSettlementRule, share(change), { as: maker })).fields?.map(({ message }) => message);
    expect(await told({ ratioBp: 0, fixedFen: 0 })).toEqual(['比例与固定金额至少填一项']);
    expect(await told({ ratioBp: 10_001 })).toEqual(['比例须在0%–100%之间']);
    expect(await told({ testCases: [] })).toEqual(['请至少填写一条测试用例']);
    expect(await told({ effectiveTo: app.clock.today() })).toEqual(['失效日期须晚于生效日期']);
    const noPayer = await app.refused(addSettlementRule, cycle({ payerEntityId: null, freezeDays: 61 }), { as: maker });
    expect(noPayer.fields?.map(({ message }) => message).toSorted()).toEqual(['冻结期须为0–60天', '请选择付款主体'].toSorted());
  });

  it('whose test case comes to something else is not submitted', async () => {
    const wrong = share({ testCases: [{ paidFen: 9_900, listFen: 9_900, expectFen: 7_000 }] });
    const { id, version } = await app.ok(addSettlementRule, wrong, { as: maker });
    expect(await app.refused(submitSettlementRule, { id, version }, { as: maker })).toMatchObject({
      code: 'SCM19021',
      message: '测试用例第1条未通过，期望70.00元，实际69.30元',
    });
  });

  it('is passed by another person, for days to come, without a gap and without a second one about the same', async () => {
    const rule = await submitted(share());
    expect(await app.refused(auditSettlementRule, verdict(rule), { as: maker })).toMatchObject({ code: 'SCM19001' });
    expect(await refusedToHold(share({ effectiveFrom: app.clock.today() }))).toMatchObject({ code: 'SCM19022' });
    expect(await refusedToHold(share({ effectiveTo: plusDays(app.clock.today(), 30) }))).toMatchObject({ code: 'SCM19024' });
    await app.ok(auditSettlementRule, verdict(rule), { as: checker });
    expect(await refusedToHold(share())).toMatchObject({ code: 'SCM19023' });
    // Another kind of income, or something said about fewer people, is another rule.
    await published(share({ incomeType: 'FOLLOW_UP' }));
    await published(share({ doctorTitle: 'CHIEF' }));
    await published(cycle());
  });

  it('that is changed while it holds gets a next version, which ends the one before', async () => {
    const before = await published(share({ serviceType: 'PHONE', ruleName: '电话分成' }));
    const change = { ...share({ serviceType: 'PHONE', effectiveFrom: plusDays(app.clock.today(), 10), ratioBp: 8_000 }), ...before };
    const next = { ...change, testCases: [{ paidFen: 10_000, listFen: 10_000, expectFen: 8_000 }] };
    const draft = await app.ok(modifySettlementRule, next, { as: maker });
    expect(await app.refused(modifySettlementRule, next, { as: maker })).toMatchObject({ code: 'SCM19025' });
    const { version } = await app.ok(submitSettlementRule, { id: draft.id, version: draft.version }, { as: maker });
    await app.ok(auditSettlementRule, verdict({ id: draft.id, version }), { as: checker });
    const { rows } = await app.ok(querySettlementRuleList, { ruleName: '电话分成' }, { as: maker });
    expect(rows).toMatchObject([
      { versionNo: 2, ratioBp: 8_000, effectiveTo: null, scopeText: '类型：电话问诊', scopeWeight: 4 },
      { versionNo: 1, ratioBp: 7_000, effectiveTo: plusDays(app.clock.today(), 10) },
    ]);
  });

  it('is ended for a day to come, the default only where another one follows', async () => {
    const video = await published(share({ serviceType: 'VIDEO' }));
    const end = { ...video, effectiveTo: plusDays(app.clock.today(), 20), opinion };
    expect(await app.refused(retireSettlementRule, { ...end, effectiveTo: app.clock.today() }, { as: checker })).toMatchObject({
      message: '停用日期须晚于今天',
    });
    expect(await app.ok(retireSettlementRule, end, { as: checker })).toMatchObject({ state: 'RETIRED' });
    const { rows } = await app.ok(
      querySettlementRuleList,
      { ruleType: 'SHARE', status: 'PUBLISHED', incomeType: 'FOLLOW_UP' },
      { as: maker },
    );
    const onlyOne = { id: rows[0]!.id, version: rows[0]!.version, effectiveTo: plusDays(app.clock.today(), 20), opinion };
    expect(await app.refused(retireSettlementRule, onlyOne, { as: checker })).toMatchObject({ code: 'SCM19024' });
  });

  it('that says more about a consultation goes before the default, each on its own days', async () => {
    await later(days(1));
    const doctorId = await newDoctor(app);
    await published(share({ doctorId, ratioBp: 9_000, testCases: [{ paidFen: 10_000, listFen: 10_000, expectFen: 9_000 }] }));
    await completed(app, doctorId);
    await later(days(1));
    await completed(app, doctorId);
    await completed(app, await newDoctor(app));
    expect((await incomesOf(app, maker, doctorId)).map(({ grossFen }) => grossFen)).toEqual([8_910, 6_930]);
  });
});

describe('a payer', () => {
  it('has one code, is changed by who saw its version, and withholds by what it is', async () => {
    const fields = payerFields();
    await app.ok(addPayerEntity, fields, { as: maker });
    expect(await app.refused(addPayerEntity, fields, { as: maker })).toMatchObject({ code: 'SCM19026' });
    expect(await app.refused(addPayerEntity, { ...payerFields(), taxNo: '12' }, { as: maker })).toMatchObject({
      fields: [{ message: '纳税人识别号应为18位数字或大写字母' }],
    });
    const { rows } = await app.ok(queryPayerEntityList, {}, { as: maker });
    const payer = rows.find(({ entityCode }) => entityCode === fields.entityCode)!;
    expect(payer).toMatchObject({ bankAccountMasked: '***********0801', taxMethod: 'CUMULATIVE' });
    const { entityCode: _code, bankAccountNo: _account, ...rest } = fields;
    const change = { ...rest, id: payer.id, version: 1, isPlatform: false, enabled: false };
    await app.ok(modifyPayerEntity, change, { as: maker });
    expect(await app.refused(modifyPayerEntity, change, { as: maker })).toMatchObject({ code: 'SCM90030' });
    expect(await app.refused(addSettlementRule, cycle({ payerEntityId: payer.id }), { as: maker })).toMatchObject({ code: 'SCM19027' });
  });
});

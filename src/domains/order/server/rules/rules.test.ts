import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { days, plusDays } from '#kernel/contract/time.ts';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { dryRunAllocation, queryAllocationRunList } from '../../contract/calls/allocation.ts';
import {
  addAllocationRule,
  auditAllocationRule,
  disableAllocationRule,
  enableAllocationRule,
  modifyAllocationRule,
  queryAllocationRuleDetail,
  queryAllocationRuleList,
  queryRuleFacts,
  submitAllocationRule,
} from '../../contract/calls/allocationRules.ts';
import { own } from '../database.ts';
import { keeper, makeEnabled, NONE, refusedFields } from '../testing/fixtures.ts';
import { makeSeller, paidOrder, partsOf, runOrderJob } from '../testing/fulfilment.ts';
import { goodsOf } from '../testing/orders.ts';
import { makeApprovedRule, makeRule, makeSubmittedRule, ruleInput } from '../testing/rules.ts';

let app: TestApp;
let as: TestStaff;
beforeAll(async () => {
  app = await startTestApp();
  as = await keeper(app);
});
afterAll(() => app.close());

const orderOf = (goodsCode: string, quantity = 1) => paidOrder(app, { lines: [{ goodsCode, quantity, unitPriceFen: 5_000 }] });
const supplierOf = async (orderId: string) => {
  await runOrderJob(app, 'order.allocate', { orderId });
  return (await partsOf(app, orderId)).map(({ supplierId }) => supplierId);
};
const condition = (variable: string, operator: '=' | 'contains' | '', value: string) => ({
  op: 'AND' as const,
  items: [{ variable, operator, value }],
});

describe('a rule', () => {
  it('is refused with what is wrong of its fields', async () => {
    const supplier = await makeEnabled(app);
    const refused = async (more: Parameters<typeof ruleInput>[3]) =>
      app.refused(addAllocationRule, ruleInput(app, 'GOODS-1', [supplier.id], more), { as });
    expect(refusedFields(await refused({ ruleName: '' }))).toEqual(['ruleName 请输入规则名称，2-30个字']);
    expect(refusedFields(await refused({ candidates: [] }))).toEqual(['candidates 请至少选择一个候选供应商']);
    expect(refusedFields(await refused({ effectiveTo: plusDays(app.clock.today(), -1) }))).toEqual(['effectiveTo 结束时间须晚于开始时间']);
    expect(refusedFields(await refused({ condition: condition('payableFen', '', '') }))).toEqual(['condition 请输入全部内容']);
    expect(refusedFields(await refused({ candidates: [{ supplierId: NONE, priority: 1, weightPct: 0 }] }))).toEqual([
      'candidates.0.supplierId 供应商不存在，请重新选择',
    ]);
    expect(await refused({ condition: condition('weather', '=', '晴') })).toMatchObject({
      code: 'SCM16052',
      message: '规则引用了不存在的变量：weather',
    });
    const weighted = { strategy: 'WEIGHTED' as const, candidates: [{ supplierId: supplier.id, priority: 1, weightPct: 99 }] };
    expect(await refused(weighted)).toMatchObject({ code: 'SCM16053', message: '比例之和必须为100%' });
    const rule = await makeRule(app);
    expect(refusedFields(await app.refused(addAllocationRule, rule.input, { as }))).toEqual(['ruleCode 规则编码已存在']);
  });

  it('is submitted once a hit and a miss pass, and approved by another person', async () => {
    const untested = await makeRule(app, { testCases: [] });
    const wrong = await makeRule(app, {
      testCases: [
        { name: '命中', expected: true, facts: [] },
        { name: '不命中', expected: false, facts: [] },
      ],
    });
    for (const { id, version } of [untested, wrong])
      expect(await app.refused(submitAllocationRule, { id, version }, { as })).toMatchObject({ code: 'SCM16050' });
    const rule = await makeSubmittedRule(app);
    const on = { id: rule.id, version: rule.version };
    expect(await app.refused(auditAllocationRule, { ...on, decision: 'approve' }, { as: rule.author })).toMatchObject({ code: 'SCM16013' });
    expect((await app.refused(auditAllocationRule, { ...on, decision: 'reject' }, { as })).code).toBe('SCM90020');
    const { ruleCode: _, ...facts } = rule.input;
    expect(await app.refused(modifyAllocationRule, { ...on, ...facts }, { as })).toMatchObject({ code: 'SCM90031' });
    const { version } = await app.ok(auditAllocationRule, { ...on, decision: 'reject', opinion: '请补充条件' }, { as });
    const changed = await app.ok(modifyAllocationRule, { ...facts, id: rule.id, version, ruleName: '改过的规则' }, { as: rule.author });
    expect(changed).toMatchObject({ id: rule.id, state: 'REJECTED' });
    const again = await app.ok(submitAllocationRule, { id: rule.id, version: changed.version }, { as: rule.author });
    expect(await app.ok(auditAllocationRule, { id: rule.id, version: again.version, decision: 'approve' }, { as })).toMatchObject({
      state: 'EFFECTIVE',
    });
    const detail = await app.ok(queryAllocationRuleDetail, { id: rule.id }, { as });
    expect(detail).toMatchObject({ rule: { phase: 'EFFECTIVE', ruleName: '改过的规则', ruleVersion: 1 }, approverName: as.displayName });
    expect(detail.trail.map(({ action }) => action)).toEqual(expect.arrayContaining(['submit', 'reject', 'modify', 'approve']));
  });

  it('in force changes by a next version, which takes its place on its day', async () => {
    const rule = await makeApprovedRule(app);
    const { ruleCode, ...facts } = rule.input;
    const from = plusDays(app.clock.today(), 5);
    const next = await app.ok(
      modifyAllocationRule,
      { ...facts, id: rule.id, version: rule.version, effectiveFrom: from },
      { as: rule.author },
    );
    expect(next.id).not.toBe(rule.id);
    const known = await app.ok(queryAllocationRuleDetail, { id: rule.id }, { as });
    expect(refusedFields(await app.refused(modifyAllocationRule, { ...facts, id: rule.id, version: known.rule.version }, { as }))).toEqual([
      'ruleName 规则已有未完结的版本V2，请在该版本上修改',
    ]);
    const submitted = await app.ok(submitAllocationRule, { id: next.id, version: next.version }, { as: rule.author });
    await app.ok(auditAllocationRule, { id: next.id, version: submitted.version, decision: 'approve' }, { as });
    const { rows } = await app.ok(queryAllocationRuleList, { rule: ruleCode }, { as });
    expect(rows.map(({ ruleVersion, phase, effectiveFrom, effectiveTo }) => ({ ruleVersion, phase, effectiveFrom, effectiveTo }))).toEqual([
      { ruleVersion: 2, phase: 'SCHEDULED', effectiveFrom: from, effectiveTo: null },
      { ruleVersion: 1, phase: 'EFFECTIVE', effectiveFrom: app.clock.today(), effectiveTo: plusDays(from, -1) },
    ]);
    const third = await app.ok(
      modifyAllocationRule,
      { ...facts, id: next.id, version: rows[0]!.version, effectiveFrom: from },
      { as: rule.author },
    );
    const last = await app.ok(submitAllocationRule, { id: third.id, version: third.version }, { as: rule.author });
    expect(await app.refused(auditAllocationRule, { id: third.id, version: last.version, decision: 'approve' }, { as })).toMatchObject({
      code: 'SCM16051',
      message: `生效区间与${ruleCode} V2重叠`,
    });
  });

  it('is put out of action at once and back by another person than its author', async () => {
    const rule = await makeApprovedRule(app);
    const { version } = await app.ok(disableAllocationRule, { id: rule.id, version: rule.version, opinion: '供应商停产' }, { as });
    const on = { id: rule.id, version };
    expect(await app.refused(enableAllocationRule, on, { as: rule.author })).toMatchObject({ code: 'SCM16013' });
    expect(await app.ok(enableAllocationRule, on, { as })).toMatchObject({ state: 'EFFECTIVE' });
  });

  it('that the program relies on stays', async () => {
    const last = await own(app.db).selectFrom('orderRule').selectAll().where('isFallback', '=', true).executeTakeFirstOrThrow();
    const on = { id: last.id, version: last.version };
    expect(await app.refused(disableAllocationRule, { ...on, opinion: '不再需要' }, { as })).toMatchObject({ code: 'SCM90031' });
    const { ruleCode: _, ...facts } = ruleInput(app, 'GOODS-1', [(await makeEnabled(app)).id]);
    expect(refusedFields(await app.refused(modifyAllocationRule, { ...on, ...facts }, { as }))).toEqual(['ruleName 兜底规则不能修改']);
  });

  it('is approved once by two persons at the same time', async () => {
    const rule = await makeSubmittedRule(app);
    const others = await Promise.all([keeper(app), keeper(app)]);
    const answers = await Promise.all(
      others.map((who) => app.send(auditAllocationRule, { id: rule.id, version: rule.version, decision: 'approve' }, { as: who })),
    );
    expect(answers.map(({ envelope }) => envelope.code).toSorted()).toEqual(['0000000', 'SCM90030']);
  });
});

describe('an order', () => {
  it('goes by the first rule whose condition holds, otherwise by the last of all', async () => {
    const goodsCode = await goodsOf(app);
    const [first, second] = [await makeSeller(app, { [goodsCode]: 9 }), await makeSeller(app, { [goodsCode]: 9 })];
    const before = await orderOf(goodsCode);
    expect(await supplierOf(before.orderId)).toEqual([first.id]);
    await makeApprovedRule(app, ruleInput(app, goodsCode, [second.id], { ruleCode: 'FIRST1', strategy: 'FIXED' }));
    const order = await orderOf(goodsCode);
    const trial = await app.ok(dryRunAllocation, { orderNo: order.orderNo }, { as });
    expect(trial).toMatchObject({ ruleText: 'FIRST1 V1', strategy: 'FIXED', parts: [{ supplierId: second.id }] });
    expect(await supplierOf(order.orderId)).toEqual([second.id]);
    const { rows } = await app.ok(queryAllocationRunList, { orderId: order.orderId }, { as });
    expect(rows).toMatchObject([{ ruleText: 'FIRST1 V1', strategy: 'FIXED' }]);
  });

  it('of many gives each supplier its share', async () => {
    const goodsCode = await goodsOf(app);
    const [a, b] = [await makeSeller(app, { [goodsCode]: 99 }), await makeSeller(app, { [goodsCode]: 99 })];
    const candidates = [
      { supplierId: a.id, priority: 1, weightPct: 70 },
      { supplierId: b.id, priority: 2, weightPct: 30 },
    ];
    await makeApprovedRule(app, ruleInput(app, goodsCode, [], { strategy: 'WEIGHTED', candidates }));
    const given: string[] = [];
    for (let n = 0; n < 10; n += 1) given.push(...(await supplierOf((await orderOf(goodsCode)).orderId)));
    expect(given.filter((id) => id === a.id)).toHaveLength(7);
    expect(given).toHaveLength(10);
  });

  it('shows what rules see of it, and what was bought before it', async () => {
    const goodsCode = await goodsOf(app);
    const earlier = await orderOf(goodsCode, 2);
    app.clock.advance(days(3));
    const patient = await own(app.db)
      .selectFrom('orderOrder')
      .select('patientId')
      .where('id', '=', earlier.orderId)
      .executeTakeFirstOrThrow();
    const order = await orderOf(goodsCode, 3);
    await own(app.db).updateTable('orderOrder').set(patient).where('id', '=', order.orderId).execute();
    const { facts } = await app.ok(queryRuleFacts, { orderNo: order.orderNo }, { as: await keeper(app) });
    const valueOf = (code: string) => facts.find(({ variable }) => variable === code)?.value;
    expect(valueOf('goodsCodes')).toBe(goodsCode);
    expect(valueOf('pieces')).toBe('3');
    expect(valueOf('isFirstOrder')).toBe('0');
    expect(valueOf('daysSinceLastSameGoods')).toBe('3');
    expect(valueOf('sameGoods30d')).toBe('2');
    expect(valueOf('provinceCode')).toBe('330000');
  });
});

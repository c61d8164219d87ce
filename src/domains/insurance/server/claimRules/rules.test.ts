import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InputOf } from '#kernel/contract/call.ts';
import type { Operator } from '#kernel/contract/rules/rule.ts';
import { plusDays } from '#kernel/contract/time.ts';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { boxes, claimOf } from '../../contract/testing/specs.ts';
import { addClaimRule, modifyClaimRule, removeClaimRule } from '../../contract/claimRules/calls.ts';
import { trialAdjudicate } from '../../contract/claimRules/trial.ts';
import { queryTestCaseList, runTestCases } from '../../contract/tests/calls.ts';
import { keeper, makeDraft, proveDraft, publish, type Draft } from '../testing/products.ts';

let app: TestApp;
let maker: TestStaff;
let draft: Draft;
beforeAll(async () => {
  app = await startTestApp();
  maker = await keeper(app);
  draft = await makeDraft(app, maker, plusDays(app.clock.today(), 5));
});
afterAll(() => app.close());

type Rule = InputOf<typeof addClaimRule>;
const when = (variable: string, operator: Operator | '', value: string): Rule['expression'] => ({
  op: 'AND',
  items: [{ variable, operator, value }],
});
const rule = (expression = when('line.qty', '>', '2'), other: Partial<Rule> = {}): Rule => ({
  productVersionId: draft.productVersionId,
  ruleCode: 'QTY2',
  ruleName: '每次最多两盒',
  ruleType: 'AMOUNT',
  benefitCodes: [],
  claimTypes: [],
  expression,
  outcome: 'REJECT_LINE',
  materialTypes: [],
  reasonCode: 'L06',
  applicantText: '每次购药不超过两盒',
  internalNote: '',
  priority: 1,
  enabled: true,
  ...other,
});

describe('a claim rule', () => {
  it.each<[string, Rule['expression'], string, string]>([
    ['no value', when('line.qty', '>', ''), 'SCM12021', '请输入全部内容'],
    ['no operator', when('line.qty', '', '1'), 'SCM12021', '请输入全部内容'],
    ['a range that runs backwards', when('line.qty', 'range', '5,2'), 'SCM12029', '区间起始值不能大于结束值'],
    ['a Chinese comma', when('line.qty', 'range', '5，2'), 'SCM12027', '请输入正确的格式:数字+英文逗号+数字'],
    ['four decimals', when('line.qty', '>', '1.2345'), 'SCM12028', '小数点后面最多三位小数'],
    ['a variable of another stage', when('claim.payable', '>', '1'), 'SCM12020', '变量“核定金额”不适用于该环节'],
    ['no such variable', when('line.colour', '=', '1'), 'SCM12020', '变量“line.colour”不适用于该环节'],
  ])('is refused with %s (acceptance 14)', async (_what, expression, code, message) => {
    expect(await app.refused(addClaimRule, rule(expression), { as: maker })).toMatchObject({ code, message });
  });

  it.each<[string, Partial<Rule>]>([
    ['materialTypes', { outcome: 'REQUIRE_MATERIAL', reasonCode: null }],
    ['reasonCode', { reasonCode: null }],
    ['benefitCodes', { benefitCodes: ['NONE'] }],
  ])('names the field %s that is missing or wrong', async (name, other) => {
    const refused = await app.refused(addClaimRule, rule(undefined, other), { as: maker });
    expect(refused).toMatchObject({ code: 'SCM90020', fields: [{ path: name }] });
  });

  it('cuts what it is about, throws away what test cases said, and is fixed with its version', async () => {
    await proveDraft(app, maker, draft);
    const viewer = await keeper(app, ['insurance.product.edit']);
    expect(await app.refused(addClaimRule, rule(), { as: viewer })).toMatchObject({ code: 'SCM90010' });
    const added = await app.ok(addClaimRule, rule(), { as: maker });
    expect(await app.refused(addClaimRule, rule(), { as: maker })).toMatchObject({
      fields: [{ path: 'ruleCode', message: '规则编码已存在' }],
    });
    const { productVersionId } = draft;
    const seen = await app.ok(queryTestCaseList, { productVersionId }, { as: maker });
    expect(seen.map(({ lastResult }) => lastResult)).toEqual(['NEVER', 'NEVER', 'NEVER']);
    const result = await app.ok(
      trialAdjudicate,
      { productVersionId, input: claimOf([boxes(1, '1', 3, 100), boxes(2, '1', 2, 100)]) },
      { as: maker },
    );
    expect(result.lines.map(({ payableFen, reasons }) => [payableFen, reasons])).toEqual([
      [0, [{ code: 'L06', wording: '每次购药不超过两盒' }]],
      [160, [{ code: 'L11', wording: expect.stringContaining('80%') }]],
    ]);
    expect(await app.ok(runTestCases, { productVersionId }, { as: maker })).toMatchObject({ passed: 2, failed: 1 });

    const stale = { ...rule(), claimRuleId: added.claimRuleId, version: 9 };
    const { productVersionId: _, ...change } = stale;
    expect(await app.refused(modifyClaimRule, change, { as: maker })).toMatchObject({ code: 'SCM90030' });
    const modified = await app.ok(
      modifyClaimRule,
      { ...change, version: 1, expression: when('line.qty', '>', '3'), enabled: true },
      { as: maker },
    );
    expect(await app.ok(runTestCases, { productVersionId }, { as: maker })).toMatchObject({ passed: 3, fault: '规则QTY2没有命中的用例' });
    await app.ok(removeClaimRule, modified, { as: maker });
    const another = await app.ok(addClaimRule, rule(when('line.qty', '>', '0'), { outcome: 'WARN', reasonCode: null }), {
      as: maker,
    });
    await app.ok(runTestCases, { productVersionId }, { as: maker });
    await publish(app, maker, await keeper(app), draft);
    expect(await app.refused(removeClaimRule, another, { as: maker })).toMatchObject({
      code: 'SCM12023',
      message: '规则已发布，请新建版本修改',
    });
  });
});

import * as z from 'zod/mini';
import { ordered } from '#kernel/contract/between.ts';
import { field } from '#kernel/contract/field.ts';
import { day, dayOut, flag, id, idOut, instantOut, int4, optionalDay, text, textOrNull, version } from '#kernel/contract/fields.ts';
import { actionsOf } from '#kernel/contract/offeredActions.ts';
import { completeGroup, conditionGroup } from '#kernel/contract/rules/groups.ts';
import { ruleMachine, rulePhases } from '../ruleStates.ts';

// What rules about orders have in common, whatever they decide.

const MOST_CASES = 20;
const whole = (label: string, most: number) =>
  int4(`${label}须为整数`).check(z.minimum(1, `${label}须大于0`), z.maximum(most, `${label}不能大于${most}`));

export const ruleCode = field(
  '规则编码',
  z.string('请输入规则编码').check(z.regex(/^[A-Z][A-Z0-9]{1,19}$/, '规则编码为2-20位大写字母和数字，且以字母开头')),
);
const ruleName = field(
  '规则名称',
  z.string('请输入规则名称').check(z.trim(), z.minLength(2, '请输入规则名称，2-30个字'), z.maxLength(30, '规则名称最多30个字')),
);
/** An order as a test case says it; a variable that it leaves out is not known. */
const factInput = z.strictObject({
  variable: field('变量', z.string('请选择变量').check(z.maxLength(60, '变量不正确'))),
  value: text('变量值', 200, 1),
});
export const testCase = z.strictObject({
  name: text('用例名称', 40, 1),
  expected: field('应命中', flag),
  facts: field('订单情况', z.array(factInput).check(z.maxLength(30, '订单情况最多30项'))),
});
export type RuleTestCase = z.output<typeof testCase>;

export const ruleFacts = {
  ruleName,
  priority: field('优先级', whole('优先级', 998)),
  condition: conditionGroup,
  effectiveFrom: field('生效日期', day),
  effectiveTo: field('失效日期', optionalDay),
  testCases: field('测试用例', z._default(z.array(testCase).check(z.maxLength(MOST_CASES, `测试用例最多${MOST_CASES}个`)), [])),
};
export const ruleDays = ordered('effectiveFrom', 'effectiveTo', '结束时间须晚于开始时间');

export const onRule = { id: field('规则', id), version };
export const ruleRow = {
  id: idOut,
  priority: field('优先级', z.int(), { width: 80 }),
  ruleCode: field('规则编码', z.string(), { width: 110 }),
  ruleName: field('规则名称', z.string(), { width: 180 }),
  ruleVersion: field('版本', z.int(), { width: 70 }),
  conditionText: field('适用条件', z.string(), { width: 300 }),
  effectiveFrom: field('生效日期', dayOut, { width: 110 }),
  effectiveTo: field('失效日期', z.nullable(dayOut), { width: 110 }),
  phase: field('状态', rulePhases.schema, { width: 90 }),
  updatedBy: field('修改人', textOrNull, { width: 90 }),
  updatedAt: field('修改时间', instantOut),
  version: z.int(),
  allowedActions: actionsOf(ruleMachine),
};
/** What the detail of a rule shows besides its row. */
export const ruleDetail = {
  condition: z.nullable(completeGroup),
  testCases: z.array(z.strictObject({ ...testCase.shape, passed: z.boolean(), expectedText: z.string(), factsText: z.string() })),
  approverName: field('审批人', textOrNull),
  versions: z.array(
    z.strictObject({
      id: idOut,
      ruleVersion: z.int(),
      phase: rulePhases.schema,
      effectiveFrom: dayOut,
      effectiveTo: z.nullable(dayOut),
    }),
  ),
};

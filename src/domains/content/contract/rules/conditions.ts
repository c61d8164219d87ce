import * as z from 'zod/mini';
import { field } from '#kernel/contract/field.ts';
import { extendedOperators, type Condition, type RuleVariable } from '#kernel/contract/rules/rule.ts';
import { sentenceOf } from '#kernel/contract/rules/sentence.ts';
import type { RuleFault } from '#kernel/contract/rules/texts.ts';
import { faultOfCondition } from '#kernel/contract/rules/validate.ts';

export const MOST_CONDITIONS = 20;

export const conditionRow = z.strictObject({
  variableCode: field('变量', z.string().check(z.maxLength(60))),
  operator: field('运算符', z.enum(extendedOperators, '请选择运算符')),
  value: field('条件值', z.string().check(z.trim(), z.maxLength(200, '条件值最多200个字符'))),
  /** Rows of one group are joined with 且, groups with 或. */
  groupNo: field('条件组', z.int().check(z.minimum(1), z.maximum(MOST_CONDITIONS))),
});
export type ConditionRow = z.output<typeof conditionRow>;

export const conditionRows = field('条件', z.array(conditionRow).check(z.maxLength(MOST_CONDITIONS, `最多${MOST_CONDITIONS}个条件`)));

/** The first fault of the rows; a rule without rows is incomplete, and so is one that asks what nobody knows. */
export function faultOfRows(rows: readonly ConditionRow[], variableOf: (code: string) => RuleVariable | undefined): RuleFault | null {
  if (rows.length === 0) return 'INCOMPLETE';
  for (const { variableCode, operator, value } of rows) {
    const variable = variableOf(variableCode);
    const fault = variable ? faultOfCondition(variable, operator, value) : 'INCOMPLETE';
    if (fault) return fault;
  }
  return null;
}

/** The rows as the kernel judges them. */
export const conditionsOf = (rows: readonly ConditionRow[]): Condition[] => rows.map((row) => ({ ...row, effective: true }));

export const sentenceOfRows = (rows: readonly ConditionRow[], variableOf: (code: string) => RuleVariable | undefined): string =>
  sentenceOf(conditionsOf(rows), variableOf, ({ name }) => name);

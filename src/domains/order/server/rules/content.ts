import * as z from 'zod/mini';
import { refuse, refuseField } from '#kernel/contract/errors.ts';
import { completeGroup, explainGroup, type ConditionGroup, type DraftGroup, type TypedFacts } from '#kernel/contract/rules/groups.ts';
import { ruleTexts } from '#kernel/contract/rules/texts.ts';
import { faultOfGroup, fitsBounds, isComplete, typedValueLabel } from '#kernel/contract/rules/typed.ts';
import { listOf } from '#kernel/contract/rules/validate.ts';
import type { RuleTestCase } from '../../contract/calls/ruleFields.ts';
import { orderErrors } from '../../contract/errors.ts';
import { orderVariable } from '../../contract/rules/variables.ts';

export const conditionOf = (stored: unknown): z.output<typeof completeGroup> | null =>
  stored === null ? null : z.parse(completeGroup, stored);

/** @throws Refusal SCM16052 for a variable that no order has, SCM90020 at the condition for what is not whole */
export function requireCondition(condition: DraftGroup): ConditionGroup {
  if (isComplete(condition, orderVariable)) {
    if (!fitsBounds(condition)) throw refuseField('condition', '条件最多3层、30条');
    return condition;
  }
  const fault = faultOfGroup(condition, orderVariable);
  if (fault?.fault === 'UNKNOWN_VARIABLE') throw refuse(orderErrors.VARIABLE_UNKNOWN, { name: fault.variable });
  throw refuseField('condition', ruleTexts[fault?.fault ?? 'INCOMPLETE']);
}

/** @throws Refusal SCM16052, SCM90020 for a variable that a case says twice */
export function requireCases(cases: readonly RuleTestCase[]): void {
  for (const [at, { facts }] of cases.entries()) {
    const unknown = facts.find(({ variable }) => !orderVariable(variable));
    if (unknown) throw refuse(orderErrors.VARIABLE_UNKNOWN, { name: unknown.variable });
    if (new Set(facts.map(({ variable }) => variable)).size !== facts.length)
      throw refuseField(`testCases.${at}.facts`, '同一变量只能填写一次');
  }
}

const asFacts = ({ facts }: RuleTestCase): TypedFacts =>
  Object.fromEntries(
    facts.map(({ variable, value }) => [variable, orderVariable(variable)?.kind === 'SET' ? listOf(value) : value] as const),
  );

/** Whether a rule answers a case as it should; what nobody knows is no hit. */
export const passes = (condition: ConditionGroup, one: RuleTestCase): boolean =>
  (explainGroup(condition, asFacts(one)).truth === 'TRUE') === one.expected;

/** @throws Refusal SCM16050 unless there is a hit and a miss, and all cases pass */
export function requireProof(condition: ConditionGroup, cases: readonly RuleTestCase[]): void {
  const isWhole = cases.some(({ expected }) => expected) && cases.some(({ expected }) => !expected);
  if (!isWhole || !cases.every((one) => passes(condition, one))) throw refuse(orderErrors.TESTS_FAIL);
}

export const valueText = (variable: string, value: string): string => {
  const known = orderVariable(variable);
  return known ? typedValueLabel(known, value) : value;
};
export const factsText = (facts: RuleTestCase['facts']): string =>
  facts.map(({ variable, value }) => `${orderVariable(variable)?.name ?? variable}：${valueText(variable, value)}`).join('；');

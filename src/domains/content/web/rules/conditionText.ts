import { sentenceOf, valueLabel } from '#kernel/contract/rules/sentence.ts';
import type { RuleVariableRow } from '../../contract/rules/calls.ts';
import type { ConditionRow } from '../../contract/rules/conditions.ts';
import type { SampleRow } from '../../contract/rules/runCalls.ts';

type Variables = readonly RuleVariableRow[];

const finder = (variables: Variables) => (code: string) => variables.find((variable) => variable.code === code);

/** One condition in words. */
export const conditionText = (row: Pick<ConditionRow, 'variableCode' | 'operator' | 'value' | 'groupNo'>, variables: Variables): string =>
  sentenceOf([{ ...row, effective: true }], finder(variables), ({ name }) => name) || row.variableCode;

/** Whether a condition held for an object, and at which value. */
export function explainedText(row: SampleRow['explain'][number], variables: Variables): string {
  const variable = finder(variables)(row.variableCode);
  const value = row.fact === null ? '无数据' : variable ? valueLabel(variable, row.fact) : row.fact;
  return `${conditionText(row, variables)}：${row.verdict === 'HELD' ? '满足' : '不满足'}（${value}）`;
}

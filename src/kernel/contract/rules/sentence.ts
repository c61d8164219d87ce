import type { Condition, Operator, RuleVariable } from './rule.ts';
import { listOf } from './validate.ts';

/** How an operator is written for people. */
export const operatorLabel: Record<Operator, string> = {
  '>': '>',
  '<': '<',
  '=': '=',
  '>=': '≥',
  '<=': '≤',
  range: '区间',
  in: '属于',
  'not in': '不属于',
  contains: '包含',
  'not contains': '不含',
};

/** A condition value for people: option labels instead of digits, the unit behind a number. */
export function valueLabel(variable: RuleVariable, value: string): string {
  if (variable.valueType === 'OPTION') {
    return listOf(value)
      .map((item) => variable.options.find((option) => option.value === item)?.label ?? item)
      .join('、');
  }
  return variable.unit === '' ? value : `${value} ${variable.unit}`;
}

const phrase = (subject: string, variable: RuleVariable, condition: Condition): string => {
  if (condition.operator === 'range') {
    const [left = '', right = ''] = condition.value.split(',');
    return `${subject} 在 ${left} 至 ${valueLabel(variable, right)} 之间（含）`;
  }
  return `${subject} ${operatorLabel[condition.operator]} ${valueLabel(variable, condition.value)}`;
};

/**
 * The rule as one Chinese sentence of its effective rows: `患者.年龄 ≥ 18 岁 且 …`; groups are joined with 或.
 * @param subjectOf how a row's variable is called, with its owner in front where there are several
 */
export function sentenceOf(
  conditions: readonly Condition[],
  variableOf: (code: string) => RuleVariable | undefined,
  subjectOf: (variable: RuleVariable) => string,
): string {
  const groups = new Map<number, string[]>();
  for (const condition of conditions) {
    const variable = variableOf(condition.variableCode);
    if (!condition.effective || variable === undefined) continue;
    const phrases = groups.get(condition.groupNo) ?? [];
    phrases.push(phrase(subjectOf(variable), variable, condition));
    groups.set(condition.groupNo, phrases);
  }
  const ordered = [...groups].sort(([a], [b]) => a - b).map(([, phrases]) => phrases);
  const joined = ordered.map((phrases) => phrases.join(' 且 '));
  return ordered.length > 1 ? joined.map((text) => `（${text}）`).join(' 或 ') : (joined[0] ?? '');
}

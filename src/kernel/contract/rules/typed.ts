import { yuan } from '../money.ts';
import { isDay } from '../time.ts';
import { isGroup, MAX_GROUP_CONDITIONS, MAX_GROUP_DEPTH, operatorsOfKind, conditionsIn, depthOf } from './groups.ts';
import type { ConditionGroup, DraftGroup, TypedCondition, TypedKind, TypedVariable } from './groups.ts';
import type { Operator, RuleVariable } from './rule.ts';
import { operatorLabel } from './sentence.ts';
import type { RuleFault } from './texts.ts';
import { faultOfCondition, listOf } from './validate.ts';

export const truthOptions = [
  { value: '1', label: '是' },
  { value: '0', label: '否' },
];

/** As the kernel's plain conditions know the variable. */
const plainOf = (variable: TypedVariable, valueType: RuleVariable['valueType']): RuleVariable => ({
  ...variable,
  valueType,
  decimals: 0,
  operators: operatorsOfKind[variable.kind],
  options: variable.kind === 'BOOL' ? truthOptions : variable.options,
});

const faultOfDays = (operator: string, value: string): RuleFault | null => {
  const days = value.split(',');
  if (days.length !== (operator === 'range' ? 2 : 1) || days.includes('')) return 'INCOMPLETE';
  if (days.some((one) => !isDay(one))) return 'DAY';
  return operator === 'range' && days[0]! > days[1]! ? 'RANGE_ORDER' : null;
};

/** Amounts in fen; an end that is still to be typed is no fault of form, and nothing is an amount too. */
const faultOfAmounts = (value: string): RuleFault | null => {
  const amounts = value.split(',');
  if (amounts.length !== 2 || amounts.includes('')) return 'INCOMPLETE';
  if (amounts.some((one) => !/^\d+$/.test(one))) return 'RANGE_FORMAT';
  return BigInt(amounts[0]!) > BigInt(amounts[1]!) ? 'RANGE_ORDER' : null;
};

const plainKind: Readonly<Record<Exclude<TypedKind, 'DATE' | 'SET'>, RuleVariable['valueType']>> = {
  NUMBER: 'NUMBER',
  MONEY: 'NUMBER',
  OPTION: 'OPTION',
  BOOL: 'OPTION',
  TEXT: 'TEXT',
};

/** Texts of a variable without options are free. */
const isFree = ({ kind, options }: TypedVariable) => (kind === 'OPTION' || kind === 'SET') && options.length === 0;

/** First fault of a condition as it is stored; null when it is right. */
export function faultOfTyped(variable: TypedVariable, { operator, value }: { operator: string; value: string }): RuleFault | null {
  if (operator === '' || value.trim() === '') return 'INCOMPLETE';
  if (!operatorsOfKind[variable.kind].some((one) => one === operator)) return 'OPERATOR';
  if (variable.kind === 'DATE') return faultOfDays(operator, value);
  if (variable.kind === 'MONEY' && operator === 'range') return faultOfAmounts(value);
  if (variable.kind === 'SET' || isFree(variable)) {
    const items = listOf(value);
    if (items.includes('')) return 'LIST_FORMAT';
    return isFree(variable) || items.every((one) => variable.options.some((option) => option.value === one)) ? null : 'OPTION';
  }
  return faultOfCondition(plainOf(variable, plainKind[variable.kind]), operator, value);
}

export type GroupFault = { path: string; variable: string } & ({ fault: RuleFault } | { fault: 'UNKNOWN_VARIABLE' });

/** A draft whose every condition is right. */
export const isComplete = (
  group: DraftGroup,
  variableOf: (code: string) => TypedVariable | undefined,
): group is DraftGroup & ConditionGroup => faultOfGroup(group, variableOf) === null;

/** First fault of a whole rule; one without conditions, or with an empty group, is incomplete. */
export function faultOfGroup(group: DraftGroup, variableOf: (code: string) => TypedVariable | undefined): GroupFault | null {
  type Item = DraftGroup['items'][number];
  const walk = (items: readonly Item[], prefix: string): GroupFault | null => {
    if (items.length === 0) return { path: prefix, variable: '', fault: 'INCOMPLETE' };
    for (const [index, item] of items.entries()) {
      const path = `${prefix}${index}`;
      if ('items' in item) {
        const fault = walk(item.items, `${path}.`);
        if (fault) return fault;
        continue;
      }
      const { variable: code } = item;
      if (code === '') return { path, variable: '', fault: 'INCOMPLETE' };
      const variable = variableOf(code);
      if (!variable) return { path, variable: code, fault: 'UNKNOWN_VARIABLE' };
      const fault = faultOfTyped(variable, item);
      if (fault) return { path, variable: code, fault };
    }
    return null;
  };
  return walk(group.items, '');
}

/** Whether the rule is within the bounds of size. */
export const fitsBounds = (group: ConditionGroup): boolean =>
  depthOf(group) <= MAX_GROUP_DEPTH && conditionsIn(group).length <= MAX_GROUP_CONDITIONS;

/** A stored value for people: labels, yuan, the unit behind. */
export function typedValueLabel(variable: TypedVariable, value: string): string {
  const one = (item: string) => {
    switch (variable.kind) {
      case 'MONEY':
        return /^-?\d+$/.test(item) ? `${yuan(item, true)}元` : item;
      case 'BOOL':
        return truthOptions.find((option) => option.value === item)?.label ?? item;
      case 'OPTION':
      case 'SET':
        return variable.options.find((option) => option.value === item)?.label ?? item;
      default:
        return variable.unit === '' ? item : `${item}${variable.unit}`;
    }
  };
  return variable.kind === 'TEXT' ? value : listOf(value).map(one).join('、');
}

const signs: Partial<Record<Operator, string>> = { range: '在', contains: '包含' };

function phrase(variable: TypedVariable | undefined, { variable: code, operator, value }: TypedCondition): string {
  if (!variable) return `${code} ${operatorLabel[operator]} ${value}`;
  if (operator === 'range') {
    const [left = '', right = ''] = value.split(',');
    return `${variable.name} 在 ${typedValueLabel(variable, left)} 至 ${typedValueLabel(variable, right)} 之间`;
  }
  return `${variable.name} ${signs[operator] ?? operatorLabel[operator]} ${typedValueLabel(variable, value)}`;
}

/** The rule as a Chinese sentence; a group within another is put in brackets. */
export function sentenceOfGroup(group: ConditionGroup, variableOf: (code: string) => TypedVariable | undefined): string {
  const word = group.op === 'AND' ? ' 且 ' : ' 或 ';
  return group.items
    .map((item) => (isGroup(item) ? `（${sentenceOfGroup(item, variableOf)}）` : phrase(variableOf(item.variable), item)))
    .join(word);
}

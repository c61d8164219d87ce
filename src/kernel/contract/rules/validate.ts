import { compareDecimals } from './decimal.ts';
import type { Operator, RuleVariable } from './rule.ts';
import { MAX_DECIMALS } from './rule.ts';
import type { RuleFault } from './texts.ts';

/** Digits and one dot between them. */
const PLAIN = /^\d+(?:\.(\d+))?$/;
const RANGE = /^(\d+(?:\.(\d+))?),(\d+(?:\.(\d+))?)$/;

const tooLong = (fraction: string | undefined) => (fraction?.length ?? 0) > MAX_DECIMALS;

const faultOfNumber = (value: string): RuleFault | null => {
  const match = PLAIN.exec(value);
  if (!match) return 'NUMBER_FORMAT';
  return tooLong(match[1]) ? 'DECIMALS' : null;
};

/** `number,number`: two positive numbers, at most three decimals each, the left one not above the right one. */
const faultOfRange = (value: string): RuleFault | null => {
  const match = RANGE.exec(value);
  if (!match) return 'RANGE_FORMAT';
  const [, left, leftFraction, right, rightFraction] = match;
  if (compareDecimals(left!, '0') === 0 || compareDecimals(right!, '0') === 0) return 'RANGE_FORMAT';
  if (tooLong(leftFraction) || tooLong(rightFraction)) return 'DECIMALS';
  return compareDecimals(left!, right!) > 0 ? 'RANGE_ORDER' : null;
};

const faultOfItem = (variable: RuleVariable, value: string): RuleFault | null => {
  switch (variable.valueType) {
    case 'NUMBER':
      return faultOfNumber(value);
    case 'OPTION':
      return variable.options.some((option) => option.value === value) ? null : 'OPTION';
    case 'TEXT':
      return null;
  }
};

/** Values of `in` and `not in`, joined by English commas. */
export const listOf = (value: string): string[] => value.split(',').map((item) => item.trim());

/**
 * Checks operator and value of one condition against its variable.
 * @returns the first fault, whose text is in `ruleTexts`; null when the condition is right
 */
export function faultOfCondition(variable: RuleVariable, operator: string, value: string): RuleFault | null {
  if (operator === '' || value === '') return 'INCOMPLETE';
  if (!variable.operators.includes(operator as Operator)) return 'OPERATOR';
  switch (operator as Operator) {
    case 'range':
      return variable.valueType === 'NUMBER' ? faultOfRange(value) : 'OPERATOR';
    case 'in':
    case 'not in': {
      const items = listOf(value);
      if (items.includes('')) return 'LIST_FORMAT';
      return items.map((item) => faultOfItem(variable, item)).find((fault) => fault !== null) ?? null;
    }
    case 'contains':
    case 'not contains':
      return variable.valueType === 'TEXT' ? null : 'OPERATOR';
    default:
      return variable.valueType === 'TEXT' && operator !== '=' ? 'OPERATOR' : faultOfItem(variable, value);
  }
}

/** What a number field keeps of typed text: digits, the first dot, at most three decimals. */
export function keepNumber(typed: string): string {
  const [whole = '', ...rest] = typed.replaceAll(/[^\d.]/g, '').split('.');
  return rest.length === 0 ? whole : `${whole}.${rest.join('').slice(0, MAX_DECIMALS)}`;
}

/** Completes a number when its field is left: `.5` → `0.5`, `25.` → `25`. */
export function tidyNumber(kept: string): string {
  const [whole = '', fraction = ''] = kept.split('.');
  if (whole === '' && fraction === '') return '';
  return fraction === '' ? whole : `${whole === '' ? '0' : whole}.${fraction}`;
}

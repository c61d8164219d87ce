import type { DraftGroup } from '#kernel/contract/rules/groups.ts';
import { isDecimal } from '#kernel/contract/rules/decimal.ts';
import { ruleVariable } from './variables.ts';

/** Moves the decimal point of a decimal text: `950.5` two to the right is `95050`. What is no number stays as it is. */
function shifted(text: string, by: number): string {
  if (!isDecimal(text)) return text;
  const negative = text.startsWith('-');
  const [whole = '', fraction = ''] = text.replace(/^[+-]/, '').split('.');
  // Enough zeros on both sides, so that the point always stands between digits.
  const digits = '00' + whole + fraction + '00';
  const point = 2 + whole.length + by;
  const left = digits.slice(0, point).replace(/^0+(?=\d)/, '');
  const right = digits.slice(point).replace(/0+$/, '');
  return `${negative ? '-' : ''}${left}${right === '' ? '' : `.${right}`}`;
}

const each = (value: string, by: number) =>
  value
    .split(',')
    .map((part) => shifted(part, by))
    .join(',');

const moved = (variable: string, value: string, by: number): string => (ruleVariable(variable)?.kind === 'MONEY' ? each(value, by) : value);

/** A fact as it is typed, as rules take it: several values of a set are separated by commas. */
export function storedFact(variable: string, typed: string): string | string[] | null {
  const text = typed.trim();
  if (text === '') return null;
  const kind = ruleVariable(variable)?.kind;
  if (kind === 'SET') return text.split(/[,，]/).map((one) => one.trim());
  return kind === 'MONEY' ? each(text, 2) : text;
}

export function typedFact(variable: string, stored: string | readonly string[] | null): string {
  if (stored === null) return '';
  if (typeof stored !== 'string') return stored.join(',');
  return moved(variable, stored, -2);
}

/** All variables of a draft, each once. */
export function variablesIn(group: DraftGroup): string[] {
  const walk = (items: DraftGroup['items']): string[] =>
    items.flatMap((item) => ('items' in item ? walk(item.items as DraftGroup['items']) : item.variable === '' ? [] : [item.variable]));
  return [...new Set(walk(group.items))];
}

import { compareDecimals, decimalsOf } from '#kernel/contract/rules/decimal.ts';
import { refuse, refuseField } from '#kernel/contract/errors.ts';
import type { IndicatorFlag } from '../../contract/dictionaries.ts';
import { patientErrors } from '../../contract/errors.ts';
import { indicatorOf, referenceFor, type IndicatorDefinition } from '../../contract/indicators.ts';

const PLACES = 3;
const SCALE = 10n ** BigInt(PLACES);

const scaled = (text: string): { amount: bigint; digits: number } => {
  const [whole = '0', fraction = ''] = text.split('.');
  return { amount: BigInt(whole + fraction), digits: fraction.length };
};
const textOf = (thousandths: bigint): string => {
  const digits = thousandths.toString().padStart(PLACES + 1, '0');
  return `${digits.slice(0, -PLACES)}.${digits.slice(-PLACES)}`.replace(/\.?0+$/, '');
};

/** `value × num ÷ den + add`, half up to three decimals, in whole numbers only. */
export function convertDecimal(value: string, { num, den, add = '0' }: { num: string; den: string; add?: string | undefined }): string {
  const [v, n, d, a] = [scaled(value), scaled(num), scaled(den), scaled(add)];
  const top = v.amount * n.amount * 10n ** BigInt(d.digits) * SCALE;
  const bottom = d.amount * 10n ** BigInt(v.digits + n.digits);
  const more = 10n ** BigInt(a.digits);
  const numerator = top * more + a.amount * SCALE * bottom;
  const denominator = bottom * more;
  return textOf((numerator * 2n + denominator) / (denominator * 2n));
}

const sameUnit = (unit: string) =>
  unit.replaceAll(/\s/g, '').toLowerCase().replaceAll('µ', 'μ').replace(/^umol/, 'μmol').replace(/^ug/, 'μg');

/** @throws Refusal SCM09044 for a unit that nobody can convert */
function toOwnUnit(definition: IndicatorDefinition, value: string, unit: string): string {
  if (sameUnit(unit) === sameUnit(definition.unit)) return convertDecimal(value, { num: '1', den: '1' });
  const conversion = definition.conversions.find((one) => sameUnit(one.unit) === sameUnit(unit));
  if (!conversion) throw refuse(patientErrors.UNIT, { name: definition.name });
  return convertDecimal(value, conversion);
}

const outside = (value: string, low: string | null, high: string | null): 'L' | 'H' | null =>
  low !== null && compareDecimals(value, low) < 0 ? 'L' : high !== null && compareDecimals(value, high) > 0 ? 'H' : null;

export interface Entered {
  code: string;
  value: string;
  unit: string;
  refLow: string | null;
  refHigh: string | null;
}
export interface Measured {
  code: string;
  value: string;
  unit: string;
  rawValue: string;
  rawUnit: string;
  refLow: string | null;
  refHigh: string | null;
  flag: IndicatorFlag;
}

/**
 * A value of a report in the indicator's own unit with its flag: by the report's own range, else the dictionary's by
 * gender and age; beyond the critical range it is C whatever the report says (R4).
 * @throws Refusal SCM09044, SCM09046
 */
export function measure(entered: Entered, person: { gender: number; age: number | null }): Measured {
  const definition = indicatorOf(entered.code);
  if (!definition) throw refuseField('indicators', `没有指标${entered.code}`);
  const given = [entered.value, entered.refLow, entered.refHigh].filter((text) => text !== null);
  if (given.some((text) => decimalsOf(text) > PLACES)) throw refuse(patientErrors.DECIMALS);
  const value = toOwnUnit(definition, entered.value, entered.unit);
  if (compareDecimals(value, '999999999') > 0) throw refuseField('indicators', `${definition.name}数值过大`);
  const ownRange = entered.refLow !== null || entered.refHigh !== null;
  const own = (text: string | null) => (text === null ? null : toOwnUnit(definition, text, entered.unit));
  const range = ownRange ? { low: own(entered.refLow), high: own(entered.refHigh) } : referenceFor(definition, person.gender, person.age);
  const flag =
    outside(value, definition.critical.low, definition.critical.high) === null ? (outside(value, range.low, range.high) ?? 'N') : 'C';
  return {
    code: definition.code,
    value,
    unit: definition.unit,
    rawValue: entered.value,
    rawUnit: entered.unit,
    refLow: range.low,
    refHigh: range.high,
    flag,
  };
}

import { indicatorOf, referenceFor } from '../../../contract/indicators.ts';
import type { IndicatorOut } from '../../../contract/modules.ts';

/** A decimal of at most three places as typed; null when it is none. */
const decimalOf = (typed: string): string | null => (/^\d{1,9}(\.\d{1,3})?$/.test(typed.trim()) ? typed.trim() : null);

/** One line of the form: texts as typed. */
export interface IndicatorRow {
  key: number;
  code: string | null;
  value: string;
  unit: string;
  refLow: string;
  refHigh: string;
}

let nextKey = 1;
export const emptyRow = (): IndicatorRow => ({ key: nextKey++, code: null, value: '', unit: '', refLow: '', refHigh: '' });
/** As the report said it, so that checking compares paper with paper. */
export const rowOf = (one: IndicatorOut): IndicatorRow => ({
  key: nextKey++,
  code: one.code,
  value: one.rawValue,
  unit: one.rawUnit,
  refLow: one.rawUnit === one.unit ? (one.refLow ?? '') : '',
  refHigh: one.rawUnit === one.unit ? (one.refHigh ?? '') : '',
});

const filled = (rows: readonly IndicatorRow[]): IndicatorRow[] => rows.filter(({ code, value }) => code !== null || value.trim() !== '');

/** First fault of the lines, as the operator reads it. */
export function faultOfRows(rows: readonly IndicatorRow[]): string | null {
  const known = new Set<string>();
  for (const row of filled(rows)) {
    const definition = row.code === null ? undefined : indicatorOf(row.code);
    if (!definition) return '请选择指标';
    if (known.has(definition.code)) return `指标${definition.name}重复填写`;
    known.add(definition.code);
    if (!decimalOf(row.value)) return `请输入${definition.name}的数值，最多三位小数`;
    if ([row.refLow, row.refHigh].some((text) => text.trim() !== '' && !decimalOf(text))) return `${definition.name}的参考范围须为数字`;
  }
  return null;
}

/** Values ten times outside of their reference: surely a slip of the finger, so they are asked for again. */
export function farOutside(rows: readonly IndicatorRow[], person: { gender: number; age: number | null }): string[] {
  return filled(rows).flatMap((row) => {
    const definition = row.code === null ? undefined : indicatorOf(row.code);
    if (!definition) return [];
    const own = referenceFor(definition, person.gender, person.age);
    const inOwnUnit = row.unit === definition.unit;
    const high = row.refHigh.trim() || (inOwnUnit ? own.high : null);
    const low = row.refLow.trim() || (inOwnUnit ? own.low : null);
    const value = Number(row.value);
    return (high !== null && value > Number(high) * 10) || (low !== null && value < Number(low) / 10)
      ? [`${definition.name} ${row.value} ${row.unit}`]
      : [];
  });
}

export const inputOf = (rows: readonly IndicatorRow[]) =>
  filled(rows).map((row) => ({
    code: row.code!,
    value: row.value.trim(),
    unit: row.unit,
    refLow: row.refLow.trim() || null,
    refHigh: row.refHigh.trim() || null,
  }));

import { yuan } from '#kernel/contract/money.ts';
import { showInstant } from '#kernel/contract/time.ts';
import { permissionCodesOf } from '#kernel/server/registry.ts';
import type { ColumnType, Dataset, DatasetColumn, StatField } from '#kernel/server/datasets/dataset.ts';
import { isObject } from '../check/facts.ts';

const rateText = (bp: number): string => `${(bp / 100).toFixed(2)}%`;

/** A value in words, as pages show it; null where it is its own word. */
function wordsOf(type: ColumnType, value: unknown, dictionary?: DatasetColumn['dictionary']): string | null {
  if (value === null || value === undefined) return type === 'text' || type === 'int' || type === 'file' ? null : '';
  switch (type) {
    case 'moneyFen':
      return typeof value === 'number' || typeof value === 'string' ? yuan(value, true) : '';
    case 'bp':
    case 'progressBp':
      return typeof value === 'number' ? rateText(value) : '';
    case 'dict':
      return dictionary?.label(String(value)) ?? String(value);
    case 'tags':
      return Array.isArray(value) ? value.map((one) => dictionary?.label(String(one)) ?? String(one)).join('、') : String(value);
    case 'bool':
      return value === true ? '是' : '否';
    case 'datetime':
      return showInstant(String(value));
    case 'date':
      return String(value);
    default:
      return null;
  }
}

/** R3: each row with raw values and `{key}Text`, and what this user may do with it. */
export function presentRow(dataset: Dataset, row: unknown, has: (permission: string) => boolean): Record<string, unknown> {
  const values = isObject(row) ? row : {};
  const shown: Record<string, unknown> = { [dataset.keyField]: values[dataset.keyField] };
  if (dataset.versionField !== null) shown[dataset.versionField] = values[dataset.versionField];
  for (const { key, type, dictionary, reveal } of dataset.columns) {
    const value = values[key];
    shown[key] = value;
    const words = wordsOf(type, value, dictionary);
    if (words !== null) shown[`${key}Text`] = words;
    if (reveal) shown[`${key}Reveal`] = value !== null && value !== '' && permissionCodesOf(reveal.call).every(has);
  }
  shown['allowedActions'] = dataset.actions
    .filter(({ kind, call, when }) => {
      if (kind === 'TOOLBAR' || kind === 'CREATE') return false;
      return permissionCodesOf(call).every(has) && (when === null || when.values.includes(String(values[when.column])));
    })
    .map(({ code }) => code);
  return shown;
}

/** Numbers of a chart with their words. */
export function presentStat(fields: readonly StatField[], row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const shown: Record<string, unknown> = { ...row };
  for (const { key, type } of fields) {
    const words = wordsOf(type, row[key]);
    if (words !== null) shown[`${key}Text`] = words;
  }
  return shown;
}

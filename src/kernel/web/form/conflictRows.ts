import type { Dictionary } from '../../contract/dictionary.ts';
import { yuan } from '../../contract/money.ts';
import { showInstant } from '../../contract/time.ts';
import { plainText } from '../kit/plainText.ts';
import { showRate } from '../kit/values.tsx';

export interface ConflictRow {
  label: string;
  mine: string;
  current: string;
}

type Values = Readonly<Record<string, unknown>>;
/** A value for people: labels instead of codes. */
type Display = (name: string, value: unknown) => unknown;

/** Display by the dictionaries of coded fields: `displayBy({ level: hospitalLevels })`. */
export const displayBy =
  (dictionaries: Readonly<Record<string, Pick<Dictionary, 'label'>>>): Display =>
  (name, value) => {
    const dictionary = dictionaries[name];
    if (!dictionary) return value;
    return Array.isArray(value)
      ? value.map((code) => dictionary.label(String(code)))
      : typeof value === 'string'
        ? dictionary.label(value)
        : value;
  };

const INSTANT = /^\d{4}-\d{2}-\d{2}T.*(Z|[+-]\d{2}:\d{2})$/;
const NOTHING_THERE = '（空）';
/** What only programs read. */
const CODE = /^[A-Z]{2,}(_[A-Z0-9]+)*$/;

/** A day or time as a picker of a form holds it. */
const isPicked = (value: unknown): value is { format(as: string): string } =>
  typeof value === 'object' && value !== null && 'format' in value && typeof value.format === 'function';
const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** Text of a value by the names that fields have throughout; null: it is not readable for people. */
function readable(name: string, value: unknown): string | null {
  if (isNothing(value)) return NOTHING_THERE;
  if (typeof value === 'boolean') return value ? '是' : '否';
  if (isPicked(value)) return value.format('YYYY-MM-DD HH:mm').replace(' 00:00', '');
  if (Array.isArray(value)) {
    const parts = value.map((item) => readable(name, item));
    return parts.some((part) => part === null) ? null : parts.join('、');
  }
  if (typeof value === 'object' || /Ids?$|^adcodes?$/.test(name)) return null;
  const text = plainText(value);
  if (name.endsWith('E6') && typeof value === 'number') return (value / 1e6).toFixed(6);
  if (name.endsWith('Fen') && /^-?\d+$/.test(text)) return `${yuan(text, true)}元`;
  if (name.endsWith('Bp') && typeof value === 'number') return showRate(value);
  if (INSTANT.test(text)) return showInstant(text).slice(0, 16).replace(' 00:00', '');
  return CODE.test(text) ? null : text;
}

/** Fields in one order and without those that hold nothing: databases and forms write the same record differently. */
const ordered = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .filter(([, field]) => !isNothing(field))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, field]) => [name, ordered(field)]);
};

/** Whether both stand for the same, however form and record write it. */
function same(name: string, mine: unknown, current: unknown): boolean {
  if (isNothing(mine) || isNothing(current)) return isNothing(mine) && isNothing(current);
  if (isPicked(mine)) return readable(name, current) === readable(name, mine);
  return typeof mine === 'object'
    ? JSON.stringify(ordered(mine)) === JSON.stringify(ordered(current))
    : plainText(mine) === plainText(current);
}

/** Fields that stand otherwise in the record now than in the operator's form, both as people read them. */
export function conflictRows(
  mine: Values,
  current: Values,
  labels: Readonly<Record<string, string>>,
  display: Display = (_name, value) => value,
): ConflictRow[] {
  const textOf = (name: string, value: unknown): string | null => {
    const shown = display(name, value);
    return shown === value ? readable(name, value) : plainText(shown) || NOTHING_THERE;
  };
  /** Of what is known by number only, records bring the name beside it. */
  const nameBeside = (name: string): string | null => {
    const beside = name.endsWith('Id') ? current[name.replace(/Id$/, 'Name')] : name === 'adcode' ? current['region'] : undefined;
    return typeof beside === 'string' && beside ? beside : null;
  };
  return Object.entries(labels)
    .filter(([name]) => name in current && name in mine && !same(name, mine[name], current[name]))
    .map(([name, label]) => ({
      label,
      mine: textOf(name, mine[name]) ?? '您填写的内容',
      current: textOf(name, current[name]) ?? nameBeside(name) ?? '与您的不同',
    }))
    .filter((row) => row.mine !== row.current);
}

import type * as z from 'zod/mini';
import type { Dictionary } from '../../contract/dictionary.ts';
import { fieldFacts, shapeOf, shownValue } from '../../contract/field.ts';
import { labelOf } from '../../contract/labels.ts';
import { yuan } from '../../contract/money.ts';
import { showInstant } from '../../contract/time.ts';
import { plainText } from '../kit/plainText.ts';
import { showRate } from '../kit/values.tsx';

export interface ConflictRow {
  /** Of the field that differs, at the top of the form. */
  name: string;
  label: string;
  mine: string;
  current: string;
}

/** What an operator's input differs by from the record as it stands now. */
interface Compared {
  rows: readonly ConflictRow[];
  /** Labels of fields of which the record does not tell: what became of them nobody sees here. */
  untold: readonly string[];
  /** What is asked for is no field of the record: an act on it, which undoes nothing. */
  isAct: boolean;
}

interface Fields {
  /** What the call takes: its labels, dictionaries and kinds of values. */
  input?: z.ZodMiniType;
  /** Of what the page holds otherwise than the call takes it, or calls otherwise. */
  labels?: Readonly<Record<string, string>>;
  display?: Display;
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

/** A value by what the contract says of it; undefined: it says nothing. */
function declared(schema: z.ZodMiniType | undefined, value: unknown): string | undefined {
  const facts = schema && fieldFacts(schema);
  if (!facts || isNothing(value)) return undefined;
  const shown = shownValue(facts, value);
  if (shown !== value) return plainText(shown);
  const text = plainText(value);
  if (facts.kind === 'dict') return facts.dictionary?.label(text);
  if (facts.kind === 'money' && /^-?\d+$/.test(text)) return `${yuan(text, true)}元`;
  return facts.kind === 'rate' && typeof value === 'number' ? showRate(value) : undefined;
}

const isRecord = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isPicked(value);

/** Says which record, and how it was seen. */
const OF_THE_RECORD: readonly string[] = ['id', 'version'];
/** Says what is done and why: no field of the record. */
const OF_THE_ACT: readonly string[] = ['action', 'opinion', 'reason', 'submit', 'confirmed'];

/**
 * Fields that stand otherwise in the record now than in the operator's form, both as people read them. Names, dictionaries and kinds of
 * values come from the contract.
 */
export function conflictRows(mine: Values, current: Values, { input, labels = {}, display = (_name, value) => value }: Fields): Compared {
  const shape = input ? shapeOf(input) : {};
  const textOf = (name: string, value: unknown): string | null => {
    const shown = display(name, value);
    return shown === value ? (declared(shape[name], value) ?? readable(name, value)) : plainText(shown) || NOTHING_THERE;
  };
  /** Of what is known by number only, records bring the name beside it. */
  const nameBeside = (name: string): string | null => {
    const beside = name.endsWith('Id') ? current[name.replace(/Id$/, 'Name')] : name === 'adcode' ? current['region'] : undefined;
    return typeof beside === 'string' && beside ? beside : null;
  };
  const names = [...new Set([...Object.keys(shape), ...Object.keys(labels)])].filter(
    (name) => name in mine && !OF_THE_RECORD.includes(name),
  );
  const label = (name: string): string => labels[name] ?? (shape[name] && labelOf(shape[name])) ?? name;
  const rows = names.flatMap((name): readonly ConflictRow[] => {
    const [own, stored] = [mine[name], current[name]];
    if (!(name in current) || same(name, own, stored)) return [];
    const inner = shape[name];
    if (inner && isRecord(own) && isRecord(stored) && Object.keys(shapeOf(inner)).length > 0 && !fieldFacts(inner)?.text)
      return conflictRows(own, stored, { input: inner }).rows.map((row) => ({ ...row, name, label: `${label(name)}：${row.label}` }));
    const row = {
      name,
      label: label(name),
      mine: textOf(name, own) ?? '您填写的内容',
      current: textOf(name, stored) ?? nameBeside(name) ?? '与您的不同',
    };
    return row.mine === row.current ? [] : [row];
  });
  const untold = names.filter((name) => !(name in current) && !isNothing(mine[name]) && !OF_THE_ACT.includes(name));
  return { rows, untold: untold.map(label), isAct: names.every((name) => !(name in current)) };
}

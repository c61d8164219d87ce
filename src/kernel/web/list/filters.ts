import type { ComponentType } from 'react';
import { yuan } from '../../contract/money.ts';
import type { Dictionary } from '../../contract/dictionary.ts';
import { plusDays, plusMs, startOfDay } from '../../contract/time.ts';
import { chosenNamesOf } from '../kit/chosenNames.ts';
import type { PickerProps } from '../kit/pickers.tsx';
import type { Search } from '../router/address.ts';
import { divisionName } from '../session/divisions.ts';

type Options = readonly { value: string; label: string }[];
export type FilterValue = string | readonly string[];

interface FilterBase {
  placeholder?: string;
  /** Value while the address has none (`操作日志` shows today). */
  fallback?(): readonly (string | undefined)[];
}

/** Fields of the call's input that take such a value. */
type Taking<Input, Value> = { [Name in keyof Input]-?: [Value] extends [Input[Name]] ? Name : never }[keyof Input] & string;

/** Fields of the call's input of which one way to say them is such a value (`id` comes as text or number). */
type Choosing<Input, Value> = { name: Among<Input, Value>; several?: false } | { name: Among<Input, readonly Value[]>; several: true };
type Among<Input, Value> = { [Name in keyof Input]-?: [Extract<Input[Name], Value>] extends [never] ? never : Name }[keyof Input] & string;

/** One search field; its value is kept in the address under the same name as in the call's input. */
export type Filter<Input> = FilterBase & { label: string } & FilterKind<Input>;
/** The same under the label that the call's schema gives the field. */
export type UnlabelledFilter<Input> = FilterBase & { label?: undefined } & Extract<FilterKind<Input>, { name: string }>;

type FilterKind<Input> =
  | { kind: 'text'; name: Taking<Input, string>; maxLength?: number }
  | { kind: 'number'; name: Taking<Input, number> }
  | ({ kind: 'select'; options: Options } & Choosing<Input, string>)
  /** One or some of several numbers (`5` 星). */
  | ({ kind: 'numbers'; options: Options } & Choosing<Input, number>)
  | ({ kind: 'dict'; dictionary: Pick<Dictionary, 'options'> } & Choosing<Input, string>)
  | { kind: 'flag'; name: Taking<Input, boolean> }
  | { kind: 'day' | 'month'; name: Taking<Input, string> }
  /** An amount; the address and the call hold fen. */
  | { kind: 'money'; name: Taking<Input, number> }
  /** One province, city or district, by its adcode. */
  | { kind: 'region'; name: Taking<Input, string> }
  /** Two days, sent as they are (`YYYY-MM-DD`); `presets` offers 今天, 本月, 上月. */
  | { kind: 'days'; names: readonly [Taking<Input, string>, Taking<Input, string>]; presets?: boolean }
  /** Two days, sent as the first and last instant. */
  | { kind: 'instants'; names: readonly [Taking<Input, string>, Taking<Input, string>] }
  /** One record, by its id; the picker is declared outside of components. */
  | { kind: 'picker'; name: Taking<Input, string>; picker: ComponentType<PickerProps<string>> };

const one = (value: FilterValue | undefined): string | undefined => (typeof value === 'string' ? value : value?.[0]);
const list = (value: FilterValue): readonly string[] => (typeof value === 'string' ? [value] : value);

/** The filters' values: of the address, else their fallbacks. */
export function readFilters<Input>(filters: readonly Filter<Input>[], search: Search): Record<string, FilterValue> {
  const values: Record<string, FilterValue> = {};
  for (const filter of filters) {
    const names = 'names' in filter ? filter.names : [filter.name];
    const given = names.some((name) => search[name] !== undefined);
    const fallback = given ? undefined : filter.fallback?.();
    names.forEach((name, index) => {
      const value = search[name] ?? fallback?.[index];
      if (value !== undefined && value !== '') values[name] = value;
    });
  }
  return values;
}

const shownOf = <Input>(filter: Filter<Input>, value: FilterValue): string => {
  if (filter.kind === 'flag') return one(value) === 'true' ? '是' : '否';
  const options =
    filter.kind === 'dict' ? filter.dictionary.options : filter.kind === 'select' || filter.kind === 'numbers' ? filter.options : null;
  if (options)
    return list(value)
      .map((item) => options.find((option) => option.value === item)?.label ?? item)
      .join('、');
  if (filter.kind === 'money') return `¥${yuan(one(value) ?? 0, true)}`;
  if (filter.kind === 'region') return divisionName(one(value) ?? '');
  if (filter.kind !== 'picker') return list(value).join('、').trim();
  // A picker that has not read the name yet knows what it chose by its id alone.
  const names = chosenNamesOf(filter);
  return list(value)
    .map((id) => names.get(id) ?? `编号${id}`)
    .join('、');
};

/** The filters in the operator's words: `姓名：王志强；状态：待审核、已认证；登记日期：2026-11-01至2026-11-20`. */
export function describeFilters<Input>(filters: readonly Filter<Input>[], values: Readonly<Record<string, FilterValue>>): string {
  const descriptions = filters.flatMap((filter) => {
    if ('names' in filter) {
      const [from, to] = filter.names.map((name) => one(values[name]));
      return from || to ? [`${filter.label}：${from ? `${from}${to ? '' : '起'}` : ''}${to ? `至${to}` : ''}`] : [];
    }
    const value = values[filter.name];
    return value === undefined || value.length === 0 ? [] : [`${filter.label}：${shownOf(filter, value)}`];
  });
  return descriptions.join('；');
}

/** The list call's input for these values: typed, empty ones left out. */
export function inputOf<Input>(filters: readonly Filter<Input>[], values: Readonly<Record<string, FilterValue>>): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const filter of filters) {
    if ('names' in filter) {
      const [from, to] = filter.names.map((name) => one(values[name]));
      if (from) input[filter.names[0]] = filter.kind === 'instants' ? startOfDay(from) : from;
      if (to) input[filter.names[1]] = filter.kind === 'instants' ? plusMs(startOfDay(plusDays(to, 1)), -1) : to;
      continue;
    }
    const value = values[filter.name];
    if (value === undefined || value.length === 0) continue;
    if (filter.kind === 'flag') input[filter.name] = one(value) === 'true';
    else if (filter.kind === 'number' || filter.kind === 'money') input[filter.name] = Number(one(value));
    else if (filter.kind === 'numbers') input[filter.name] = filter.several ? list(value).map(Number) : Number(one(value));
    else if ('several' in filter && filter.several) input[filter.name] = list(value);
    else input[filter.name] = one(value)?.trim();
  }
  return input;
}

import { refuse, refuseField } from '#kernel/contract/errors.ts';
import { shapeOf } from '#kernel/contract/field.ts';
import { isEmpty } from '#kernel/contract/fieldRules.ts';
import { isDay, plusDays, startOfDay } from '#kernel/contract/time.ts';
import type { Dataset, DatasetFilter } from '#kernel/server/datasets/dataset.ts';
import { lowcodeErrors } from '../../contract/errors.ts';

type Values = Readonly<Record<string, unknown>>;

/** The two ends of a range, as amis sends them: a list, or one text with a comma. */
const endsOf = (value: unknown): readonly [string, string] => {
  const parts: readonly unknown[] = Array.isArray(value) ? value : String(value).split(',');
  return [String(parts[0] ?? '').trim(), String(parts[1] ?? '').trim()];
};

function rangeInput(filter: DatasetFilter, ends: { from: string; to: string }, value: unknown): Values {
  const [from, to] = endsOf(value);
  if (![from, to].every((one) => one === '' || isDay(one)))
    throw refuseField(`filters.${filter.key}`, `${filter.label}须为1900年至2199年之间的日期，格式YYYY-MM-DD`);
  const isInstant = filter.type === 'datetimeRange';
  return {
    ...(from !== '' && { [ends.from]: isInstant ? startOfDay(from) : from }),
    // The last day belongs to the range.
    ...(to !== '' && { [ends.to]: isInstant ? new Date(Date.parse(startOfDay(plusDays(to, 1))) - 1).toISOString() : to }),
  };
}

function filterInput(filter: DatasetFilter, value: unknown): Values {
  if (filter.ends) return rangeInput(filter, filter.ends, value);
  if (filter.type === 'bool') return { [filter.key]: value === true || value === 'true' };
  if (filter.type === 'dicts' && typeof value === 'string') return { [filter.key]: value.split(',') };
  if (filter.type === 'number' && typeof value === 'string') return { [filter.key]: Number(value) };
  if (filter.type === 'text' && typeof value === 'number') return { [filter.key]: String(value) };
  return { [filter.key]: value };
}

/** The list call's filters. @throws SCM03032 for a filter that the dataset has not, SCM03034 for one that is missing */
export function filtersOf(dataset: Dataset, given: Values): Values {
  const filled = Object.entries(given).filter(([, value]) => !isEmpty(value));
  const unknown = filled.find(([key]) => !dataset.filters.some((filter) => filter.key === key));
  if (unknown) throw refuse(lowcodeErrors.FILTER_UNKNOWN, { key: unknown[0] });
  const values = new Map(filled);
  const missing = dataset.filters.find(({ key, required }) => required && !values.has(key));
  if (missing) throw refuse(lowcodeErrors.FILTER_MISSING, { label: missing.label });
  const parts = dataset.filters.filter(({ key }) => values.has(key)).map((filter) => filterInput(filter, values.get(filter.key)));
  return { ...Object.assign({}, ...parts), ...dataset.fixed };
}

/** @throws SCM03033 */
export function orderOf(dataset: Dataset, orderBy: string | undefined): Values {
  const wished = orderBy ?? dataset.defaultSort ?? undefined;
  if (wished === undefined || !('orderBy' in shapeOf(dataset.list.input))) {
    if (orderBy !== undefined) throw refuse(lowcodeErrors.SORT_UNKNOWN, { key: orderBy.split(' ')[0] ?? '' });
    return {};
  }
  const [named = '', direction] = wished.split(' ');
  const key = dataset.sorts.includes(named) ? named : named.replace(/Text$/, '');
  if (!dataset.sorts.includes(key)) throw refuse(lowcodeErrors.SORT_UNKNOWN, { key: named });
  return { orderBy: `${key} ${direction === 'desc' ? 'desc' : 'asc'}` };
}

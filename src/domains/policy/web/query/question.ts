import { hashKey } from '@tanstack/react-query';
import { asDraft, type BuiltGroup } from '#kernel/contract/rules/groups.ts';
import type { DatasetOut } from '../../contract/calls/query.ts';
import type { DatasetCode, QueryConfig } from '../../contract/query.ts';

/** A question while it is put together; what it leaves open is not asked. */
export interface Question extends Omit<QueryConfig, 'filters'> {
  filters: BuiltGroup;
}
export interface Asked {
  dataset: DatasetCode;
  config: QueryConfig;
}

const FIRST_COLUMNS = 8;
const noFilters: BuiltGroup = { op: 'AND', items: [] };

export const firstQuestion = ({ columns }: DatasetOut): Question => ({
  columns: columns
    .filter(({ sensitive }) => !sensitive)
    .slice(0, FIRST_COLUMNS)
    .map(({ key }) => ({ key })),
  filters: noFilters,
  groupBy: [],
  sort: [],
});

export const questionOf = ({ filters, ...config }: QueryConfig): Question => ({ ...config, filters: filters ?? noFilters });

/** As the calls take it. */
export const configOf = ({ filters, ...question }: Question): QueryConfig => ({
  ...question,
  ...(filters.items.length > 0 && { filters: asDraft(filters) }),
});

/** Whether two say the same, in whatever order their parts were put in. */
export const same = (one: unknown, other: unknown): boolean => hashKey([one]) === hashKey([other]);

/** What is asked; how wide its columns are asks nothing else. */
export const withoutWidths = ({ columns, ...config }: QueryConfig): QueryConfig => ({
  ...config,
  columns: columns.map(({ width: _width, ...one }) => one),
});

import { asDraft, conditionsIn, type BuiltGroup } from '../../../../kernel/contract/rules/groups.ts';
import type { TypedVariable } from '../../../../kernel/contract/rules/groups.ts';
import { isComplete, sentenceOfGroup } from '../../../../kernel/contract/rules/typed.ts';
import type { DatasetOut, QueryColumnOut } from '../../contract/calls/query.ts';
import { aggregations, datasets, type Aggregation, type DatasetCode, type QueryConfig } from '../../contract/query.ts';

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

/** Columns that conditions can be made of, as the editor of conditions knows them. */
export const variablesOf = ({ columns }: DatasetOut): TypedVariable[] =>
  columns
    .filter(({ operators }) => operators.length > 0)
    .map(({ key, label, kind, unit, options }) => ({ code: key, name: label, kind, unit, options }));

export const columnOf = ({ columns }: DatasetOut, key: string): QueryColumnOut | undefined => columns.find((one) => one.key === key);

/** `保费（求和）` */
export const titleOf = (dataset: DatasetOut, { key, agg }: { key: string; agg?: Aggregation | undefined }): string => {
  const label = columnOf(dataset, key)?.label ?? key;
  return agg ? `${label}（${aggregations.label(agg)}）` : label;
};

/** What was asked in words, for the sheet 说明 and the download centre. */
export function wordsOf(dataset: DatasetOut, config: QueryConfig): string {
  const variables = variablesOf(dataset);
  const variable = (code: string) => variables.find((one) => one.code === code);
  const { filters, groupBy, asOf } = config;
  const conditions =
    filters && isComplete(filters, variable) && conditionsIn(filters).length > 0 ? sentenceOfGroup(filters, variable) : '全部';
  return [
    datasets.label(dataset.code),
    conditions,
    ...(asOf ? [`截止日 ${asOf}`] : []),
    ...(groupBy.length > 0 ? [`按${groupBy.map((key) => titleOf(dataset, { key })).join('、')}分组`] : []),
  ].join('；');
}

import { conditionsIn, type TypedVariable } from '#kernel/contract/rules/groups.ts';
import { isComplete, sentenceOfGroup } from '#kernel/contract/rules/typed.ts';
import type { DatasetOut, QueryColumnOut } from './calls/query.ts';
import { aggregations, type Aggregation, type QueryConfig } from './query.ts';

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
  const { filters, groupBy, asOf, limit } = config;
  const conditions =
    filters && isComplete(filters, variable) && conditionsIn(filters).length > 0 ? sentenceOfGroup(filters, variable) : '全部';
  return [
    dataset.label,
    conditions,
    ...(asOf ? [`截止日 ${asOf}`] : []),
    ...(groupBy.length > 0 ? [`按${groupBy.map((key) => titleOf(dataset, { key })).join('、')}分组`] : []),
    ...(limit === undefined ? [] : [`最多${limit}行`]),
  ].join('；');
}

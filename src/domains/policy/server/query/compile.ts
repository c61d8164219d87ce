import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { refuse, refuseField } from '#kernel/contract/errors.ts';
import { isGroup, type ConditionGroup, type TypedCondition, type TypedKind, type TypedVariable } from '#kernel/contract/rules/groups.ts';
import { ruleTexts } from '#kernel/contract/rules/texts.ts';
import { faultOfGroup, isComplete } from '#kernel/contract/rules/typed.ts';
import { listOf } from '#kernel/contract/rules/validate.ts';
import type { Day } from '#kernel/contract/time.ts';
import { scopeFilter } from '#kernel/server/auth/scope.ts';
import type { Viewer } from '#kernel/server/auth/viewer.ts';
import { policyErrors } from '../../contract/errors.ts';
import { aggregations, MOST_SEEN, type Aggregation, type QueryConfig } from '../../contract/query.ts';
import { insurerScope } from '../access.ts';
import type { Dataset, QueryColumn } from './dataset.ts';

export const optionsOf = ({ kind, dictionary }: QueryColumn) =>
  kind === 'OPTION' && dictionary ? dictionary.options.map(({ value, label }) => ({ value, label })) : [];

const variableOf = (column: QueryColumn): TypedVariable => ({
  code: column.key,
  name: column.label,
  kind: column.kind,
  unit: column.unit,
  options: optionsOf(column),
});

const signs = { '>': sql`>`, '<': sql`<`, '=': sql`=`, '>=': sql`>=`, '<=': sql`<=` } as const;
const isSign = (operator: string): operator is keyof typeof signs => operator in signs;

/** A value in the type of its column; it is a parameter whatever stands in it. */
function typed(kind: TypedKind, value: string): RawBuilder<unknown> {
  if (kind === 'NUMBER' || kind === 'MONEY') return sql`${value.trim()}::text::numeric`;
  if (kind === 'DATE') return sql`${value}::text::date`;
  if (kind === 'BOOL') return sql`${value === '1'}::boolean`;
  return sql`${value}::text`;
}

function condition(column: QueryColumn, { operator, value }: TypedCondition): RawBuilder<SqlBool> {
  const { expression, kind } = column;
  if (operator === 'range') {
    const [low = '', high = ''] = value.split(',');
    return sql<SqlBool>`(${expression} between ${typed(kind, low)} and ${typed(kind, high)})`;
  }
  if (operator === 'contains') return sql<SqlBool>`(strpos(lower(${expression}), lower(${value}::text)) > 0)`;
  if (operator === 'in') return sql<SqlBool>`(${expression} = any(${listOf(value)}::text[]))`;
  if (operator === 'not in') return sql<SqlBool>`(${expression} <> all(${listOf(value)}::text[]))`;
  if (isSign(operator)) return sql<SqlBool>`(${expression} ${signs[operator]} ${typed(kind, value)})`;
  throw refuseField('config.filters', `${column.label}：${ruleTexts.OPERATOR}`);
}

/** One column of the answer. */
export interface Chosen {
  column: QueryColumn;
  agg: Aggregation | undefined;
  expression: RawBuilder<unknown>;
}

function aggregated(column: QueryColumn, agg: Aggregation): RawBuilder<unknown> {
  if (!column.aggregations.includes(agg)) throw refuseField('config', `${column.label}不能${aggregations.label(agg)}`);
  const { expression: of } = column;
  switch (agg) {
    case 'SUM':
      return sql`coalesce(sum(${of}), 0)`;
    case 'COUNT':
      return sql`count(${of})`;
    case 'COUNT_DISTINCT':
      return sql`count(distinct ${of})`;
    case 'AVG':
      return column.kind === 'MONEY' ? sql`round(avg(${of}))` : sql`round(avg(${of}), 2)`;
    case 'MAX':
      return sql`max(${of})`;
    case 'MIN':
      return sql`min(${of})`;
  }
}

export interface Question {
  viewer: Viewer;
  today: Day;
}
export interface Compiled {
  chosen: readonly Chosen[];
  grouped: boolean;
  /** The rows in their order, or a page of them; `c0`, `c1` … are texts. */
  rows(raw: boolean, page?: { take: number; skip: number }): RawBuilder<Record<string, string | null>>;
  /** How many rows there are, counted up to a bound, and the sums of the columns that have one. */
  facts: RawBuilder<Record<string, string | null> & { found: number }>;
  found(most: number): RawBuilder<{ found: number }>;
}

/** @throws Refusal SCM13070 where the data set has no such column */
export function columnOf(dataset: Dataset, key: string): QueryColumn {
  const column = dataset.columns.find((one) => one.key === key);
  if (!column) throw refuse(policyErrors.NO_COLUMN, { key });
  return column;
}

function filtersOf(dataset: Dataset, { filters }: QueryConfig): RawBuilder<SqlBool> {
  if (!filters || filters.items.length === 0) return sql<SqlBool>`true`;
  const variable = (key: string) => {
    const column = columnOf(dataset, key);
    return column.operators.length > 0 ? variableOf(column) : undefined;
  };
  if (!isComplete(filters, variable)) {
    const fault = faultOfGroup(filters, variable);
    const name = fault?.variable ? columnOf(dataset, fault.variable).label : '';
    const text = !fault || fault.fault === 'UNKNOWN_VARIABLE' ? '不能作为筛选条件' : ruleTexts[fault.fault];
    throw refuseField('config.filters', name === '' ? `筛选条件：${text}` : `筛选条件“${name}”：${text}`);
  }
  const built = (group: ConditionGroup): RawBuilder<SqlBool> =>
    sql<SqlBool>`(${sql.join(
      group.items.map((item) => (isGroup(item) ? built(item) : condition(columnOf(dataset, item.variable), item))),
      group.op === 'AND' ? sql` and ` : sql` or `,
    )})`;
  return built(filters);
}

/**
 * One SELECT of what was asked. Names come from the declaration of the data set alone, what was typed is a parameter, and the data
 * scope of the viewer is always one of its conditions.
 * @throws Refusal SCM13070, SCM13072, SCM90000 naming the condition
 */
export function compile(dataset: Dataset, config: QueryConfig, { viewer, today }: Question): Compiled {
  const grouped = config.groupBy.length > 0 || config.columns.some(({ agg }) => agg !== undefined);
  const groups = config.groupBy.map((key) => {
    const column = columnOf(dataset, key);
    if (!column.groups) throw refuseField('config.groupBy', `${column.label}不能作为分组`);
    return column;
  });
  const choose = ({ key, agg }: { key: string; agg?: Aggregation | undefined }): Chosen => {
    const column = columnOf(dataset, key);
    if (agg) return { column, agg, expression: aggregated(column, agg) };
    if (grouped && !config.groupBy.includes(key)) throw refuse(policyErrors.DETAIL_IN_GROUP, { name: column.label });
    return { column, agg: undefined, expression: column.expression };
  };
  const chosen = config.columns.map(choose);
  const order = config.sort.map((sort) => {
    if (sort.agg && !grouped) throw refuseField('config.sort', '未分组的查询不能按汇总排序');
    return sql`${choose(sort).expression} ${sort.descending ? sql`desc` : sql`asc`} nulls last`;
  });
  const scope = (column: string) => scopeFilter(insurerScope(column), viewer);
  const from = sql`${dataset.from({ asOf: config.asOf ?? today, scope })}
    where ${scope(dataset.insurer)}${dataset.seen ? sql` and ${dataset.seen(viewer)}` : sql``} and ${filtersOf(dataset, config)}`;
  const grouping = groups.length > 0 ? sql` group by ${sql.join(groups.map(({ expression }) => expression))}` : sql``;
  const whole = grouped ? groups.map(({ expression }) => expression) : [dataset.id];
  const ordering = [...order, ...whole];
  const ordered = sql`${grouping}${ordering.length > 0 ? sql` order by ${sql.join(ordering)}` : sql``}`;
  const { limit } = config;
  const found = (most: number) => sql<{ found: number }>`
    select count(*)::int as found from (select ${grouped ? sql`count(*)` : sql`1`} from ${from}${grouping}
      limit ${Math.min(most + 1, limit ?? most + 1)}) counted`;
  const isSummed = ({ column, agg }: Chosen) =>
    agg ? agg === 'SUM' || agg === 'COUNT' : !grouped && column.kind === 'MONEY' && column.aggregations.includes('SUM');
  const whenSummed = (of: (one: Chosen, at: number) => RawBuilder<unknown>) =>
    chosen.map((one, at) => (isSummed(one) ? sql`(${of(one, at)})::text` : sql`null::text`));
  const named = (all: readonly RawBuilder<unknown>[]) => sql.join(all.map((one, at) => sql`${one} as ${sql.raw(`c${at}`)}`));
  const paged = (page: { take: number; skip: number } | undefined) => {
    if (!page) return limit === undefined ? sql`` : sql` limit ${limit}`;
    return sql` limit ${Math.max(0, Math.min(page.take, (limit ?? Infinity) - page.skip))} offset ${page.skip}`;
  };
  return {
    chosen,
    grouped,
    rows: (raw, page) =>
      sql`select ${named(
        chosen.map(({ column, agg, expression }) =>
          raw && !agg && column.sensitive ? sql`(${column.sensitive.cipher})::text` : sql`(${expression})::text`,
        ),
      )} from ${from}${ordered}${paged(page)}`,
    facts:
      limit === undefined
        ? sql`select ${named(whenSummed(({ column, agg, expression }) => (agg ? expression : aggregated(column, 'SUM'))))},
            (${found(MOST_SEEN)})::int as found from ${from}`
        : sql`select ${named(whenSummed((_one, at) => sql`coalesce(sum(${sql.raw(`f.c${at}`)}), 0)`))}, count(*)::int as found
            from (select ${named(chosen.map(({ expression }) => expression))} from ${from}${ordered} limit ${limit}) f`,
    found,
  };
}

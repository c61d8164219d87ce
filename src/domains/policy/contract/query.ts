import * as z from 'zod/mini';
import { dictionary } from '#kernel/contract/dictionary.ts';
import { field } from '#kernel/contract/field.ts';
import { day } from '#kernel/contract/fields.ts';
import { conditionGroup, type TypedKind } from '#kernel/contract/rules/groups.ts';

/** What the query table can be asked for. */
export const datasets = dictionary('policy.dataset', {
  policy: '保单',
  insured: '被保人',
  slice: '保障区间',
  endorsement: '批单',
  premiumOrder: '保费订单',
  premiumItem: '保费明细',
  receipt: '到账与分配',
  premiumMonth: '月度保费',
});
export type DatasetCode = (typeof datasets.codes)[number];

export const aggregations = dictionary('policy.aggregation', {
  SUM: '求和',
  COUNT: '计数',
  COUNT_DISTINCT: '去重计数',
  AVG: '平均',
  MAX: '最大',
  MIN: '最小',
});
export type Aggregation = (typeof aggregations.codes)[number];

/** Whose view it is: his own, everybody's in his role, everybody's. */
export const viewScopes = dictionary('policy.viewScope', {
  PRIVATE: '私有',
  ROLE: { label: '角色共享', tone: 'processing' },
  ALL: { label: '公共', tone: 'success' },
});
export const queryDictionaries = [datasets, aggregations, viewScopes];

export const MOST_COLUMNS = 30;
export const MOST_GROUPS = 5;
export const MOST_SORTS = 3;
/** Rows that are counted, and paged to; all of them are exported. */
export const MOST_SEEN = 10_000;
export const MOST_EXPORTED = 200_000;

/** What can be computed of a kind of value. */
export const aggregationsOf: Readonly<Record<TypedKind, readonly Aggregation[]>> = {
  NUMBER: aggregations.codes,
  MONEY: aggregations.codes,
  DATE: ['COUNT', 'COUNT_DISTINCT', 'MAX', 'MIN'],
  OPTION: ['COUNT', 'COUNT_DISTINCT'],
  SET: ['COUNT'],
  TEXT: ['COUNT', 'COUNT_DISTINCT'],
  BOOL: ['COUNT'],
};

const key = field('列', z.string('请选择列').check(z.minLength(1, '请选择列'), z.maxLength(40, '列名过长')));
const agg = field('汇总', z.optional(aggregations.schema));
const [LEAST_WIDTH, MOST_WIDTH] = [60, 600];
const width = field(
  '列宽',
  z.optional(
    z.int('列宽须为整数').check(z.minimum(LEAST_WIDTH, `列宽最少${LEAST_WIDTH}像素`), z.maximum(MOST_WIDTH, `列宽最多${MOST_WIDTH}像素`)),
  ),
);

/** Day of the month on which a view is exported for people; every month has it. */
export const LAST_SCHEDULE_DAY = 28;
export const MOST_RECIPIENTS = 20;

/** What is asked of a data set: columns, conditions, groups and order; all names are of the declaration. */
export const queryConfig = field(
  '查询配置',
  z.strictObject({
    columns: field(
      '列',
      z
        .array(z.strictObject({ key, agg, width }))
        .check(z.minLength(1, '请至少选择一列'), z.maxLength(MOST_COLUMNS, `最多选择${MOST_COLUMNS}列`)),
    ),
    filters: z.optional(conditionGroup),
    groupBy: field('分组', z._default(z.array(key).check(z.maxLength(MOST_GROUPS, `最多按${MOST_GROUPS}列分组`)), [])),
    sort: field(
      '排序',
      z._default(
        z
          .array(z.strictObject({ key, agg, descending: field('降序', z._default(z.boolean(), false)) }))
          .check(z.maxLength(MOST_SORTS, `最多按${MOST_SORTS}列排序`)),
        [],
      ),
    ),
    asOf: field('截止日', z.optional(day)),
    /** The first rows in the order asked for, and none after them: on the page, in the sums and in the sheet. */
    limit: field(
      '最多行数',
      z.optional(z.int('最多行数须为整数').check(z.minimum(1, '最多行数至少为1'), z.maximum(MOST_SEEN, `最多行数不能超过${MOST_SEEN}`))),
    ),
  }),
);
export type QueryConfig = z.output<typeof queryConfig>;

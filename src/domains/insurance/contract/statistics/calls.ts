import * as z from 'zod/mini';
import { dictionary } from '#kernel/contract/dictionary.ts';
import { factsOf, field } from '#kernel/contract/field.ts';
import { id, instantOut, intOrNull, monthOr, several } from '#kernel/contract/fields.ts';
import { declareService } from '#kernel/contract/service.ts';
import { productLines } from '../businessLines.ts';
import { controlModeWords } from '../controls/dictionaries.ts';
import { statPermissions as may } from '../permissions.ts';

const service = declareService('DataStatisticsService', 'product');
const month = (label: string) => field(label, monthOr(`请选择${label}`));

/** Longest period, in months. */
export const MOST_MONTHS = 24;
/** Days within which a claim must be decided. */
export const LEGAL_DAYS = 30;
/** Behind by more than this, the page warns. */
export const LAG_WARNING_SECONDS = 600;

export const comparisons = dictionary('insurance.statCompare', { PREV: '环比', YOY: '同比' });
export const rankings = dictionary('insurance.statRanking', {
  INSURER: '保司',
  PRODUCT: '产品',
  DRUG: '药品',
  PROVINCE: '省份',
  CITY: '城市',
});
export const statisticsDictionaries = [comparisons, rankings];

const statFilter = {
  from: month('开始月份'),
  to: month('结束月份'),
  insurerIds: field('保司', z.optional(several(id))),
  productLines: field('业务线', z.optional(several(productLines.schema))),
  productIds: field('产品', z.optional(several(id))),
  adcodes: field('地区', z.optional(several(z.string().check(z.regex(/^\d{6}$/, '地区不正确'))))),
};
const filterSchema = z.strictObject(statFilter);
export type StatFilter = z.output<typeof filterSchema>;

const basis = { dataAsOf: instantOut, lagSeconds: z.int() };

/** Amounts in fen, rates in basis points; null: there is nothing to divide by. */
export const overviewFigures = z.strictObject({
  applies: field('入组申请数', z.int()),
  passBp: field('入组通过率', intOrNull, { kind: 'rate' }),
  insured: field('在保人数', z.int()),
  claims: field('理赔申请数', z.int()),
  claimedFen: field('申报金额', z.int(), { kind: 'money' }),
  approvedFen: field('核赔金额', z.int(), { kind: 'money' }),
  paidFen: field('已付金额', z.int(), { kind: 'money' }),
  paidRatioBp: field('已付赔付率', intOrNull, { kind: 'rate' }),
  incurredRatioBp: field('已发生赔付率', intOrNull, { kind: 'rate' }),
  workMinutes: field('平均核定时长', intOrNull),
  openClaims: field('在途件数', z.int()),
  overdueClaims: field('超时件数', z.int()),
});
export type OverviewFigures = z.output<typeof overviewFigures>;

export const queryOverview = service.read({
  operation: 'queryOverview',
  label: '查询统计概览',
  access: may['stat.view'],
  input: { ...statFilter, compare: field('对比', z.optional(comparisons.schema)) },
  output: z.strictObject({ ...basis, now: overviewFigures, before: z.nullable(overviewFigures) }),
});

export const queryTrend = service.read({
  operation: 'queryTrend',
  label: '查询统计趋势',
  access: may['stat.view'],
  input: statFilter,
  output: z.strictObject({
    ...basis,
    months: z.array(
      z.strictObject({
        month: field('月份', z.string()),
        applies: field('申请', z.int()),
        passed: field('通过', z.int()),
        refused: field('不通过', z.int()),
        claims: field('理赔件数', z.int()),
        claimedFen: field('申报金额', z.int(), { kind: 'money' }),
        approvedFen: field('核赔金额', z.int(), { kind: 'money' }),
      }),
    ),
  }),
});

export const queryLossRatio = service.read({
  operation: 'queryLossRatio',
  label: '查询赔付率',
  access: may['stat.view'],
  input: statFilter,
  output: z.strictObject({
    ...basis,
    months: z.array(
      z.strictObject({
        month: field('月份', z.string()),
        earnedFen: field('已赚保费', z.int(), { kind: 'money' }),
        paidFen: field('已付金额', z.int(), { kind: 'money' }),
        reserveStartFen: field('期初未决', z.int(), { kind: 'money' }),
        reserveEndFen: field('期末未决', z.int(), { kind: 'money' }),
        paidRatioBp: field('已付赔付率', intOrNull, { kind: 'rate' }),
        incurredRatioBp: field('已发生赔付率', intOrNull, { kind: 'rate' }),
      }),
    ),
  }),
});

/** Claims by when they were decided: those that wait are in no ranking. */
const rankRow = z.strictObject({
  key: z.string(),
  label: field('名称', z.string()),
  claims: field('核定件数', z.int()),
  claimedFen: field('申报金额', z.int(), { kind: 'money' }),
  approvedFen: field('核赔金额', z.int(), { kind: 'money' }),
});
/** Heads of a ranking, on the page and in its workbook. @param of whom or what it ranks */
export const rankHeads = (of: string): string[] => [
  of,
  ...(['claims', 'claimedFen', 'approvedFen'] as const).map((key) => factsOf(rankRow, key).label),
];

export const queryRank = service.read({
  operation: 'queryRank',
  label: '查询统计排行',
  access: may['stat.view'],
  input: {
    ...statFilter,
    groupBy: field('排行维度', rankings.schema),
    /** Cities of this province. */
    within: field('省份', z.optional(z.string().check(z.regex(/^\d{6}$/, '省份不正确')))),
  },
  output: z.strictObject({
    ...basis,
    rows: z.array(rankRow),
  }),
});

/** Days that an open claim waits. */
export const ageBuckets = ['0-1', '2-3', '4-7', '8-15', '16-30', '>30'] as const;
export const queryAgeing = service.read({
  operation: 'queryAgeing',
  label: '查询在途账龄',
  access: may['stat.view'],
  input: statFilter,
  output: z.strictObject({
    ...basis,
    states: z.array(z.strictObject({ state: z.string(), label: field('状态', z.string()), counts: z.array(z.int()) })),
  }),
});

export const queryReasonTop = service.read({
  operation: 'queryReasonTop',
  label: '查询核减分析',
  access: may['stat.view'],
  input: statFilter,
  output: z.strictObject({
    ...basis,
    reasons: z.array(z.strictObject({ code: z.string(), label: field('核减原因', z.string()), claims: field('件数', z.int()) })),
    /** From what was claimed to what was approved, of the claims that were decided in the period. */
    waterfall: z.array(
      z.strictObject({ code: z.string(), label: field('步骤', z.string()), fen: field('金额', z.int(), { kind: 'money' }) }),
    ),
    savings: z.array(
      z.strictObject({
        mode: field('控费方式', controlModeWords.schema),
        hits: field('命中', z.int()),
        savedFen: field('节省金额', z.int(), { kind: 'money' }),
      }),
    ),
  }),
});

/** One chart, or all of them as sheets of one workbook. */
const exportViews = [
  'ALL',
  'OVERVIEW',
  'ENROLMENT',
  'CLAIM',
  'LOSS',
  'INSURER',
  'PRODUCT',
  'DRUG',
  'PROVINCE',
  'AGEING',
  'REASON',
  'WATERFALL',
  'SAVING',
] as const;
export type ExportView = (typeof exportViews)[number];
export const exportStatistics = service.file({
  operation: 'exportExcel',
  label: '导出数据统计',
  method: 'GET',
  access: may['stat.export'],
  log: 'EXPORT',
  input: { ...statFilter, view: field('图表', z._default(z.enum(exportViews, '图表不正确'), 'ALL')) },
  output: z.strictObject({}),
});

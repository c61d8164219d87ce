import type { AnswerOf } from '#kernel/contract/call.ts';
import { yuan } from '#kernel/contract/money.ts';
import { showRate } from '#kernel/web/kit/values.tsx';
import { divisionName } from '#kernel/web/session/divisions.ts';
import { controlModeWords } from '../../contract/controls/dictionaries.ts';
import {
  ageBuckets,
  rankHeads,
  type queryAgeing,
  type queryLossRatio,
  type queryRank,
  type queryReasonTop,
  type queryTrend,
} from '../../contract/statistics/calls.ts';
import type { ChartSpec, ChartTable } from './spec.ts';

interface Drawn {
  spec: ChartSpec | null;
  table: ChartTable;
}

/** Fen as ten thousands of yuan, as axes show them. */
const wan = (fen: number) => Math.round(fen / 10_000) / 100;
const money = (fen: number) => yuan(fen, true);
const percent = (bp: number | null) => (bp === null ? null : bp / 100);

export const enrolmentChart = ({ months }: AnswerOf<typeof queryTrend>): Drawn => ({
  spec: {
    labels: months.map(({ month }) => month),
    unit: '件',
    series: [
      { label: '申请', values: months.map(({ applies }) => applies), tone: 'info', kind: 'line' },
      { label: '通过', values: months.map(({ passed }) => passed), tone: 'success', kind: 'line' },
      { label: '不通过', values: months.map(({ refused }) => refused), tone: 'error', kind: 'line' },
    ],
  },
  table: {
    head: ['月份', '申请', '通过', '不通过'],
    rows: months.map(({ month, applies, passed, refused }) => [month, String(applies), String(passed), String(refused)]),
  },
});

export const claimChart = ({ months }: AnswerOf<typeof queryTrend>): Drawn => ({
  spec: {
    labels: months.map(({ month }) => month),
    unit: '件',
    secondUnit: '万元',
    series: [
      { label: '核赔金额', values: months.map(({ approvedFen }) => wan(approvedFen)), tone: 'warning', kind: 'line', second: true },
      { label: '理赔件数', values: months.map(({ claims }) => claims), tone: 'primary' },
    ],
  },
  table: {
    head: ['月份', '理赔件数', '申报金额', '核赔金额'],
    rows: months.map(({ month, claims, claimedFen, approvedFen }) => [month, String(claims), money(claimedFen), money(approvedFen)]),
  },
});

export const lossChart = ({ months }: AnswerOf<typeof queryLossRatio>): Drawn => ({
  spec: {
    labels: months.map(({ month }) => month),
    unit: '%',
    series: [
      { label: '已付赔付率', values: months.map(({ paidRatioBp }) => percent(paidRatioBp)), tone: 'info', kind: 'line' },
      { label: '已发生赔付率', values: months.map(({ incurredRatioBp }) => percent(incurredRatioBp)), tone: 'warning', kind: 'line' },
      { label: '100%', values: months.map(() => 100), tone: 'error', kind: 'line', dashed: true },
    ],
  },
  table: {
    head: ['月份', '已赚保费', '已付金额', '期初未决', '期末未决', '已付赔付率', '已发生赔付率'],
    rows: months.map((row) => [
      row.month,
      money(row.earnedFen),
      money(row.paidFen),
      money(row.reserveStartFen),
      money(row.reserveEndFen),
      showRate(row.paidRatioBp),
      showRate(row.incurredRatioBp),
    ]),
  },
});

export const rankChart = ({ rows }: AnswerOf<typeof queryRank>, head: string): Drawn => ({
  spec: {
    labels: rows.map(({ label }) => label),
    unit: '核赔金额（万元）',
    horizontal: true,
    series: [{ label: '核赔金额', values: rows.map(({ approvedFen }) => wan(approvedFen)), tone: 'primary' }],
  },
  table: {
    head: rankHeads(head),
    rows: rows.map(({ label, claims, claimedFen, approvedFen }) => [label, String(claims), money(claimedFen), money(approvedFen)]),
  },
});

/** Regions by their names, as a table. */
export const regionTable = ({ rows }: AnswerOf<typeof queryRank>, head: string): Drawn => ({
  spec: null,
  table: {
    head: rankHeads(head),
    rows: rows.map(({ key, label, claims, claimedFen, approvedFen }) => [
      key === '' ? label : divisionName(key),
      String(claims),
      money(claimedFen),
      money(approvedFen),
    ]),
  },
});

const ageTones = ['success', 'primary', 'info', 'faint', 'warning', 'error'] as const;

export const ageingChart = ({ states }: AnswerOf<typeof queryAgeing>): Drawn => ({
  spec: {
    labels: states.map(({ label }) => label),
    unit: '件',
    stacked: true,
    series: ageBuckets.map((bucket, index) => ({
      label: `${bucket}天`,
      values: states.map(({ counts }) => counts[index] ?? 0),
      tone: ageTones[index] ?? 'error',
    })),
  },
  table: {
    head: ['状态', ...ageBuckets.map((bucket) => `${bucket}天`)],
    rows: states.map(({ label, counts }) => [label, ...counts.map(String)]),
  },
});

export const reasonChart = ({ reasons }: AnswerOf<typeof queryReasonTop>): Drawn => ({
  spec: {
    labels: reasons.map(({ label }) => label),
    unit: '件',
    horizontal: true,
    series: [{ label: '件数', values: reasons.map(({ claims }) => claims), tone: 'warning' }],
  },
  table: { head: ['核减原因', '件数'], rows: reasons.map(({ label, claims }) => [label, String(claims)]) },
});

const sums: ReadonlySet<string> = new Set(['CLAIMED', 'APPROVED', 'PAID']);

/** Sums stand on the axis, what was taken floats between them. */
export function waterfallChart({ waterfall }: AnswerOf<typeof queryReasonTop>): Drawn {
  let level = 0;
  const spans = waterfall.map(({ code, fen }): readonly [number, number] => {
    if (sums.has(code)) {
      level = fen;
      return [0, wan(fen)];
    }
    const before = level;
    level += fen;
    return [wan(level), wan(before)];
  });
  return {
    spec: {
      labels: waterfall.map(({ label }) => label),
      unit: '万元',
      series: [{ label: '金额', values: spans, tone: waterfall.map(({ code }) => (sums.has(code) ? 'primary' : 'error')) }],
    },
    table: { head: ['步骤', '金额'], rows: waterfall.map(({ label, fen }) => [label, money(fen)]) },
  };
}

export const savingChart = ({ savings }: AnswerOf<typeof queryReasonTop>): Drawn => ({
  spec: {
    labels: savings.map(({ mode }) => controlModeWords.label(mode)),
    unit: '件',
    secondUnit: '万元',
    series: [
      { label: '节省金额', values: savings.map(({ savedFen }) => wan(savedFen)), tone: 'success', kind: 'line', second: true },
      { label: '命中', values: savings.map(({ hits }) => hits), tone: 'primary' },
    ],
  },
  table: {
    head: ['控费方式', '命中', '节省金额'],
    rows: savings.map(({ mode, hits, savedFen }) => [controlModeWords.label(mode), String(hits), money(savedFen)]),
  },
});

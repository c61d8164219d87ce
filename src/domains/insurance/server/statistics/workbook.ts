import { yuan } from '#kernel/contract/money.ts';
import { showInstant } from '#kernel/contract/time.ts';
import type { XlsxCell, XlsxSheet } from '#kernel/server/documents/xlsxStream.ts';
import { controlModeWords } from '../../contract/controls/dictionaries.ts';
import { factsOf } from '#kernel/contract/field.ts';
import { ageBuckets, overviewFigures, rankHeads, type ExportView } from '../../contract/statistics/calls.ts';
import { regionName } from '#domains/identity/server/index.ts';
import { ageingOf, rankOf, reasonsOf, savingsOf, waterfallOf } from './breakdowns.ts';
import { lossByMonth, overviewOf, trendOf, type Asking } from './figures.ts';

const text = (value: string): XlsxCell => ({ text: value });
const count = (value: number): XlsxCell => ({ text: String(value), numeric: true });
const money = (fen: number): XlsxCell => ({ text: yuan(fen), numeric: true });
const rate = (bp: number | null): XlsxCell => text(bp === null ? '—' : `${(bp / 100).toFixed(2)}%`);

type Table = { head: readonly string[]; rows: readonly (readonly XlsxCell[])[] };
const sheet = (name: string, { head, rows }: Table): XlsxSheet => ({
  name,
  widths: head.map((_, index) => (index === 0 ? 24 : 16)),
  frozenRows: 1,
  rows: [head.map(text), ...rows],
});

const rank = async (asking: Asking, by: 'INSURER' | 'PRODUCT' | 'DRUG' | 'PROVINCE', head: string): Promise<Table> => {
  const rows = await rankOf(asking, by, undefined);
  const names =
    by === 'PROVINCE' ? await Promise.all(rows.map(async ({ key, label }) => (key === '' ? label : regionName(asking.db, key)))) : null;
  return {
    head: rankHeads(head),
    rows: rows.map((row, at) => [text(names?.[at] ?? row.label), count(row.claims), money(row.claimedFen), money(row.approvedFen)]),
  };
};

const tables: Record<Exclude<ExportView, 'ALL'>, { name: string; of(asking: Asking): Promise<Table> }> = {
  OVERVIEW: {
    name: '概览',
    async of(asking) {
      const figures = await overviewOf(asking);
      return {
        head: ['指标', '数值'],
        rows: Object.entries(figures).map(([key, value]) => {
          const { label, kind } = factsOf(overviewFigures, key);
          const cell = value === null || kind === 'rate' ? rate(value) : kind === 'money' ? money(value) : count(value);
          return [text(key === 'workMinutes' ? `${label}（工作分钟）` : label), cell];
        }),
      };
    },
  },
  ENROLMENT: {
    name: '入组趋势',
    of: async (asking) => ({
      head: ['月份', '申请', '通过', '不通过'],
      rows: (await trendOf(asking)).map((row) => [text(row.month), count(row.applies), count(row.passed), count(row.refused)]),
    }),
  },
  CLAIM: {
    name: '理赔趋势',
    of: async (asking) => ({
      head: ['月份', '理赔件数', '申报金额', '核赔金额'],
      rows: (await trendOf(asking)).map((row) => [text(row.month), count(row.claims), money(row.claimedFen), money(row.approvedFen)]),
    }),
  },
  LOSS: {
    name: '赔付率',
    of: async (asking) => ({
      head: ['月份', '已赚保费', '已付金额', '期初未决', '期末未决', '已付赔付率', '已发生赔付率'],
      rows: (await lossByMonth(asking)).map((row) => [
        text(row.month),
        money(row.earnedFen),
        money(row.paidFen),
        money(row.reserveStartFen),
        money(row.reserveEndFen),
        rate(row.paidRatioBp),
        rate(row.incurredRatioBp),
      ]),
    }),
  },
  INSURER: { name: '保司排行', of: (asking) => rank(asking, 'INSURER', '保司') },
  PRODUCT: { name: '产品排行', of: (asking) => rank(asking, 'PRODUCT', '产品') },
  DRUG: { name: '药品排行', of: (asking) => rank(asking, 'DRUG', '药品') },
  PROVINCE: { name: '地区分布', of: (asking) => rank(asking, 'PROVINCE', '省份') },
  AGEING: {
    name: '在途账龄',
    of: async (asking) => ({
      head: ['状态', ...ageBuckets.map((bucket) => `${bucket}天`)],
      rows: (await ageingOf(asking)).map((row) => [text(row.label), ...row.counts.map(count)]),
    }),
  },
  REASON: {
    name: '核减原因',
    of: async (asking) => ({
      head: ['核减原因', '件数'],
      rows: (await reasonsOf(asking)).map((row) => [text(row.label), count(row.claims)]),
    }),
  },
  WATERFALL: {
    name: '赔付瀑布',
    of: async (asking) => ({ head: ['步骤', '金额'], rows: (await waterfallOf(asking)).map((row) => [text(row.label), money(row.fen)]) }),
  },
  SAVING: {
    name: '控费节省',
    of: async (asking) => ({
      head: ['控费方式', '命中', '节省金额'],
      rows: (await savingsOf(asking)).map((row) => [text(controlModeWords.label(row.mode)), count(row.hits), money(row.savedFen)]),
    }),
  },
};

/** The asked chart, or every one, a sheet each; the last sheet says what was asked and until when the data reach. */
export async function workbookOf(
  asking: Asking,
  view: ExportView,
  stand: { dataAsOf: string; now: string; by: string },
): Promise<XlsxSheet[]> {
  const chosen = view === 'ALL' ? Object.values(tables) : [tables[view]];
  const sheets: XlsxSheet[] = [];
  for (const { name, of } of chosen) sheets.push(sheet(name, await of(asking)));
  const notes = [
    ['统计月份', `${asking.filter.from} 至 ${asking.filter.to}`],
    ['数据截至', showInstant(stand.dataAsOf)],
    ['导出时间', showInstant(stand.now)],
    ['导出人', stand.by],
    ['口径', '不含测试用户；金额单位为元；未决赔款含已核未付和在途件预估'],
  ] as const;
  return [...sheets, { name: '说明', widths: [14, 60], rows: notes.map((row) => row.map(text)) }];
}

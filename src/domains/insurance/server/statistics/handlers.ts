import type { Context, Db } from '#kernel/server/context.ts';
import { bufferOf, xlsxStream } from '#kernel/server/documents/xlsxStream.ts';
import { FileAnswer } from '#kernel/server/fileAnswer.ts';
import { command, query } from '#kernel/server/handler.ts';
import {
  exportStatistics,
  queryAgeing,
  queryLossRatio,
  queryOverview,
  queryRank,
  queryReasonTop,
  queryTrend,
  type StatFilter,
} from '../../contract/statistics/calls.ts';
import { comparedWith, requireAsked, standOf } from './asked.ts';
import { ageingOf, rankOf, reasonsOf, savingsOf, waterfallOf } from './breakdowns.ts';
import { lossByMonth, overviewOf, trendOf, type Asking } from './figures.ts';
import { workbookOf } from './workbook.ts';

async function asked(db: Db, { staff, today, now }: Context, filter: StatFilter) {
  await requireAsked(db, staff, filter);
  const asking: Asking = { db, staff, today, filter };
  return { asking, stand: await standOf(db, now) };
}

const overview = query(queryOverview, async ({ compare, ...filter }, ctx) => {
  const { asking, stand } = await asked(ctx.db, ctx, filter);
  const now = await overviewOf(asking);
  return { ...stand, now, before: compare ? await overviewOf({ ...asking, filter: comparedWith(filter, compare) }) : null };
});

const trend = query(queryTrend, async (filter, ctx) => {
  const { asking, stand } = await asked(ctx.db, ctx, filter);
  return { ...stand, months: await trendOf(asking) };
});

const lossRatio = query(queryLossRatio, async (filter, ctx) => {
  const { asking, stand } = await asked(ctx.db, ctx, filter);
  return { ...stand, months: await lossByMonth(asking) };
});

const rank = query(queryRank, async ({ groupBy, within, ...filter }, ctx) => {
  const { asking, stand } = await asked(ctx.db, ctx, filter);
  return { ...stand, rows: await rankOf(asking, groupBy, within) };
});

const ageing = query(queryAgeing, async (filter, ctx) => {
  const { asking, stand } = await asked(ctx.db, ctx, filter);
  return { ...stand, states: await ageingOf(asking) };
});

const reasonTop = query(queryReasonTop, async (filter, ctx) => {
  const { asking, stand } = await asked(ctx.db, ctx, filter);
  const [reasons, waterfall, savings] = [await reasonsOf(asking), await waterfallOf(asking), await savingsOf(asking)];
  return { ...stand, reasons, waterfall, savings };
});

const exporting = command(exportStatistics, async ({ view, ...filter }, ctx) => {
  const { asking, stand } = await asked(ctx.tx, ctx, filter);
  const by = `${ctx.staff.displayName} ${ctx.staff.opNo}`;
  const sheets = await workbookOf(asking, view, { dataAsOf: stand.dataAsOf, now: ctx.now, by });
  ctx.target({ type: 'insurance.statistics', id: `${filter.from}~${filter.to}` });
  return new FileAnswer({
    name: `数据统计_${filter.from}_${filter.to}.xlsx`,
    contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    body: await bufferOf(xlsxStream(sheets)),
  });
});

export const statisticsHandlers = [overview, trend, lossRatio, rank, ageing, reasonTop, exporting];

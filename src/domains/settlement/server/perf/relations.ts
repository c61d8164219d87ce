import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { plusDays, startOfDay, type Day } from '#kernel/contract/time.ts';
import type { Db } from '#kernel/server/context.ts';
import { contains, elsewhere, isNumber } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { query } from '#kernel/server/handler.ts';
import {
  exportPerfRelationList,
  exportPerfStatisticsList,
  exportPerfUnboundList,
  queryPerfBoundTrend,
  queryPerfRelationList,
  queryPerfStatisticsList,
  queryPerfUnboundList,
  type PerfRelationRow,
} from '../../contract/calls/perfRelations.ts';
import { own } from '../database.ts';
import { firstDayOf, monthAfter } from './months.ts';

/** How a relation `r` stands on a day. */
export const stateOn = (day: RawBuilder<unknown>) => sql<PerfRelationRow['state']>`case
  when r.revoked then 'REVOKED'
  when r.start_date > ${day}::date then 'SCHEDULED'
  when r.end_date is null or r.end_date > ${day}::date then 'ACTIVE'
  else 'ENDED' end`;
const dayAsked = ({ filter, today }: { filter: { asOfDate?: string | undefined }; today: Day }) => sql`${filter.asOfDate ?? today}`;

const joined = (db: Db) =>
  own(db)
    .selectFrom('settlementPerfRelation as r')
    .innerJoin('settlementDoctor as d', 'd.doctorId', 'r.doctorId')
    .innerJoin('settlementAgent as a', 'a.agentId', 'r.agentId')
    .innerJoin('settlementPerfHead as h', (join) =>
      join.onRef('h.doctorId', '=', 'r.doctorId').onRef('h.productLineId', '=', 'r.productLineId'),
    )
    .innerJoin('settlementPerfChange as s', 's.id', 'r.sourceRequestId');

export const relationList = listOf(queryPerfRelationList)
  .from(({ db }) => joined(db))
  .with({
    where: {
      asOfDate: elsewhere,
      agentId: 'r.agentId',
      doctorId: 'r.doctorId',
      hospitalName: contains('d.hospitalName'),
      productLineId: 'r.productLineId',
      sourceNo: isNumber('s.requestNo'),
      state: (_eb, states, ask) => sql<SqlBool>`${stateOn(dayAsked(ask))} = any(${states})`,
    },
    id: 'r.id',
    unsorted: 'what holds before what was revoked, what began last first',
    order: [
      ['r.revoked', 'asc'],
      ['r.startDate', 'desc'],
    ],
    select: (rows, ask) =>
      rows
        .select(['r.id', 'r.doctorId', 'd.doctorNo', 'd.name as doctorName', 'd.hospitalName', 'r.productLineId', 'h.lineName'])
        .select(['r.agentId', 'a.name as agentName', 'a.agentNo', 'r.startDate', 'r.endDate', 's.requestNo as sourceNo'])
        .select(stateOn(dayAsked(ask)).as('state')),
    present: (rows) => rows,
  });
export const relationExport = listExport(relationList, {
  call: exportPerfRelationList,
  title: '绩效绑定关系',
  routeKey: 'performanceBindRelationTable',
});

interface LastRelation {
  agent: string;
  line: string;
  end: string | null;
}
export const unboundList = listOf(queryPerfUnboundList)
  .from((ask) =>
    own(ask.db)
      .selectFrom('settlementDoctor as d')
      .where('d.accountState', '=', 'NORMAL')
      .where(
        sql<SqlBool>`not exists (
          select from settlement_perf_relation r where r.doctor_id = d.doctor_id and ${stateOn(dayAsked(ask))} = 'ACTIVE'
        )`,
      ),
  )
  .with({
    where: { asOfDate: elsewhere, doctorName: contains('d.name'), hospitalName: contains('d.hospitalName') },
    id: 'd.doctorId',
    unsorted: 'doctors without anybody, who came last first',
    select: (rows, ask) =>
      rows.select(['d.doctorId', 'd.doctorNo', 'd.name as doctorName', 'd.hospitalName', 'd.unsettledFen']).select(
        sql<LastRelation | null>`(
          select json_build_object('agent', a.name, 'line', h.line_name, 'end', r.end_date)
            from settlement_perf_relation r
            join settlement_agent a on a.agent_id = r.agent_id
            join settlement_perf_head h on h.doctor_id = r.doctor_id and h.product_line_id = r.product_line_id
            where r.doctor_id = d.doctor_id and not r.revoked and r.end_date <= ${dayAsked(ask)}::date
            order by r.end_date desc
            limit 1
        )`.as('last'),
      ),
    present: (rows) =>
      rows.map(({ last, unsettledFen, ...row }) => ({
        id: row.doctorId,
        ...row,
        lastAgentName: last?.agent ?? null,
        lastLineName: last?.line ?? null,
        lastEndDate: last?.end ?? null,
        unsettledFen: Number(unsettledFen),
      })),
  });
export const unboundExport = listExport(unboundList, {
  call: exportPerfUnboundList,
  title: '未绑定医生',
  routeKey: 'performanceBindRelationTable.unbound',
});

interface Counted {
  agentId: string;
  agentName: string | null;
  agentNo: string | null;
  boundCount: number;
  newCount: number;
  consultCount: number;
  consultFen: string;
  incentiveCount: number;
  incentiveFen: string;
  totalFen: string;
  isNobody: boolean;
}
/** What a month comes to for each representative; incomes that count for nobody under the id 0. */
function countedIn(period: string, today: Day, productLineId: string | undefined) {
  const [first, after] = [firstDayOf(period), firstDayOf(monthAfter(period))];
  const last = plusDays(after, -1) < today ? plusDays(after, -1) : today;
  const ofLine = (alias: 'r' | 'i') =>
    productLineId === undefined ? sql`true` : sql`${sql.ref(`${alias}.product_line_id`)} = ${productLineId}`;
  return sql<Counted>`(
    select coalesce(x.agent_id, 0) as agent_id, a.name as agent_name, a.agent_no, sum(x.bound)::int as bound_count,
        sum(x.fresh)::int as new_count, sum(x.consults)::int as consult_count, sum(x.consult_fen) as consult_fen,
        sum(x.incentives)::int as incentive_count, sum(x.incentive_fen) as incentive_fen, sum(x.total_fen) as total_fen,
        x.agent_id is null as is_nobody
      from (
        select r.agent_id, count(distinct r.doctor_id) as bound,
            count(distinct r.doctor_id) filter (where r.start_date >= ${first}::date) as fresh,
            0 as consults, 0 as consult_fen, 0 as incentives, 0 as incentive_fen, 0 as total_fen
          from settlement_perf_relation r
          where not r.revoked and r.start_date <= ${last}::date and (r.end_date is null or r.end_date > ${last}::date) and ${ofLine('r')}
          group by 1
        union all
        select i.agent_id, 0, 0, count(*) filter (where i.income_type in ('CONSULT', 'FOLLOW_UP')),
            coalesce(sum(i.gross_fen) filter (where i.income_type in ('CONSULT', 'FOLLOW_UP')), 0),
            count(*) filter (where i.income_type = 'INCENTIVE'),
            coalesce(sum(i.gross_fen) filter (where i.income_type = 'INCENTIVE'), 0), sum(i.gross_fen)
          from settlement_income i
          where i.occurred_at >= ${startOfDay(first)} and i.occurred_at < ${startOfDay(after)} and i.status <> 'REVERSED'
            and i.waits_for is null and ${ofLine('i')}
          group by 1
      ) x
      left join settlement_agent a on a.agent_id = x.agent_id
      group by x.agent_id, a.name, a.agent_no
  )`.as('s');
}

export const statisticsList = listOf(queryPerfStatisticsList)
  .from(({ db, today, filter: { period = today.slice(0, 7), productLineId } }) =>
    own(db).selectFrom(countedIn(period, today, productLineId)),
  )
  .with({
    where: { period: elsewhere, productLineId: elsewhere, agentId: 's.agentId' },
    id: 's.agentId',
    unsorted: 'who brought most in the month first, what counts for nobody at the end',
    bounded: 'a row for each representative: some hundreds',
    order: [
      ['s.isNobody', 'asc'],
      ['s.totalFen', 'desc'],
    ],
    select: (rows) => rows.selectAll('s'),
    present: (rows) =>
      rows.map(({ isNobody, ...row }) => ({
        key: row.agentId,
        ...row,
        agentId: isNobody ? null : row.agentId,
        agentName: row.agentName ?? '未归属',
        consultFen: Number(row.consultFen),
        incentiveFen: Number(row.incentiveFen),
        totalFen: Number(row.totalFen),
      })),
  });
export const statisticsExport = listExport(statisticsList, {
  call: exportPerfStatisticsList,
  title: '业绩归属',
  routeKey: 'performanceBindRelationTable.statistics',
});

/** Doctors who had somebody at the end of each month of a year. */
export const boundTrend = query(queryPerfBoundTrend, async ({ period }, ctx) => {
  const { rows } = await sql<{ period: string; boundCount: number }>`
    select to_char(m, 'YYYY-MM') as period, (
        select count(distinct r.doctor_id)::int
          from settlement_perf_relation r
          where not r.revoked and r.start_date <= least((m + interval '1 month - 1 day')::date, ${ctx.today}::date)
            and (r.end_date is null or r.end_date > least((m + interval '1 month - 1 day')::date, ${ctx.today}::date))
      ) as bound_count
      from generate_series(${firstDayOf(period)}::date - interval '11 months', ${firstDayOf(period)}::date, '1 month') m
      order by m`.execute(ctx.db);
  return rows;
});

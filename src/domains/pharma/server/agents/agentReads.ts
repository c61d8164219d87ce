import { sql } from 'kysely';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { plusDays, type Day } from '#kernel/contract/time.ts';
import { trailOf } from '#kernel/server/audit/transition.ts';
import { query } from '#kernel/server/handler.ts';
import { getHospitals } from '#domains/institution/server/index.ts';
import { queryAgentDetail, queryAgentTree } from '../../contract/calls/agents.ts';
import { own, type PharmaDb } from '../database.ts';
import { accessAgent } from './accessAgent.ts';
import { agentById, agentScope } from './agentRows.ts';

const doctorsOf = (alias: string) =>
  sql<number>`(
    select count(distinct d.doctor_id)::int from pharma_agent_doctor d where d.agent_id = ${sql.ref(`${alias}.id`)} and d.until is null
  )`;

/** First days of the last twelve months, oldest first. */
export function lastTwelveMonths(today: Day): string[] {
  const months: string[] = [];
  for (let first = `${today.slice(0, 7)}-01`; months.length < 12; first = `${plusDays(first, -1).slice(0, 7)}-01`)
    months.unshift(first.slice(0, 7));
  return months;
}

export const agentDoctors = (db: PharmaDb, agentId: string) =>
  db
    .selectFrom('pharmaAgentDoctor as d')
    .leftJoin('pharmaProductLine as l', 'l.id', 'd.productLineId')
    .select(['d.doctorId', 'd.doctorName', 'd.hospitalName', 'd.titleCode', 'd.qualState', 'd.productLineId', 'd.since', 'd.until'])
    .select((eb) => eb.fn.coalesce('l.name', sql<string>`''`).as('productLineName'))
    .where('d.agentId', '=', agentId);

export const agentDetail = query(queryAgentDetail, async ({ agentId }, ctx) => {
  const db = own(ctx.db);
  const { path } = await accessAgent(ctx, agentId);
  const [agent, upline, team, doctors, channels, months, handovers, timeline] = await Promise.all([
    agentById(ctx.db, agentId, ctx.today),
    db.selectFrom('pharmaAgent').select(['id', 'agentNo', 'name', 'rank']).where('id', 'in', path).where('id', '<>', agentId).execute(),
    db
      .selectFrom('pharmaAgent as t')
      .select([
        't.id',
        't.agentNo',
        't.name',
        't.rank',
        't.parentId',
        't.state',
        sql<number>`cardinality(t.path) - ${path.length}::int`.as('level'),
        doctorsOf('t').as('doctorCount'),
      ])
      .where(sql<boolean>`t.path @> array[${agentId}]::bigint[]`)
      .where('t.id', '<>', agentId)
      .where('t.state', '<>', 'LEFT')
      .orderBy('t.path')
      .limit(500)
      .execute(),
    agentDoctors(db, agentId)
      .orderBy('d.until', (order) => order.asc().nullsFirst())
      .orderBy('d.since', 'desc')
      .limit(999)
      .execute(),
    db
      .selectFrom('pharmaAgentChannel')
      .select(['channelId', 'channelNo', 'name', 'channelType', 'state', 'scans30'])
      .where('agentId', '=', agentId)
      .orderBy('channelId')
      .execute(),
    db
      .selectFrom('pharmaAgentDoctor')
      .select([sql<string>`to_char(since, 'YYYY-MM')`.as('month'), sql<number>`count(distinct doctor_id)::int`.as('n')])
      .where('agentId', '=', agentId)
      .groupBy(sql`1`)
      .execute(),
    db
      .selectFrom('pharmaAgentHandover')
      .select(['id', 'handoverNo', 'reason', 'effectiveOn', 'state', 'createdAt'])
      .where('fromAgentId', '=', agentId)
      .orderBy('id', 'desc')
      .execute(),
    trailOf(ctx.db, 'pharma.agent', agentId),
  ]);
  if (!agent) throw refuse(platformErrors.NOT_FOUND);
  const hospitals = await getHospitals(ctx.db, agent.hospitalIds);
  const counts = new Map(months.map((row) => [row.month, row.n]));
  const above = new Map(upline.map((row) => [row.id, row]));
  return {
    agent,
    upline: path.flatMap((id) => above.get(id) ?? []).map((row) => ({ ...row, rank: row.rank })),
    team: team.map((row) => ({ ...row, rank: row.rank, state: row.state })),
    doctors,
    channels,
    hospitals: hospitals.map(({ hospitalId, name }) => ({ hospitalId, name })),
    trend: lastTwelveMonths(ctx.today).map((month) => ({ month, newDoctors: counts.get(month) ?? 0 })),
    handovers: handovers.map((row) => ({
      ...row,
    })),
    timeline,
  };
});

/** One level of the tree; heads and doctors are those of the whole branch. */
export const agentTree = query(queryAgentTree, async ({ companyId, rootId }, ctx) => {
  const rows = await own(ctx.db)
    .selectFrom('pharmaAgent')
    .select([
      'pharmaAgent.id',
      'agentNo',
      'name',
      'rank',
      'parentId',
      'state',
      'version',
      sql<number>`(select count(*)::int from pharma_agent k where k.parent_id = pharma_agent.id and k.state <> 'LEFT')`.as('childCount'),
      sql<number>`(select count(*)::int from pharma_agent t where t.path @> array[pharma_agent.id] and t.state <> 'LEFT')`.as('headCount'),
      sql<number>`(select count(distinct d.doctor_id)::int from pharma_agent t join pharma_agent_doctor d on d.agent_id = t.id
        where t.path @> array[pharma_agent.id] and d.until is null)`.as('doctorTotal'),
    ])
    .where('companyId', '=', companyId)
    .where('parentId', rootId === undefined ? 'is' : '=', rootId ?? null)
    .where('state', '<>', 'LEFT')
    .where(agentScope(ctx.staff))
    .orderBy('id')
    .execute();
  return rows.map((row) => ({ ...row, rank: row.rank, state: row.state }));
});

import { sql } from 'kysely';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import type { Instant } from '#kernel/contract/time.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { getAgents, getProductLines } from '#domains/pharma/server/index.ts';
import { settlementErrors } from '../../contract/errors.ts';
import { own } from '../database.ts';
import { keepDoctors } from '../doctors/keep.ts';
import { pairKey, type Pair } from './attribution.ts';

export type Agent = Awaited<ReturnType<typeof getAgents>>[number];
const missing = (what: string) => refuse(platformErrors.NOT_FOUND, { message: `${what}不存在或已删除` });

/** Representatives as lists of this domain name them. @throws Refusal SCM90040 for one that is not there */
export async function keepAgents(tx: Tx, agentIds: readonly string[], now: Instant): Promise<Agent[]> {
  const wanted = [...new Set(agentIds)];
  const agents = await getAgents(tx, wanted);
  if (agents.length < wanted.length) throw missing('代表');
  if (agents.length === 0) return [];
  await own(tx)
    .insertInto('settlementAgent')
    .values(agents.map(({ agentId, agentNo, name, status }) => ({ agentId, agentNo, name, state: status, updatedAt: now })))
    .onConflict((conflict) =>
      conflict.column('agentId').doUpdateSet((eb) => ({
        agentNo: eb.ref('excluded.agentNo'),
        name: eb.ref('excluded.name'),
        state: eb.ref('excluded.state'),
        updatedAt: now,
      })),
    )
    .execute();
  return agents;
}

/** Doctors, product lines and the heads of their pairs. @throws Refusal SCM90040 for what is not there */
export async function keepPairs(tx: Tx, pairs: readonly Pair[], now: Instant): Promise<void> {
  const doctorIds = [...new Set(pairs.map(({ doctorId }) => doctorId))];
  if ((await keepDoctors(tx, doctorIds, now)).length < doctorIds.length) throw missing('医生');
  const lineIds = [...new Set(pairs.map(({ productLineId }) => productLineId))];
  const lines = new Map((await getProductLines(tx, lineIds)).map(({ productLineId, name }) => [productLineId, name]));
  if (lines.size < lineIds.length) throw missing('产品线');
  const sorted = pairs.toSorted((a, b) => Number(a.doctorId) - Number(b.doctorId) || Number(a.productLineId) - Number(b.productLineId));
  await own(tx)
    .insertInto('settlementPerfHead')
    .values(sorted.map(({ doctorId, productLineId }) => ({ doctorId, productLineId, lineName: lines.get(productLineId)! })))
    .onConflict((conflict) => conflict.columns(['doctorId', 'productLineId']).doNothing())
    .execute();
}

/** Locks the heads of a request's pairs, always in one order. */
export const lockHeads = (tx: Tx, requestId: string) =>
  sql`
    select h.doctor_id
      from settlement_perf_head h
      join settlement_perf_item i on i.doctor_id = h.doctor_id and i.product_line_id = h.product_line_id
      where i.request_id = ${requestId}
      order by h.doctor_id, h.product_line_id
      for update of h`.execute(tx);

/** How a doctor and product line stand: the last relation that was not revoked, and what waits for a decision. */
export interface Standing extends Pair {
  doctorName: string;
  relationId: string | null;
  agentId: string | null;
  agentName: string | null;
  startDate: string | null;
  endDate: string | null;
  sourceNo: string | null;
  endNo: string | null;
  openId: string | null;
  openNo: string | null;
}

export async function standingOf(db: Db | Tx, pairs: readonly Pair[]): Promise<ReadonlyMap<string, Standing>> {
  const { rows } = await sql<Standing>`
    select p.doctor_id, p.product_line_id, d.name as doctor_name, r.id as relation_id, r.agent_id, a.name as agent_name, r.start_date,
        r.end_date, s.request_no as source_no, e.request_no as end_no, o.id as open_id, o.request_no as open_no
      from unnest(
        ${pairs.map(({ doctorId }) => doctorId)}::bigint[],
        ${pairs.map(({ productLineId }) => productLineId)}::bigint[]
      ) as p (doctor_id, product_line_id)
      left join settlement_doctor d on d.doctor_id = p.doctor_id
      left join lateral (
        select * from settlement_perf_relation x
          where x.doctor_id = p.doctor_id and x.product_line_id = p.product_line_id and not x.revoked
          order by x.start_date desc
          limit 1
      ) r on true
      left join settlement_agent a on a.agent_id = r.agent_id
      left join settlement_perf_change s on s.id = r.source_request_id
      left join settlement_perf_change e on e.id = r.end_request_id
      left join settlement_perf_item i on i.doctor_id = p.doctor_id and i.product_line_id = p.product_line_id and i.is_open
      left join settlement_perf_change o on o.id = i.request_id`.execute(db);
  return new Map(rows.map((row) => [pairKey(row), row]));
}

export interface Wish extends Pair {
  fromAgentId: string | null;
  toAgentId: string | null;
}

/** Why a pair cannot be changed so from that day on; null: it can. */
export function faultOf({ fromAgentId, toAgentId }: Wish, standing: Standing, from: string, requestId: string | null) {
  const name = standing.doctorName;
  const agent = standing.agentName ?? '';
  if (standing.openId !== null && standing.openId !== requestId)
    return refuse(settlementErrors.OPEN_CHANGE, { name, no: standing.openNo ?? '' });
  if (standing.startDate !== null && standing.startDate >= from)
    return refuse(settlementErrors.LATER_CHANGE, { no: standing.sourceNo ?? '' });
  if (standing.endDate !== null && standing.endDate > from) return refuse(settlementErrors.LATER_CHANGE, { no: standing.endNo ?? '' });
  const current = standing.relationId !== null && standing.endDate === null ? standing.agentId : null;
  if (current !== null && current === toAgentId) return refuse(settlementErrors.SAME_AGENT, { name, agent });
  if (fromAgentId === null) return current === null ? null : refuse(settlementErrors.ALREADY_BOUND, { name, agent });
  return current === fromAgentId ? null : refuse(settlementErrors.NOT_BOUND, { name });
}

/** Why a representative cannot get doctors of a line; null: he can. */
export function agentFault(agent: Agent, productLineId: string) {
  if (agent.status !== 'ACTIVE') return refuse(settlementErrors.AGENT_INACTIVE, { name: agent.name });
  return agent.productLineIds.includes(productLineId) ? null : refuse(settlementErrors.OTHER_LINE, { name: agent.name });
}

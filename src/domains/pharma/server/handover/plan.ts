import { sql, type SqlBool } from 'kysely';
import { refuse, refuseField } from '#kernel/contract/errors.ts';
import type { Tx } from '#kernel/server/context.ts';
import type { HandoverPlan } from '../../contract/calls/handovers.ts';
import { pharmaErrors } from '../../contract/errors.ts';
import { pairKey } from '../../contract/rules/handoverPlan.ts';
import { agentScope, type Viewer } from '../agents/agentRows.ts';
import { requireParent } from '../agents/hierarchy.ts';
import { ownTx, type PharmaDb } from '../database.ts';

/** Everything that somebody would leave behind. */
export async function belongingsOf(db: PharmaDb, agentId: string) {
  const [doctors, channels, team] = [
    await db
      .selectFrom('pharmaAgentDoctor')
      .select(['doctorId', 'productLineId', 'doctorName', 'hospitalName'])
      .where('agentId', '=', agentId)
      .where('until', 'is', null)
      .orderBy('doctorId')
      .orderBy('productLineId')
      .execute(),
    await db.selectFrom('pharmaAgentChannel').select(['channelId', 'name']).where('agentId', '=', agentId).orderBy('channelId').execute(),
    await db
      .selectFrom('pharmaAgent')
      .select(['id', 'name', 'rank', 'path'])
      .where('parentId', '=', agentId)
      .where('state', '<>', 'LEFT')
      .orderBy('id')
      .execute(),
  ];
  return { doctors, channels, team };
}
export type Belongings = Awaited<ReturnType<typeof belongingsOf>>;

/** The plan with everything named: what approval freezes. */
export interface FrozenPlan {
  teamToAgentId: string | null;
  team: string[];
  doctors: { doctorId: string; productLineId: string; toAgentId: string }[];
  channels: { channelId: string; toAgentId: string }[];
}

/** Names a successor for everything; `rest` takes what the plan leaves open. */
export function resolvePlan(plan: HandoverPlan, belongings: Belongings): FrozenPlan & { unassigned: number } {
  const rest = plan.rest?.toAgentId ?? null;
  const ofPair = new Map(plan.doctors.map((row) => [pairKey(row), row.toAgentId]));
  const ofChannel = new Map(plan.channels.map((row) => [row.channelId, row.toAgentId]));
  const doctors = belongings.doctors.map(({ doctorId, productLineId }) => ({
    doctorId,
    productLineId,
    toAgentId: ofPair.get(pairKey({ doctorId, productLineId })) ?? rest,
  }));
  const channels = belongings.channels.map(({ channelId }) => ({ channelId, toAgentId: ofChannel.get(channelId) ?? rest }));
  const named = <T extends { toAgentId: string | null }>(rows: T[]) =>
    rows.filter((row): row is T & { toAgentId: string } => row.toAgentId !== null);
  const assigned = { doctors: named(doctors), channels: named(channels) };
  return {
    teamToAgentId: plan.teamToAgentId ?? null,
    team: belongings.team.map((row) => row.id),
    ...assigned,
    unassigned: doctors.length - assigned.doctors.length + channels.length - assigned.channels.length,
  };
}

export const successorsOf = (plan: FrozenPlan): string[] =>
  [...new Set([...plan.doctors, ...plan.channels].map((row) => row.toAgentId).concat(plan.teamToAgentId ?? []))].sort(
    (a, b) => Number(a) - Number(b),
  );

/**
 * @param chooser who names the successors and must see them; null where they were checked before
 * @throws Refusal SCM05045 to SCM05048 and, for the team's new superior, SCM05042 to SCM05044
 */
export async function requireCompletePlan(
  tx: Tx,
  chooser: Viewer | null,
  from: { id: string; companyId: string },
  resolved: ReturnType<typeof resolvePlan>,
  belongings: Belongings,
): Promise<void> {
  const own = ownTx(tx);
  if (resolved.unassigned > 0) throw refuse(pharmaErrors.HANDOVER_UNASSIGNED, { n: resolved.unassigned });
  if (belongings.team.length > 0 && resolved.teamToAgentId === null) throw refuse(pharmaErrors.TEAM_UNASSIGNED);
  const ids = successorsOf(resolved);
  const successors = new Map(
    (ids.length === 0
      ? []
      : await own
          .selectFrom('pharmaAgent')
          .select(['id', 'name', 'state', 'companyId', 'path'])
          .where('id', 'in', ids)
          .where(chooser ? agentScope(chooser) : sql<SqlBool>`true`)
          .forShare()
          .execute()
    ).map((row) => [row.id, row]),
  );
  for (const id of ids) {
    const successor = successors.get(id);
    if (!successor) throw refuseField('plan', '接收人不存在');
    if (id === from.id) throw refuseField('plan', '接收人不能是本人');
    if (successor.state !== 'ACTIVE') throw refuse(pharmaErrors.SUCCESSOR_INACTIVE, { name: successor.name });
    if (successor.companyId !== from.companyId) throw refuseField('plan', `接收人${successor.name}不属于同一药企`);
  }
  if (ids.length > 0 && resolved.doctors.length > 0) {
    const served = await own.selectFrom('pharmaAgentLine').select(['agentId', 'lineId']).where('agentId', 'in', ids).execute();
    const has = new Set(served.map((row) => `${row.agentId}:${row.lineId}`));
    const lacking = resolved.doctors.find((row) => !has.has(`${row.toAgentId}:${row.productLineId}`));
    if (lacking) {
      const line = await own.selectFrom('pharmaProductLine').select('name').where('id', '=', lacking.productLineId).executeTakeFirst();
      throw refuse(pharmaErrors.SUCCESSOR_LINE, {
        name: successors.get(lacking.toAgentId)!.name,
        line: line?.name ?? lacking.productLineId,
      });
    }
  }
  if (resolved.teamToAgentId !== null && belongings.team.length > 0) {
    if (successors.get(resolved.teamToAgentId)!.path.includes(from.id)) throw refuse(pharmaErrors.PARENT_BELOW);
    for (const member of belongings.team)
      await requireParent(tx, { id: member.id, companyId: from.companyId, rank: member.rank }, resolved.teamToAgentId, chooser);
  }
}

/** Per successor: what he has and what he will have. */
export async function previewLoads(db: PharmaDb, viewer: Viewer, resolved: FrozenPlan) {
  const ids = successorsOf(resolved);
  if (ids.length === 0) return [];
  const people = await db
    .selectFrom('pharmaAgent')
    .select(['id', 'agentNo', 'name'])
    .where('id', 'in', ids)
    .where(agentScope(viewer))
    .orderBy('id')
    .execute();
  const loads = [];
  for (const person of people) {
    const now = await belongingsOf(db, person.id);
    const gained = new Set(resolved.doctors.filter((row) => row.toAgentId === person.id).map((row) => row.doctorId));
    const before = new Set(now.doctors.map((row) => row.doctorId));
    loads.push({
      agentId: person.id,
      agentNo: person.agentNo,
      name: person.name,
      doctorsBefore: before.size,
      doctorsAfter: new Set([...before, ...gained]).size,
      channelsBefore: now.channels.length,
      channelsAfter: now.channels.length + resolved.channels.filter((row) => row.toAgentId === person.id).length,
      teamBefore: now.team.length,
      teamAfter: now.team.length + (resolved.teamToAgentId === person.id ? resolved.team.length : 0),
    });
  }
  return loads;
}

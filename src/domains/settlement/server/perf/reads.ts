import { sql } from 'kysely';
import { trailOf } from '#kernel/server/audit/transition.ts';
import type { Db } from '#kernel/server/context.ts';
import { query } from '#kernel/server/handler.ts';
import { getAgents, getProductLines } from '#domains/pharma/server/index.ts';
import { getDoctors } from '#domains/doctor/server/index.ts';
import { previewPerfChange, queryPerfChangeDetail, queryPerfPairs } from '../../contract/calls/perfChanges.ts';
import { queryPerfRelationTimeline } from '../../contract/calls/perfRelations.ts';
import { perfChangeRecords } from '../access.ts';
import { own } from '../database.ts';
import { impactOf, pairKey } from './attribution.ts';
import { agentFault, faultOf, standingOf, type Wish } from './keep.ts';
import { changeOf } from './list.ts';
import { lastLocked, lockedFault } from './months.ts';
import { stateOn } from './relations.ts';
import { wishesOf } from './write.ts';

export const detail = query(queryPerfChangeDetail, async ({ id }, ctx) => {
  const record = await perfChangeRecords.get(ctx.db, ctx.staff, id);
  const isDraft = record.status === 'DRAFT' || record.status === 'REJECTED';
  const items = isDraft
    ? await own(ctx.db)
        .selectFrom('settlementPerfItem')
        .select(['doctorId', 'productLineId', 'toAgentId'])
        .where('requestId', '=', id)
        .orderBy('id')
        .execute()
    : [];
  return {
    change: await changeOf(ctx, id),
    fromAgentId: record.fromAgentId,
    toAgentId: record.toAgentId,
    fileIds: record.fileIds,
    items,
    trail: await trailOf(ctx.db, perfChangeRecords.type, id),
  };
});

const currentOf = (db: Db, agentId: string) =>
  own(db)
    .selectFrom('settlementPerfRelation as r')
    .innerJoin('settlementDoctor as d', 'd.doctorId', 'r.doctorId')
    .innerJoin('settlementPerfHead as h', (join) =>
      join.onRef('h.doctorId', '=', 'r.doctorId').onRef('h.productLineId', '=', 'r.productLineId'),
    )
    .where('r.agentId', '=', agentId)
    .where('r.revoked', '=', false)
    .where('r.endDate', 'is', null);
/** As many as one request takes. */
const MOST_PAIRS = 1_000;
export const pairs = query(queryPerfPairs, ({ agentId }, ctx) =>
  currentOf(ctx.db, agentId)
    .select(['r.doctorId', 'd.doctorNo', 'd.name as doctorName', 'd.hospitalName', 'r.productLineId', 'h.lineName', 'r.startDate'])
    .orderBy('d.hospitalName')
    .orderBy('d.name')
    .orderBy('r.productLineId')
    .limit(MOST_PAIRS)
    .execute(),
);

async function faultsOf(db: Db, wishes: readonly Wish[], effectiveDate: string, requestId: string | null) {
  const day = lockedFault(effectiveDate, await lastLocked(db));
  const agents = await getAgents(
    db,
    wishes.flatMap(({ fromAgentId, toAgentId }) => [fromAgentId, toAgentId]).filter((id) => id !== null),
  );
  const byId = new Map(agents.map((agent) => [agent.agentId, agent]));
  const standings = await standingOf(db, wishes);
  return {
    byId,
    standings,
    of(wish: Wish): string | null {
      const agent = wish.toAgentId === null ? undefined : byId.get(wish.toAgentId);
      const fault =
        day ??
        faultOf(wish, standings.get(pairKey(wish))!, effectiveDate, requestId) ??
        (agent ? agentFault(agent, wish.productLineId) : null);
      return fault?.message ?? null;
    },
  };
}

/** What a request would do: who has whom before and after, which incomes count for another one, and what stands against it. */
export const preview = query(previewPerfChange, async ({ id, ...facts }, ctx) => {
  const wishes = wishesOf(facts);
  const doctors = new Map((await getDoctors(ctx.db, [...new Set(wishes.map((wish) => wish.doctorId))])).map((one) => [one.doctorId, one]));
  const lines = new Map(
    (await getProductLines(ctx.db, [...new Set(wishes.map((wish) => wish.productLineId))])).map((one) => [one.productLineId, one.name]),
  );
  const impacts = await impactOf(ctx.db, wishes, facts.effectiveDate);
  const faults = await faultsOf(ctx.db, wishes, facts.effectiveDate, id);
  const rows = wishes.flatMap((wish) => {
    const doctor = doctors.get(wish.doctorId);
    const pairStanding = faults.standings.get(pairKey(wish))!;
    if (!doctor) return [];
    const impact = impacts.get(pairKey(wish));
    return [
      {
        doctorId: wish.doctorId,
        doctorNo: doctor.doctorNo,
        doctorName: doctor.name,
        hospitalName: doctor.hospitalName,
        productLineId: wish.productLineId,
        lineName: lines.get(wish.productLineId) ?? '',
        beforeName: pairStanding.endDate === null ? pairStanding.agentName : null,
        afterName: wish.toAgentId === null ? null : (faults.byId.get(wish.toAgentId)?.name ?? null),
        incomeCount: impact?.incomeCount ?? 0,
        grossFen: Number(impact?.grossFen ?? 0),
        months: (impact?.months ?? []).join('、'),
        fault: faults.of({ ...wish }),
      },
    ];
  });
  const held =
    facts.fromAgentId === null
      ? null
      : await currentOf(ctx.db, facts.fromAgentId)
          .select((eb) => eb.fn.countAll<string>().as('n'))
          .executeTakeFirst();
  const taken = rows.filter((row) => row.beforeName !== null).length;
  return {
    rows,
    incomeCount: rows.reduce((sum, row) => sum + row.incomeCount, 0),
    grossFen: rows.reduce((sum, row) => sum + row.grossFen, 0),
    leftCount: held ? Math.max(0, Number(held.n) - taken) : 0,
  };
});

export const timeline = query(queryPerfRelationTimeline, async ({ doctorId, productLineId }, ctx) => {
  const [doctor] = await getDoctors(ctx.db, [doctorId]);
  if (!doctor) throw perfChangeRecords.missing();
  const relations = await own(ctx.db)
    .selectFrom('settlementPerfRelation as r')
    .innerJoin('settlementAgent as a', 'a.agentId', 'r.agentId')
    .innerJoin('settlementPerfHead as h', (join) =>
      join.onRef('h.doctorId', '=', 'r.doctorId').onRef('h.productLineId', '=', 'r.productLineId'),
    )
    .innerJoin('settlementPerfChange as s', 's.id', 'r.sourceRequestId')
    .leftJoin('settlementPerfChange as e', 'e.id', 'r.endRequestId')
    .where('r.doctorId', '=', doctorId)
    .$if(productLineId !== undefined, (all) => all.where('r.productLineId', '=', productLineId!))
    .select(['r.id', 'r.productLineId', 'h.lineName', 'a.name as agentName', 'r.startDate', 'r.endDate'])
    .select(['s.requestNo as sourceNo', 'e.requestNo as endNo', stateOn(sql.lit(ctx.today)).as('state')])
    .orderBy('h.lineName')
    .orderBy('r.startDate')
    .orderBy('r.id')
    .limit(500)
    .execute();
  return { doctorName: doctor.name, relations };
});

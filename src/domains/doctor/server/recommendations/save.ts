import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { sql } from 'kysely';
import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { differencesOf } from '#kernel/server/command/differences.ts';
import type { Tx } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import { recordOf } from '#kernel/server/record/recordOf.ts';
import { getChannels } from '#domains/channel/server/index.ts';
import { positionCapacity, type Position } from '../../contract/dictionaries.ts';
import { doctorErrors } from '../../contract/errors.ts';
import {
  addRecommendation,
  modifyRecommendation,
  offRecommendation,
  recommendationLabels,
  sortRecommendation,
} from '../../contract/calls/recommendations.ts';
import { hasPlace, scopeRef, type Stretch } from '../../contract/rules/positions.ts';
import { recommendationMachine } from '../../contract/staffStates.ts';
import { doctorRecords, seesDoctor } from '../access.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { own, lockKeys, ownTx } from '../database.ts';

export const RECOMMENDATION_TARGET = 'doctor.recommendation';
const LAST_SORT = 999;
type State = keyof typeof recommendationMachine.states & string;

/** Writers of one scope wait for each other, so that its capacity holds at every instant. */
const lockScope = (tx: Tx, position: string, scopeKey: string) => lockKeys(tx, [`recommendation:${position}:${scopeKey}`]);

/** Recommendations of doctors within the scope; a lock leaves the doctor free. */
const recommendations = recordOf((db) =>
  own(db).selectFrom('doctorRecommendation as r').innerJoin('doctorDoctor as d', 'd.id', 'r.doctorId').selectAll('r').select('d.doctorNo'),
).with({ type: RECOMMENDATION_TARGET, id: 'r.id', scope: seesDoctor, locks: 'r' });

/** @throws Refusal SCM07052 for an overlap of the same doctor, SCM07051 when the scope is full at any instant of the stretch. */
async function requirePlace(
  tx: Tx,
  at: { position: Position; scopeKey: string; doctorId: string; exceptId: string | null },
  wish: Stretch,
): Promise<void> {
  let query = ownTx(tx)
    .selectFrom('doctorRecommendation')
    .select(['id', 'doctorId', 'startAt', 'endAt'])
    .where('position', '=', at.position)
    .where('scopeKey', '=', at.scopeKey)
    .where('state', '<>', 'OFF')
    .where('startAt', '<', wish.endAt)
    .where('endAt', '>', wish.startAt);
  if (at.exceptId !== null) query = query.where('id', '<>', at.exceptId);
  const others = await query.execute();
  if (others.some(({ doctorId }) => doctorId === at.doctorId)) throw refuse(doctorErrors.RECOMMENDED_ALREADY);
  if (!hasPlace(at.position, others, wish)) throw refuse(doctorErrors.POSITION_FULL, { n: positionCapacity[at.position] });
}

/** @throws Refusal SCM90020 for a disease or channel that is not there. */
async function requireScope(tx: Tx, position: Position, scopeKey: string): Promise<void> {
  const ref = scopeRef(scopeKey);
  if (position === 'DISEASE') {
    const disease = await ownTx(tx)
      .selectFrom('doctorRefCopy')
      .select('refId')
      .where('kind', '=', 'DISEASE')
      .where('refId', '=', ref)
      .executeTakeFirst();
    if (!disease) throw refuseField('scopeKey', '所选病种不存在');
  }
  if (position === 'CHANNEL' && (await getChannels(tx, [ref])).length === 0) throw refuseField('scopeKey', '所选渠道不存在');
}

const stateAt = ({ startAt }: Stretch, now: string): State => (startAt <= now ? 'ON' : 'WAITING');

/** Instants as the database keeps them, so that they compare as text. */
const instants = ({ startAt, endAt }: Stretch): Stretch => ({
  startAt: new Date(startAt).toISOString(),
  endAt: new Date(endAt).toISOString(),
});

/** Puts a doctor last into a position. */
export const add = command(addRecommendation, async ({ position, scopeKey, doctorId, adcode, reason, ...given }, ctx) => {
  const times = instants(given);
  if (times.endAt <= ctx.now) throw refuseField('endAt', '结束时间须晚于当前时间');
  const doctor = await doctorRecords.get(ctx.tx, ctx.staff, doctorId);
  if (!doctor.practiceOk) throw refuse(doctorErrors.NOT_RECOMMENDABLE);
  await requireScope(ctx.tx, position, scopeKey);
  await lockScope(ctx.tx, position, scopeKey);
  await requirePlace(ctx.tx, { position, scopeKey, doctorId, exceptId: null }, times);
  const state = stateAt(times, ctx.now);
  const last = await ownTx(ctx.tx)
    .selectFrom('doctorRecommendation')
    .select((eb) => eb.fn.max('sort').as('sort'))
    .where('position', '=', position)
    .where('scopeKey', '=', scopeKey)
    .where('state', 'in', ['WAITING', 'ON'])
    .executeTakeFirst();
  const { id } = await ownTx(ctx.tx)
    .insertInto('doctorRecommendation')
    .values({
      position,
      scopeKey,
      doctorId,
      adcode,
      reason,
      ...times,
      sort: Math.min(LAST_SORT, (last?.sort ?? 0) + 1),
      state,
      ...createdColumns(ctx),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await moveState(ctx, recommendationMachine, {
    targetType: RECOMMENDATION_TARGET,
    targetId: id,
    targetNo: doctor.doctorNo,
    action: 'add',
    from: state,
  });
  return { id, state, version: 1 };
});

export const modify = command(modifyRecommendation, async ({ id, version, adcode, reason, ...given }, ctx) => {
  const times = instants(given);
  // The scope's lock comes before the row's, as everywhere here.
  const known = await ownTx(ctx.tx)
    .selectFrom('doctorRecommendation')
    .select(['position', 'scopeKey'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (known) await lockScope(ctx.tx, known.position, known.scopeKey);
  const before = await recommendations.lockVersion(ctx, id, version, (seen) => ({
    adcode: seen.adcode,
    reason: seen.reason,
    startAt: seen.startAt,
    endAt: seen.endAt,
  }));
  if (times.endAt <= ctx.now) throw refuseField('endAt', '结束时间须晚于当前时间');
  if (before.state === 'ON' && times.startAt !== before.startAt) throw refuseField('startAt', '已开始展示，不能修改开始时间');
  await moveState(ctx, recommendationMachine, {
    targetType: RECOMMENDATION_TARGET,
    targetId: id,
    targetNo: before.doctorNo,
    action: 'modify',
    from: before.state,
    differences: differencesOf(before, { adcode, reason, ...times }, recommendationLabels),
  });
  await requirePlace(ctx.tx, { position: before.position, scopeKey: before.scopeKey, doctorId: before.doctorId, exceptId: id }, times);
  const state = stateAt(times, ctx.now);
  await ownTx(ctx.tx)
    .updateTable('doctorRecommendation')
    .set((eb) => ({ adcode, reason, ...times, state, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
    .where('id', '=', id)
    .execute();
  return actionAnswer(ctx, recommendationMachine, { id, state, version: version + 1 });
});

export const off = command(offRecommendation, async ({ id, version, opinion }, ctx) => {
  const row = await recommendations.lockVersion(ctx, id, version, (seen) => ({ state: seen.state }));
  const state = await moveState(ctx, recommendationMachine, {
    targetType: RECOMMENDATION_TARGET,
    targetId: id,
    targetNo: row.doctorNo,
    action: 'off',
    from: row.state,
    opinion,
  });
  await ownTx(ctx.tx)
    .updateTable('doctorRecommendation')
    .set((eb) => ({ state, offOpinion: opinion, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
    .where('id', '=', id)
    .execute();
  return actionAnswer(ctx, recommendationMachine, { id, state, version: version + 1 });
});

/** The wished order; what came in meanwhile stands behind it. */
export const sort = command(sortRecommendation, async ({ position, scopeKey, ids }, ctx) => {
  await lockScope(ctx.tx, position, scopeKey);
  const live = await ownTx(ctx.tx)
    .selectFrom('doctorRecommendation as r')
    .innerJoin('doctorDoctor as d', 'd.id', 'r.doctorId')
    .select(['r.id', 'r.sort'])
    .where('r.position', '=', position)
    .where('r.scopeKey', '=', scopeKey)
    .where('r.state', 'in', ['WAITING', 'ON'])
    .where(seesDoctor(ctx.staff))
    .orderBy('r.sort')
    .orderBy('r.id')
    .execute();
  const wished = [...new Set(ids)];
  if (wished.some((id) => !live.some((row) => row.id === id)))
    throw refuse(platformErrors.NOT_FOUND, { message: '部分推荐已下架或已结束，请刷新后重试' });
  const order = [...wished, ...live.map(({ id }) => id).filter((id) => !wished.includes(id))].slice(0, LAST_SORT);
  const { rows } = await sql<{ id: string; sort: number; version: number }>`
    update doctor_recommendation r
      set sort = o.place::int, updated_at = ${ctx.now}, updated_by = ${ctx.staff.userId}
      from unnest(${order}::bigint[]) with ordinality as o(id, place)
      where r.id = o.id
      returning r.id, r.sort, r.version`.execute(ctx.tx);
  ctx.target({ type: RECOMMENDATION_TARGET, id: `${position}:${scopeKey}` });
  ctx.changed([{ path: 'sort', label: '排序', before: live.map(({ id }) => id), after: order }]);
  return rows.toSorted((a, b) => a.sort - b.sort);
});

import { moveState } from '#kernel/server/audit/transition.ts';
import type { Instant } from '#kernel/contract/time.ts';
import type { Writing } from '#kernel/server/context.ts';
import { asSystem } from '#kernel/server/command/acting.ts';
import { recommendationMachine } from '../../contract/staffStates.ts';
import { ownTx } from '../database.ts';
import { RECOMMENDATION_TARGET } from './save.ts';

/** Takes a doctor off all positions, by the system. */
export async function offRecommendations(
  ctx: Writing & { now: Instant; traceId: string },
  doctorId: string,
  opinion: string,
): Promise<void> {
  const rows = await ownTx(ctx.tx)
    .selectFrom('doctorRecommendation as r')
    .innerJoin('doctorDoctor as d', 'd.id', 'r.doctorId')
    .select(['r.id', 'r.state', 'd.doctorNo'])
    .where('r.doctorId', '=', doctorId)
    .where('r.state', 'in', ['WAITING', 'ON'])
    .orderBy('r.id')
    .forUpdate('r')
    .execute();
  for (const row of rows) {
    const state = await moveState(asSystem(ctx, ctx), recommendationMachine, {
      targetType: RECOMMENDATION_TARGET,
      targetId: row.id,
      targetNo: row.doctorNo,
      action: 'offBySystem',
      from: row.state,
      opinion,
    });
    await ownTx(ctx.tx)
      .updateTable('doctorRecommendation')
      .set((eb) => ({ state, offOpinion: opinion, version: eb('version', '+', 1), updatedAt: ctx.now }))
      .where('id', '=', row.id)
      .execute();
  }
}

/** Starts and ends what the time starts and ends. */
export async function activateDueRecommendations(ctx: Writing & { now: Instant; traceId: string }): Promise<void> {
  const due = await ownTx(ctx.tx)
    .selectFrom('doctorRecommendation as r')
    .innerJoin('doctorDoctor as d', 'd.id', 'r.doctorId')
    .select(['r.id', 'r.state', 'r.endAt', 'd.doctorNo'])
    .where('r.state', 'in', ['WAITING', 'ON'])
    .where((eb) => eb.or([eb('r.endAt', '<=', ctx.now), eb.and([eb('r.state', '=', 'WAITING'), eb('r.startAt', '<=', ctx.now)])]))
    .orderBy('r.id')
    .forUpdate('r')
    .skipLocked()
    .execute();
  for (const row of due) {
    const action = row.endAt <= ctx.now ? 'end' : 'start';
    const state = await moveState(asSystem(ctx, ctx), recommendationMachine, {
      targetType: RECOMMENDATION_TARGET,
      targetId: row.id,
      targetNo: row.doctorNo,
      action,
      from: row.state,
    });
    await ownTx(ctx.tx)
      .updateTable('doctorRecommendation')
      .set((eb) => ({ state, version: eb('version', '+', 1), updatedAt: ctx.now }))
      .where('id', '=', row.id)
      .execute();
  }
}

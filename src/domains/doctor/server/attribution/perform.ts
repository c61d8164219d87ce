import { plusMs, startOfDay } from '#kernel/contract/time.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { attributionChanged } from '#events/doctor.ts';
import { attributionChangeMachine } from '../../contract/orderStates.ts';
import { ownTx } from '../database.ts';
import { setDoctorChannel } from '../doctors/practice/publish.ts';
import { CHANGE_TARGET } from './access.ts';
import { rememberNames } from './names.ts';

/**
 * Ends the old attribution at 00:00 of the day and opens the new one at the same instant, so that no moment is without one.
 * An approval that came after its day takes effect on the day of the approval: what was earned before stays where it was.
 */
export async function performChange(ctx: Acting, changeId: string): Promise<void> {
  const change = await ownTx(ctx.tx)
    .selectFrom('doctorAttributionChange')
    .selectAll()
    .where('id', '=', changeId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  if (change.state !== 'APPROVED' || change.performedAt !== null) return;
  const subjectType = change.subjectType;
  const live = await ownTx(ctx.tx)
    .selectFrom('doctorAttribution')
    .selectAll()
    .where('subjectType', '=', subjectType)
    .where('subjectId', '=', change.subjectId)
    .where('endedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  const day = change.effectiveOn > ctx.today ? change.effectiveOn : ctx.today;
  const midnight = startOfDay(day);
  // Somebody who came only today has had the old one until now.
  const at = live && live.startedAt >= midnight ? plusMs(live.startedAt, 1) : midnight;
  if (live)
    await ownTx(ctx.tx).updateTable('doctorAttribution').set({ endedAt: at, updatedAt: ctx.now }).where('id', '=', live.id).execute();
  await ownTx(ctx.tx)
    .insertInto('doctorAttribution')
    .values({
      subjectType,
      subjectId: change.subjectId,
      subjectName: live?.subjectName ?? change.subjectName,
      mobileMasked: live?.mobileMasked ?? null,
      channelId: change.toChannelId,
      agentId: change.toAgentId,
      viaDoctorId: live?.viaDoctorId ?? null,
      method: change.toChannelId === null ? 'ORGANIC' : change.source === 'IMPORT' ? 'IMPORT' : 'MANUAL',
      startedAt: at,
      changeId,
      createdAt: ctx.now,
      createdBy: change.makerId,
      updatedAt: ctx.now,
    })
    .execute();
  await rememberNames(ctx, { channelId: change.toChannelId, agentId: change.toAgentId });
  await moveState(ctx, attributionChangeMachine, {
    targetType: CHANGE_TARGET,
    targetId: changeId,
    targetNo: change.changeNo,
    action: 'take',
    from: 'APPROVED',
  });
  await ownTx(ctx.tx)
    .updateTable('doctorAttributionChange')
    .set((eb) => ({ performedAt: ctx.now, version: eb('version', '+', 1), updatedAt: ctx.now }))
    .where('id', '=', changeId)
    .execute();
  if (subjectType === 'DOCTOR') await setDoctorChannel(ctx, change.subjectId, { channelId: change.toChannelId, agentId: change.toAgentId });
  await ctx.publish(attributionChanged, `${subjectType}:${change.subjectId}`, {
    subjectType,
    subjectId: change.subjectId,
    fromChannelId: live?.channelId ?? null,
    toChannelId: change.toChannelId,
    agentId: change.toAgentId,
    effectiveOn: day,
  });
}

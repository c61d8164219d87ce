import { minutes, plusMs } from '#kernel/contract/time.ts';
import type { Deed } from '../deed.ts';
import { ownTx } from '../database.ts';
import { sayJob, tip } from '../groups/say.ts';
import { lockGroup, type GroupRow } from '../inquiries/rows.ts';
import { poolOf } from '../people/pool.ts';
import { onDuty, platformHours } from '../rules/dutyTime.ts';
import { hasPlace } from '../rules/load.ts';
import { assign } from './assign.ts';
import { noteBoard } from './board.ts';
import { giveTo, moveWork } from './owner.ts';

const OFF_HOURS_TEXT = '您好，当前为非接待时间（每日08:30至18:30为您服务），我们会在接待时间尽快回复您。如有急症请立即前往医院就诊。';
const ONCE_IN_MIN = 12 * 60;

/** Outside the hours of duty the patient is told so, once in twelve hours. */
async function sayOffHours(ctx: Deed, group: GroupRow, seq: number): Promise<void> {
  const desk =
    group.deskId === null
      ? undefined
      : await ownTx(ctx.tx).selectFrom('consultationGuidanceDesk').selectAll().where('id', '=', group.deskId).executeTakeFirst();
  if (onDuty(ctx.now, desk ? { from: desk.dutyFrom, to: desk.dutyTo, weekdays: desk.weekdays } : platformHours)) return;
  if (group.offHoursAt !== null && group.offHoursAt > plusMs(ctx.now, -minutes(ONCE_IN_MIN))) return;
  await ownTx(ctx.tx).updateTable('consultationMedicalGroup').set({ offHoursAt: ctx.now }).where('groupId', '=', group.groupId).execute();
  await ctx.enqueue(sayJob, tip(group.groupId, `offHours:${seq}`, desk?.offHoursText || OFF_HOURS_TEXT));
}

/** A patient wrote where nobody attends: the owner again when he is there with a place, else the queue, and from it whoever has one. */
export async function attend(ctx: Deed, groupId: string, seq: number): Promise<GroupRow> {
  const { group } = await lockGroup(ctx.tx, groupId);
  await sayOffHours(ctx, group, seq);
  if (group.workState === 'SERVING') return group;
  if (group.workState === 'QUEUED') return assign(ctx, group);
  const owner = group.ownerAssistantId ?? group.lastAssistantId;
  const pool = await poolOf(ctx.tx, group, ctx.now);
  const former = pool.find(({ assistantId }) => assistantId === owner);
  await noteBoard(ctx, group, 'WOKEN', { to: former && hasPlace(former) ? former.assistantId : null });
  if (former && hasPlace(former)) return giveTo(ctx, group, 'wakeToOwner', former.assistantId);
  const queued = await moveWork(ctx, group, 'wakeToQueue', {});
  await noteBoard(ctx, queued, 'QUEUED');
  return assign(ctx, queued);
}

import type { Updateable } from 'kysely';
import { memberChanged } from '#events/consultation.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { Deed } from '../deed.ts';
import { userIdOf } from '../../contract/im/ids.ts';
import { workMachine } from '../../contract/states.ts';
import { ownTx, type ConsultationTables } from '../database.ts';
import { assistantsIn, joinAssistants, leaveAssistants } from '../groups/chat.ts';
import type { GroupRow } from '../inquiries/rows.ts';
import { publishQueue } from './signals.ts';

type Changes = Omit<Updateable<ConsultationTables['consultationMedicalGroup']>, 'workState' | 'version' | 'groupId'>;
export type WorkAction = keyof typeof workMachine.transitions;

/**
 * One step of a locked group in the queue: state, trail and row. Its version counts what people of the staff decide; what a
 * message, a payment or a job moves leaves it, so that nobody's open dialog is outdated by it: there the state guards.
 * @throws Refusal SCM90031 where it may not start.
 */
export async function moveWork(ctx: Deed, group: GroupRow, action: WorkAction, changes: Changes, opinion?: string): Promise<GroupRow> {
  const to = await moveState(ctx, workMachine, {
    targetType: 'consultation.medicalGroup',
    targetId: group.groupId,
    targetNo: group.groupId,
    action,
    from: group.workState,
    opinion,
  });
  const { ownerAssistantId: _, ...rest } = changes;
  const owner = to === 'QUEUED' || to === 'DONE' ? null : (changes.ownerAssistantId ?? group.ownerAssistantId);
  publishQueue(ctx.kernel, ctx);
  return ownTx(ctx.tx)
    .updateTable('consultationMedicalGroup')
    .set({
      ...rest,
      ownerAssistantId: owner,
      workState: to,
      snoozeUntil: to === 'SNOOZED' ? (rest.snoozeUntil ?? null) : null,
      queuedAt: to === 'QUEUED' ? ctx.now : group.queuedAt,
      ...(owner === null && group.ownerAssistantId !== null && { lastAssistantId: group.ownerAssistantId, lastAssistantAt: ctx.now }),
      updatedAt: ctx.now,
      version: ctx.staffOrNull === null ? group.version : group.version + 1,
    })
    .where('groupId', '=', group.groupId)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/**
 * Gives a group to an assistant. He becomes a member; of the other assistants only the doctor's primary and those who help
 * remain, and the former owner where he is kept as one of them.
 */
export async function giveTo(
  ctx: Deed,
  group: GroupRow,
  action: WorkAction,
  assistantId: string,
  wish: { keepFormer?: boolean; opinion?: string } = {},
): Promise<GroupRow> {
  const former = group.ownerAssistantId;
  const after = await moveWork(ctx, group, action, { ownerAssistantId: assistantId }, wish.opinion);
  const tx = ownTx(ctx.tx);
  await tx.updateTable('consultationAssistantDuty').set({ lastAssignedAt: ctx.now }).where('assistantId', '=', assistantId).execute();
  await tx.deleteFrom('consultationQueuePass').where('groupId', '=', group.groupId).where('assistantId', '=', assistantId).execute();
  const primary =
    group.doctorId === null
      ? null
      : await tx
          .selectFrom('consultationBindCopy')
          .select('assistantId')
          .where('doctorId', '=', group.doctorId)
          .where('role', '=', 'PRIMARY')
          .executeTakeFirst();
  const present = await assistantsIn(ctx, group);
  await joinAssistants(ctx, group, [assistantId], { collaborate: false });
  if (wish.keepFormer && former !== null && former !== assistantId) await joinAssistants(ctx, group, [former], { collaborate: true });
  const leaving = present
    .filter(
      (one) =>
        one.assistantId !== assistantId &&
        one.assistantId !== primary?.assistantId &&
        !one.collaborate &&
        !(wish.keepFormer && one.assistantId === former),
    )
    .map((one) => one.assistantId);
  await leaveAssistants(ctx, group, leaving);
  const owner = await tx
    .selectFrom('consultationAssistantDuty')
    .select('operatorId')
    .where('assistantId', '=', assistantId)
    .executeTakeFirstOrThrow();
  await ctx.publish(memberChanged, group.convId, {
    conversationId: group.convId,
    imUserId: userIdOf('ASSISTANT', owner.operatorId),
    operatorId: owner.operatorId,
    userRole: 'ASSISTANT',
    change: 'OWNER',
  });
  return after;
}

import { conversationClosed } from '#events/consultation.ts';
import { days, plusMs } from '#kernel/contract/time.ts';
import { job } from '#kernel/server/jobs/declaration.ts';
import { own, ownTx } from '../database.ts';
import { systemDeed, type Deed } from '../deed.ts';
import { changeConversation } from '../im/conversations/groups.ts';
import { lockGroup, type GroupRow } from '../inquiries/rows.ts';
import { moveWork } from '../queue/owner.ts';

const REST_DAYS = 90;
const BATCH = 200;

/** A group that can be read and no longer written; a new inquiry opens it again. */
export async function closeGroup(ctx: Deed, group: GroupRow): Promise<void> {
  if (group.workState === 'SERVING' || group.workState === 'SNOOZED')
    await moveWork(ctx, group, 'done', { waitingSince: null, slaDueAt: null, unanswered: 0 });
  await changeConversation(ctx.kernel, ctx, group.convId, { dissolved: true }, ctx.now);
  await ownTx(ctx.tx)
    .updateTable('consultationMedicalGroup')
    .set({ archivedAt: ctx.now, updatedAt: ctx.now })
    .where('groupId', '=', group.groupId)
    .execute();
  await ctx.publish(conversationClosed, group.convId, {
    conversationId: group.convId,
    groupId: group.groupId,
    kind: group.kind === 'DOCTOR' ? 'DOCTOR' : 'DESK',
    patientId: group.patientId,
    suffererOperatorId: group.suffererOperatorId,
    doctorId: group.doctorId,
    assistantOperatorId: null,
    deskId: group.deskId,
    source: group.source,
    first: false,
    at: ctx.now,
  });
}

/** All groups of a person who is no longer a patient. */
export async function closeGroupsOf(ctx: Deed, patientId: string): Promise<void> {
  const groups = await ownTx(ctx.tx)
    .selectFrom('consultationMedicalGroup')
    .select('groupId')
    .where('patientId', '=', patientId)
    .where('archivedAt', 'is', null)
    .where('currentInquiryId', 'is', null)
    .orderBy('groupId')
    .execute();
  for (const { groupId } of groups) await closeGroup(ctx, (await lockGroup(ctx.tx, groupId)).group);
}

/** Groups at rest for ninety days are closed. */
export const closeRestingJob = job({
  name: 'consultation.closeResting',
  label: '归档沉默会话',
  cron: '20 3 * * *',
  async run(_data, context) {
    const before = plusMs(context.now, -days(REST_DAYS));
    const rows = await own(context.db)
      .selectFrom('consultationMedicalGroup')
      .select('groupId')
      .where('archivedAt', 'is', null)
      .where('currentInquiryId', 'is', null)
      .where((eb) => eb.or([eb('lastMessageAt', '<', before), eb.and([eb('lastMessageAt', 'is', null), eb('createdAt', '<', before)])]))
      .limit(BATCH)
      .execute();
    for (const { groupId } of rows) {
      if (context.signal.aborted) return;
      await context.transaction(async (writing) => {
        const ctx = systemDeed(writing, context);
        const { group } = await lockGroup(ctx.tx, groupId);
        if (group.archivedAt === null && group.currentInquiryId === null) await closeGroup(ctx, group);
      });
    }
  },
});

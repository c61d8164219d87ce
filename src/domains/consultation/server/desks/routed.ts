import { job } from '#kernel/server/jobs/declaration.ts';
import { ownTx } from '../database.ts';
import { systemDeed } from '../deed.ts';
import { sayJob, tip } from '../groups/say.ts';
import { lockGroup } from '../inquiries/rows.ts';
import { moveWork } from '../queue/owner.ts';

/** After the payment the desk's group says where the patient is now, and rests; in a transaction of its own, since it is another group. */
export const routedJob = job<{ deskGroupId: string; groupId: string; inquiryId: string; doctorName: string }>({
  name: 'consultation.routed',
  label: '导诊转接完成',
  subject: ({ inquiryId }) => inquiryId,
  async run({ deskGroupId, groupId, inquiryId, doctorName }, context) {
    await context.transaction(async (writing) => {
      const ctx = systemDeed(writing, context);
      const { group } = await lockGroup(ctx.tx, deskGroupId);
      if (group.routedGroupId !== null || !['SERVING', 'SNOOZED'].includes(group.workState)) return;
      await moveWork(ctx, group, 'done', { waitingSince: null, slaDueAt: null, unanswered: 0 });
      await ownTx(ctx.tx)
        .updateTable('consultationMedicalGroup')
        .set({ routedGroupId: groupId })
        .where('groupId', '=', deskGroupId)
        .execute();
      await ctx.enqueue(sayJob, tip(deskGroupId, `routed:${inquiryId}`, `已为您转接${doctorName}医生`));
    });
  },
});

import { minutes, plusMs } from '#kernel/contract/time.ts';
import { job } from '#kernel/server/jobs/declaration.ts';
import { ownTx } from '../database.ts';
import { systemDeed, type Deed } from '../deed.ts';
import { groupConversation } from '../../contract/im/ids.ts';
import { lockGroup, type InquiryRow } from '../inquiries/rows.ts';
import { addNote } from '../notes/addNote.ts';

const PATIENCE_MIN = 30;

interface Route {
  deskGroupId: string;
  inquiryId: string;
}

/** Half an hour after a patient was routed: whoever serves him is reminded, as long as he has not paid. */
export const unpaidRouteJob = job<Route>({
  name: 'consultation.unpaidRoute',
  label: '导诊转接未支付提醒',
  subject: ({ inquiryId }) => inquiryId,
  async run({ deskGroupId, inquiryId }, context) {
    await context.transaction(async (writing) => {
      const ctx = systemDeed(writing, context);
      const { group, lastSeq } = await lockGroup(ctx.tx, deskGroupId);
      const inquiry = await ownTx(ctx.tx)
        .selectFrom('consultationInquiry')
        .select(['serverStatus', 'inquiryNo', 'doctorName'])
        .where('id', '=', inquiryId)
        .executeTakeFirst();
      if (inquiry?.serverStatus !== '0' || group.ownerAssistantId === null) return;
      const content = `已转给${inquiry.doctorName}医生（${inquiry.inquiryNo}）超过${PATIENCE_MIN}分钟，患者尚未支付，请跟进`;
      const id = await addNote(ctx, {
        groupId: deskGroupId,
        afterSeq: lastSeq,
        content,
        mentions: [group.ownerAssistantId],
        authorName: '系统',
      });
      const owner = await ownTx(ctx.tx)
        .selectFrom('consultationAssistantDuty')
        .select('userId')
        .where('assistantId', '=', group.ownerAssistantId)
        .executeTakeFirst();
      if (!owner) return;
      await ctx.kernel.ports.notices.addResult(
        ctx.tx,
        {
          businessKey: `consultation.note:${id}`,
          title: '导诊转接未支付',
          body: content,
          link: `/assistantIM?conversationID=${groupConversation(deskGroupId)}`,
          userIds: [owner.userId],
        },
        ctx.now,
      );
    });
  },
});

export const remindUnpaid = (ctx: Deed, deskGroupId: string, inquiry: Pick<InquiryRow, 'id'>): Promise<void> =>
  ctx.enqueue(
    unpaidRouteJob,
    { deskGroupId, inquiryId: inquiry.id },
    { startAfter: plusMs(ctx.now, minutes(PATIENCE_MIN)), singletonKey: inquiry.id },
  );

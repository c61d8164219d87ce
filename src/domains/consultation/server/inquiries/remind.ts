import type { Deed } from '../deed.ts';
import { ownTx } from '../database.ts';
import { userIdOf } from '../../contract/im/ids.ts';
import { issueTicket } from '../participants/issue.ts';
import { textDoctor } from '../partners.ts';
import type { InquiryRow } from './rows.ts';

/** Asks the doctor to answer: a text message with a link into the conversation. */
export async function remind(ctx: Deed, inquiry: InquiryRow): Promise<void> {
  const { url } = await issueTicket(ctx, {
    imUserId: userIdOf('DOCTOR', inquiry.doctorOperatorId),
    groupId: null,
    reason: '提醒医生回复',
    demo: false,
  });
  await textDoctor(
    ctx,
    inquiry.doctorId,
    `【康桥】${inquiry.serverStatus === '1' ? '有患者等待您接诊' : '有患者等待您回复'}，请点击进入：${url}`,
  );
  await ownTx(ctx.tx).updateTable('consultationInquiry').set({ remindedAt: ctx.now }).where('id', '=', inquiry.id).execute();
}

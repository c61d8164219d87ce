import { refuse, refuseField } from '#kernel/contract/errors.ts';
import { hours, plusMs } from '#kernel/contract/time.ts';
import type { CloseReason } from '../../contract/dictionaries.ts';
import { consultationErrors as errors } from '../../contract/errors.ts';
import type { Deed } from '../deed.ts';
import { advanceConsultOrder, type OrderStep } from '../partners.ts';
import { CONFIRM_HOURS, SETTLE_HOURS } from '../rules/deadlines.ts';
import { endRooms } from '../videos/leave.ts';
import { draftRecord } from '../visits/draft.ts';
import { moveInquiry, type InquiryAction } from './move.ts';
import type { InquiryRow, LockedInquiry } from './rows.ts';

/** A follow-up is answered by assistants too; everything else by the doctor alone. */
export const wasAnswered = (inquiry: InquiryRow): boolean =>
  inquiry.doctorReplyCount > 0 || (inquiry.serviceType === 'FOLLOW_UP' && inquiry.firstAssistantReplyAt !== null);

type EndAction = 'end' | 'confirmEnd' | 'autoEnd';
export type EndReason = 'STAFF' | 'DOCTOR' | 'PATIENT' | 'TIMEOUT' | 'ROUNDS' | 'UNCONFIRMED';

/**
 * Ends a service: the income is settled a day later, until then it may be reopened.
 * @throws Refusal SCM10013 where the doctor never answered.
 */
export async function endInquiry(ctx: Deed, locked: LockedInquiry, action: EndAction, endReason: EndReason): Promise<InquiryRow> {
  if (!wasAnswered(locked.inquiry)) throw refuse(errors.DOCTOR_SILENT);
  const after = await moveInquiry(ctx, locked, action, {
    endedAt: ctx.now,
    settleAt: plusMs(ctx.now, hours(SETTLE_HOURS)),
    endReason: locked.inquiry.endReason === 'ROUNDS' ? 'ROUNDS' : endReason,
    endSeq: String(locked.place?.lastSeq ?? 0),
    endConfirmDueAt: null,
  });
  if (after.groupId !== null) await endRooms(ctx, after.groupId, 'INQUIRY_ENDED');
  await draftRecord(ctx, after);
  return after;
}

/** 申请结束: the patient confirms, goes on, or says nothing for half a day. */
export async function requestEnd(ctx: Deed, locked: LockedInquiry): Promise<InquiryRow> {
  if (!wasAnswered(locked.inquiry)) throw refuse(errors.DOCTOR_SILENT);
  return moveInquiry(ctx, locked, 'requestEnd', { endConfirmDueAt: plusMs(ctx.now, hours(CONFIRM_HOURS)), endReason: null });
}

const STEPS = {
  cancel: 'PATIENT',
  cancelByPatient: 'PATIENT',
  refuse: 'DOCTOR_REFUSE',
  acceptTimeout: 'NO_ACCEPT',
  replyTimeout: 'NO_REPLY',
} as const satisfies Partial<Record<InquiryAction, OrderStep>>;

export interface ClosingWords {
  reasonCode?: CloseReason | undefined;
  opinion?: string | undefined;
}

/** Ways out that give the money back: the step is reported in the same transaction. */
export async function giveUp(ctx: Deed, locked: LockedInquiry, action: keyof typeof STEPS, words: ClosingWords = {}): Promise<InquiryRow> {
  const { inquiry } = locked;
  if (action === 'refuse') {
    if (inquiry.serverStatus !== '1' && wasAnswered(inquiry)) throw refuse(errors.DOCTOR_REPLIED_REFUSE);
    if (!words.reasonCode) throw refuseField('reasonCode', '请选择退诊原因');
  }
  if (action === 'cancelByPatient' && inquiry.serverStatus === '2' && wasAnswered(inquiry)) throw refuse(errors.DOCTOR_REPLIED_CANCEL);
  const unpaid = inquiry.serverStatus === '0';
  const after = await moveInquiry(
    ctx,
    locked,
    action,
    {
      closeReason: words.reasonCode ?? (action === 'cancelByPatient' ? 'C05' : null),
      closeNote: words.opinion?.slice(0, 200) ?? null,
      endConfirmDueAt: null,
      ...(inquiry.acceptedAt !== null && { endSeq: String(locked.place?.lastSeq ?? 0) }),
      ...(!unpaid && inquiry.feeFen !== '0' && { refundState: 'PENDING' }),
    },
    { opinion: words.opinion, reason: STEPS[action] },
  );
  if (after.groupId !== null) await endRooms(ctx, after.groupId, 'INQUIRY_CLOSED');
  await advanceConsultOrder(ctx, { orderId: inquiry.orderId, step: STEPS[action], usedReplies: inquiry.roundUsed });
  return after;
}

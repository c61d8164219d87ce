import { inquiryReopened } from '#events/consultation.ts';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { hours, plusMs } from '#kernel/contract/time.ts';
import type { Deed } from '../deed.ts';
import { consultationErrors as errors } from '../../contract/errors.ts';
import { ownTx } from '../database.ts';
import { advanceConsultOrder } from '../partners.ts';
import { expireAt, later, REOPEN_HOURS, replyDueAt } from '../rules/deadlines.ts';
import { roundsUsedUp } from '../rules/rounds.ts';
import { moveInquiry, statusOf } from './move.ts';
import type { InquiryRow, LockedInquiry } from './rows.ts';

/** What was sold, as the rules take it. */
export const termsOf = ({ serviceType, billing, acceptHours, replyHours, validHours, durationMin }: InquiryRow) => ({
  // A period was turned into hours when the inquiry was written.
  serviceType,
  billing,
  acceptHours,
  replyHours,
  validHours,
  periodDays: null,
  durationMin,
});

/** From here on the clock of the service runs. */
export const acceptance = (inquiry: InquiryRow, now: string, lastSeq: number) => ({
  acceptedAt: now,
  replyDueAt: replyDueAt(now, termsOf(inquiry)),
  expireAt: expireAt(now, termsOf(inquiry), inquiry.slotAt, inquiry.extendedHours),
  startSeq: String(lastSeq + 1),
});

/** 接诊. @throws Refusal SCM90031 once the time to accept is over, also when the job is late. */
export async function acceptInquiry(ctx: Deed, locked: LockedInquiry): Promise<InquiryRow> {
  const { inquiry, place } = locked;
  if (inquiry.acceptDueAt !== null && inquiry.acceptDueAt < ctx.now) throw refuse(platformErrors.WRONG_STATE, { state: '超时未接诊' });
  const after = await moveInquiry(ctx, locked, 'accept', acceptance(inquiry, ctx.now, place?.lastSeq ?? 0));
  await advanceConsultOrder(ctx, { orderId: inquiry.orderId, step: 'ACCEPT', usedReplies: 0 });
  return after;
}

/** 继续问诊. @throws Refusal SCM10009 when the rounds are used up. */
export async function continueInquiry(ctx: Deed, locked: LockedInquiry): Promise<InquiryRow> {
  const { inquiry } = locked;
  if (roundsUsedUp(inquiry.roundUsed, inquiry.roundLimit)) throw refuse(errors.ROUNDS_USED);
  return moveInquiry(ctx, locked, 'continue', { endConfirmDueAt: null, endReason: null });
}

const ASSISTANT_HOURS = 24;
const ASSISTANT_ROUNDS = 3;

/**
 * 延长时长, 加赠轮次.
 * @throws Refusal SCM10019 out of range, SCM10016 beyond what an assistant may give.
 */
export async function extendInquiry(
  ctx: Deed,
  locked: LockedInquiry,
  gift: { hours: number; rounds: number; opinion: string | undefined; supervisor: boolean },
): Promise<InquiryRow> {
  const { inquiry } = locked;
  if (gift.hours + gift.rounds === 0) throw refuse(errors.EXTEND_RANGE);
  if (!gift.supervisor && (inquiry.extendCount > 0 || gift.hours > ASSISTANT_HOURS || gift.rounds > ASSISTANT_ROUNDS))
    throw refuse(errors.EXTEND_LIMIT);
  return moveInquiry(
    ctx,
    locked,
    'extend',
    {
      extendedHours: inquiry.extendedHours + gift.hours,
      extendedRounds: inquiry.extendedRounds + gift.rounds,
      extendCount: inquiry.extendCount + 1,
      endConfirmDueAt: null,
      endReason: null,
      roundLimit: inquiry.roundLimit === 0 ? 0 : inquiry.roundLimit + gift.rounds,
      ...(inquiry.expireAt !== null && { expireAt: plusMs(inquiry.expireAt, hours(gift.hours)) }),
    },
    { opinion: gift.opinion },
  );
}

/**
 * 恢复问诊: within a day of the end, while nothing newer began.
 * @throws Refusal SCM10014 too late, SCM10015 when there is a newer inquiry with the doctor.
 */
export async function reopenInquiry(ctx: Deed, locked: LockedInquiry, opinion: string | undefined): Promise<InquiryRow> {
  const { inquiry, place } = locked;
  if (inquiry.serverStatus === '4' && (inquiry.settleAt === null || inquiry.settleAt <= ctx.now || inquiry.settledAt !== null))
    throw refuse(errors.REOPEN_TOO_LATE);
  const newer = await ownTx(ctx.tx)
    .selectFrom('consultationInquiry')
    .select('id')
    .where('patientId', '=', inquiry.patientId)
    .where('doctorId', '=', inquiry.doctorId)
    .where('id', '>', inquiry.id)
    .where('serverStatus', 'not in', ['5'])
    .executeTakeFirst();
  if (inquiry.serverStatus === '4' && newer) throw refuse(errors.NEWER_INQUIRY);
  const after = await moveInquiry(
    ctx,
    locked,
    'reopen',
    {
      endedAt: null,
      endSeq: null,
      settleAt: null,
      endReason: null,
      expireAt: later(inquiry.expireAt ?? ctx.now, plusMs(ctx.now, hours(REOPEN_HOURS))),
    },
    { opinion },
  );
  await ctx.publish(inquiryReopened, after.id, {
    ...statusOf(after, place?.group.ownerAssistantId ?? place?.group.lastAssistantId ?? null, '4', null, ctx.now),
    serviceType: after.serviceType,
  });
  return after;
}

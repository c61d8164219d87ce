import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command, type Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { addMyInquiry, auditMyInquiry, rateInquiry, type myActions } from '../../contract/calls/participants.ts';
import { inquiryMachine } from '../../contract/states.ts';
import type { Deed } from '../deed.ts';
import { endInquiry, giveUp, requestEnd, type ClosingWords } from '../inquiries/close.ts';
import { createInquiry } from '../inquiries/create.ts';
import { inquiryOfGroup } from '../inquiries/facts.ts';
import { lockInquiry, type InquiryRow, type LockedInquiry } from '../inquiries/rows.ts';
import { acceptInquiry, continueInquiry } from '../inquiries/serve.ts';
import { requireMine, mineDeed, type Mine } from './enter.ts';
import { mayRate, rate } from './rate.ts';

type Action = (typeof myActions)[number];
const BY_DOCTOR: readonly Action[] = ['accept', 'refuse', 'requestEnd', 'end'];

/** Locks an inquiry of the participant's own group. @throws Refusal SCM90040. */
async function mineOf(ctx: CommandContext, serverId: string): Promise<{ locked: LockedInquiry; mine: Mine }> {
  const locked = await lockInquiry(ctx.tx, serverId);
  const { groupId } = locked.inquiry;
  if (groupId === null) throw refuse(platformErrors.NOT_FOUND);
  return { locked, mine: await requireMine(ctx.tx, ctx, groupId) };
}

/** The transitions are those of the staff's side; who may take which follows from the role. */
function perform(ctx: Deed, locked: LockedInquiry, action: Action, words: ClosingWords): Promise<InquiryRow> {
  switch (action) {
    case 'accept':
      return acceptInquiry(ctx, locked);
    case 'refuse':
      return giveUp(ctx, locked, 'refuse', { ...words, opinion: words.opinion ?? '医生退诊' });
    case 'requestEnd':
      return requestEnd(ctx, locked);
    case 'end':
      return endInquiry(ctx, locked, 'end', 'DOCTOR');
    case 'continue':
      return continueInquiry(ctx, locked);
    case 'confirmEnd':
      return endInquiry(ctx, locked, 'confirmEnd', 'PATIENT');
    case 'cancel':
      return giveUp(ctx, locked, 'cancelByPatient', words);
  }
}

export const inquiryActionHandlers = (kernel: Kernel): readonly Handler[] => [
  command(auditMyInquiry, async ({ serverId, version, action, ...words }, asked) => {
    const { locked, mine } = await mineOf(asked, serverId);
    if (BY_DOCTOR.includes(action) !== (mine.role === 'DOCTOR')) throw refuse(platformErrors.NO_PERMISSION, { permission: '该操作' });
    // Patients are not told the names of staff.
    const { id, serverStatus, version: stored } = locked.inquiry;
    await requireVersion(asked, 'consultation.inquiry', { id, version: stored, updatedByName: '其他人' }, version, () => ({
      serverStatus,
    }));
    const after = await perform(mineDeed(kernel, asked, mine), locked, action, words);
    return { serverId: after.id, serverStatus: after.serverStatus, version: after.version };
  }),
  command(rateInquiry, async ({ serverId, stars, tags, text }, asked) => {
    const { locked, mine } = await mineOf(asked, serverId);
    const { inquiry } = locked;
    if (mine.role !== 'PATIENT') throw refuse(platformErrors.NO_PERMISSION, { permission: '评价问诊' });
    if (inquiry.ratedAt !== null) throw refuse(platformErrors.WRONG_STATE, { state: '已评价' });
    if (inquiry.serverStatus !== '4')
      throw refuse(platformErrors.WRONG_STATE, { state: inquiryMachine.states[inquiry.serverStatus].label });
    if (!mayRate(inquiry, asked.now)) throw refuseField('stars', '已超过7天，不能评价');
    await rate(mineDeed(kernel, asked, mine), locked, { stars, tags, text });
    return { serverId: inquiry.id };
  }),
  command(addMyInquiry, async ({ groupId, chiefComplaint }, asked) => {
    const mine = await requireMine(asked.tx, asked, groupId, 'PATIENT');
    const last = await inquiryOfGroup(asked.tx, groupId);
    if (!last || last.openingId === null) throw refuse(platformErrors.NOT_FOUND);
    const { inquiry, payUrl } = await createInquiry(mineDeed(kernel, asked, mine), {
      suffererOperatorId: mine.operatorId,
      patientId: last.patientId,
      openingId: last.openingId,
      source: 'PATIENT',
      chiefComplaint,
      attachmentFileIds: [],
    });
    return { serverId: inquiry.id, orderNo: inquiry.orderNo, payUrl };
  }),
];

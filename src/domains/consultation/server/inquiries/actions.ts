import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { limitRate } from '#kernel/server/command/rateLimit.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command, type Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import { userIdOf } from '../../contract/im/ids.ts';
import { auditInquiry, modifyServiceStatusChange, remindDoctor } from '../../contract/calls/inquiry.ts';
import { consultationErrors as errors } from '../../contract/errors.ts';
import { consultationPermissions as may } from '../../contract/permissions.ts';
import { issueTicket } from '../participants/issue.ts';
import { textDoctor } from '../partners.ts';
import { ownTx } from '../database.ts';
import { type Deed, deedOf } from '../deed.ts';
import { requireMember, seeGroup, type Seen } from '../people/access.ts';
import type { Me } from '../people/me.ts';
import { visitsSeen } from '../visits/query.ts';
import { endInquiry, giveUp, requestEnd } from './close.ts';
import { actionsOf } from './facts.ts';
import { type InquiryRow, lockInquiry } from './rows.ts';
import { acceptInquiry, extendInquiry, reopenInquiry } from './serve.ts';

/** Asks the doctor to answer: a text message with a link into the conversation. */
async function remind(ctx: Deed, inquiry: InquiryRow): Promise<void> {
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

/** 代接诊: the doctor's own assistants only. */
async function requireBound(ctx: Deed, inquiry: InquiryRow, me: Me | null): Promise<void> {
  const bind =
    me === null
      ? undefined
      : await ownTx(ctx.tx)
          .selectFrom('consultationBindCopy')
          .select('role')
          .where('doctorId', '=', inquiry.doctorId)
          .where('assistantId', '=', me.assistantId)
          .executeTakeFirst();
  if (!bind) throw refuse(errors.NOT_BOUND_ASSISTANT);
}

/** Of an inquiry without a group yet the visit records' scope decides. @throws Refusal SCM90040 */
async function requireInquiry(ctx: CommandContext, inquiry: InquiryRow): Promise<Seen | null> {
  if (inquiry.groupId !== null) return seeGroup(ctx.tx, ctx, inquiry.groupId);
  if (!(await visitsSeen(ctx.tx, ctx.staff).select('i.id').where('i.id', '=', inquiry.id).executeTakeFirst()))
    throw refuse(platformErrors.NOT_FOUND);
  return null;
}

const audit = (kernel: Kernel): Handler =>
  command(auditInquiry, async (input, asked) => {
    const ctx = deedOf(kernel, asked);
    const locked = await lockInquiry(ctx.tx, input.serverId);
    const { inquiry } = locked;
    const seen = await requireInquiry(asked, inquiry);
    await requireVersion(asked, 'consultation.inquiry', inquiry, input.version, () => ({ serverStatus: inquiry.serverStatus }));
    const perform = async (): Promise<InquiryRow> => {
      if (input.action === 'accept') {
        await requireBound(ctx, inquiry, seen?.me ?? null);
        return acceptInquiry(ctx, locked);
      }
      if (input.action === 'requestEnd') {
        if (!seen?.member) throw refuse(platformErrors.NOT_FOUND);
        return requestEnd(ctx, locked);
      }
      if (input.action === 'extend')
        return extendInquiry(ctx, locked, {
          hours: input.hours ?? 0,
          rounds: input.rounds ?? 0,
          opinion: input.opinion,
          supervisor: ctx.staffOrNull !== null && asked.has(may['inquiry.supervise']),
        });
      if (input.action === 'reopen') return reopenInquiry(ctx, locked, input.opinion);
      return giveUp(ctx, locked, input.action, { reasonCode: input.reasonCode, opinion: input.opinion });
    };
    const after = await perform();
    return { id: after.id, serverStatus: after.serverStatus, version: after.version, allowedActions: actionsOf(after, asked.has, ctx.now) };
  });

/** 结束问诊. A repeat on what has ended answers the same and does nothing: the given payload carries no version. */
const end = (kernel: Kernel): Handler =>
  command(modifyServiceStatusChange, async (input, asked) => {
    if (input.serviceStatus !== '4') throw refuse(errors.STATUS_UNSUPPORTED);
    const ctx = deedOf(kernel, asked);
    const locked = await lockInquiry(ctx.tx, input.serviceId);
    const { inquiry } = locked;
    if (inquiry.groupId === null) throw refuse(platformErrors.NOT_FOUND);
    await requireMember(ctx.tx, asked, inquiry.groupId);
    if (inquiry.doctorId !== input.doctorId || inquiry.patientId !== input.suffererId) throw refuse(errors.INQUIRY_CHANGED);
    const after = inquiry.serverStatus === '4' ? inquiry : await endInquiry(ctx, locked, 'end', 'STAFF');
    return { serverStatus: after.serverStatus, endedAt: after.endedAt ?? ctx.now, version: after.version };
  });

const REMIND_SECONDS = 600;

const remindHandler = (kernel: Kernel): Handler =>
  command(remindDoctor, async ({ serverId }, asked) => {
    const ctx = deedOf(kernel, asked);
    const { inquiry } = await lockInquiry(ctx.tx, serverId);
    if (inquiry.groupId === null) throw refuse(platformErrors.NOT_FOUND);
    await requireMember(ctx.tx, asked, inquiry.groupId);
    await limitRate(ctx.tx, `consultation.remindDoctor:${serverId}`, { max: 1, seconds: REMIND_SECONDS }, ctx.now);
    await remind(ctx, inquiry);
    return { remindedAt: ctx.now };
  });

export const inquiryActions = (kernel: Kernel): readonly Handler[] => [audit(kernel), end(kernel), remindHandler(kernel)];

import type { Updateable } from 'kysely';
import { serviceStatusChanged, inquiryEnded } from '#events/consultation.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { Deed } from '../deed.ts';
import { inquiryMachine, type ServerStatus } from '../../contract/states.ts';
import { ownTx, type ConsultationTables } from '../database.ts';
import { announce } from './announce.ts';
import { inquiryOf, type InquiryRow, type LockedInquiry } from './rows.ts';

export type InquiryAction = keyof typeof inquiryMachine.transitions;
type Changes = Omit<Updateable<ConsultationTables['consultationInquiry']>, 'serverStatus' | 'version' | 'id'>;

const LIVE: ReadonlySet<ServerStatus> = new Set(['1', '2', '3']);
export const isLive = (status: ServerStatus): boolean => LIVE.has(status);

/** What every event of an inquiry says. */
export const statusOf = (inquiry: InquiryRow, assistantId: string | null, from: string, reason: string | null, at: string) => ({
  serverId: inquiry.id,
  inquiryNo: inquiry.inquiryNo,
  orderId: inquiry.orderId,
  orderNo: inquiry.orderNo,
  groupId: inquiry.groupId,
  doctorId: inquiry.doctorId,
  patientId: inquiry.patientId,
  assistantId,
  from,
  to: inquiry.serverStatus,
  reason,
  at,
});

export interface MoveWords {
  opinion?: string | undefined;
  /** Code that the events carry. */
  reason?: string | null;
}

/**
 * Takes one transition of a locked inquiry: state, trail, events, the group's current inquiry and the card in the chat.
 * Money is not moved here; the transition's own command reports it.
 * @throws Refusal SCM90031 where it may not start.
 */
export async function moveInquiry(
  ctx: Deed,
  { inquiry, place }: LockedInquiry,
  action: InquiryAction,
  changes: Changes,
  words: MoveWords = {},
): Promise<InquiryRow> {
  const to = await moveState(ctx, inquiryMachine, {
    targetType: 'consultation.inquiry',
    targetId: inquiry.id,
    targetNo: inquiry.inquiryNo,
    action,
    from: inquiry.serverStatus,
    opinion: words.opinion,
  });
  const updated = await ownTx(ctx.tx)
    .updateTable('consultationInquiry')
    .set({
      ...changes,
      serverStatus: to,
      statusAt: to === inquiry.serverStatus ? inquiry.statusAt : ctx.now,
      ...updatedColumns(ctx),
      version: inquiry.version + 1,
    })
    .where('id', '=', inquiry.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  const after = inquiryOf(updated);
  if (after.groupId !== null && to !== inquiry.serverStatus) {
    await ownTx(ctx.tx)
      .updateTable('consultationMedicalGroup')
      .set({ currentInquiryId: isLive(to) ? after.id : null, patientId: after.patientId, updatedAt: ctx.now })
      .where('groupId', '=', after.groupId)
      .execute();
  }
  if (to !== inquiry.serverStatus) {
    const assistantId = place?.group.ownerAssistantId ?? place?.group.lastAssistantId ?? null;
    const status = statusOf(after, assistantId, inquiry.serverStatus, words.reason ?? after.endReason ?? after.closeReason, ctx.now);
    await ctx.publish(serviceStatusChanged, after.id, status);
    if (to === '4')
      await ctx.publish(inquiryEnded, after.id, {
        ...status,
        serviceType: after.serviceType,
        endReason: after.endReason ?? 'STAFF',
        roundUsed: after.roundUsed,
        doctorPatientSec: after.videoSecUsed,
      });
    await announce(ctx, after, inquiry.serverStatus);
  }
  return after;
}

import { sql } from 'kysely';
import type { Context, Db, Tx } from '#kernel/server/context.ts';
import { consultationPermissions as may } from '../../contract/permissions.ts';
import { inquiryMachine } from '../../contract/states.ts';
import { secondsBetween } from '../rules/deadlines.ts';
import { roundsUsedUp } from '../rules/rounds.ts';
import { wasAnswered } from './close.ts';
import { inquiryOf, type GroupRow, type InquiryRow } from './rows.ts';
import { own } from '../database.ts';

/** Current inquiry of a group, else its latest. */
export async function inquiryOfGroup(db: Db | Tx, groupId: string): Promise<InquiryRow | null> {
  const row = await own(db)
    .selectFrom('consultationInquiry')
    .selectAll()
    .where('groupId', '=', groupId)
    .orderBy(sql`server_status in ('1', '2', '3')`, 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ? inquiryOf(row) : null;
}

/** Buttons of an inquiry for somebody: what its state allows and no guard refuses now. */
export function actionsOf(inquiry: InquiryRow, may_: (permission: string) => boolean, now: string): string[] {
  const answered = wasAnswered(inquiry);
  return inquiryMachine.allowed(inquiry.serverStatus, may_).filter((action) => {
    if (action === 'refuse') return inquiry.serverStatus === '1' || !answered;
    if (action === 'requestEnd' || action === 'end') return answered;
    if (action === 'accept') return inquiry.acceptDueAt === null || inquiry.acceptDueAt >= now;
    if (action === 'reopen') return inquiry.settleAt !== null && inquiry.settleAt > now && inquiry.settledAt === null;
    return true;
  });
}

interface FileRow {
  fileId: string;
  fileName: string;
  detectedType: string | null;
}
export type FilesOf = (ids: readonly string[]) => Promise<FileRow[]>;

/** The wire form; the complaint is shown to those who serve the patient, and to others with the right to see it plain. */
export function inquiryAnswer(
  inquiry: InquiryRow | null,
  group: Pick<GroupRow, 'suffererOperatorId'>,
  seen: { plain: boolean; has: Context['has']; now: string },
  attachments: readonly FileRow[],
) {
  if (!inquiry) {
    return {
      serverStatus: null,
      serverId: null,
      inquiryNo: null,
      orderId: null,
      orderNo: null,
      doctorId: null,
      suffererId: null,
      suffererOperatorId: group.suffererOperatorId,
      serviceType: null,
      serviceName: null,
      feeFen: null,
      refundState: null,
      acceptDueAt: null,
      replyDueAt: null,
      expireAt: null,
      endConfirmDueAt: null,
      settleAt: null,
      endReason: null,
      remainSec: null,
      roundLimit: 0,
      roundUsed: 0,
      videoSecLimit: 0,
      videoSecUsed: 0,
      slotAt: null,
      durationMin: null,
      chiefComplaint: null,
      attachments: [],
      version: null,
      allowedActions: [],
    };
  }
  const { now } = seen;
  return {
    serverStatus: inquiry.serverStatus,
    serverId: inquiry.id,
    inquiryNo: inquiry.inquiryNo,
    orderId: inquiry.orderId,
    orderNo: inquiry.orderNo,
    doctorId: inquiry.doctorId,
    suffererId: inquiry.patientId,
    suffererOperatorId: inquiry.suffererOperatorId,
    serviceType: inquiry.serviceType,
    serviceName: inquiry.itemName,
    feeFen: inquiry.feeFen,
    refundState: inquiry.refundState,
    acceptDueAt: inquiry.acceptDueAt,
    replyDueAt: inquiry.replyDueAt,
    expireAt: inquiry.expireAt,
    endConfirmDueAt: inquiry.endConfirmDueAt,
    settleAt: inquiry.settleAt,
    endReason: inquiry.endReason,
    remainSec:
      ['2', '3'].includes(inquiry.serverStatus) && inquiry.expireAt !== null ? Math.max(0, secondsBetween(now, inquiry.expireAt)) : null,
    roundLimit: inquiry.roundLimit,
    roundUsed: inquiry.roundUsed,
    videoSecLimit: inquiry.videoSecLimit,
    videoSecUsed: inquiry.videoSecUsed,
    slotAt: inquiry.slotAt,
    durationMin: inquiry.durationMin,
    chiefComplaint: seen.plain ? inquiry.chiefComplaint : null,
    attachments: seen.plain ? [...attachments] : [],
    version: inquiry.version,
    allowedActions: actionsOf(inquiry, seen.has, now).filter(
      (action) => action !== 'continue' || !roundsUsedUp(inquiry.roundUsed, inquiry.roundLimit),
    ),
  };
}

export const mayReadPlain = (ctx: Pick<Context, 'has'>, seen: { member: boolean; pool: boolean }): boolean =>
  seen.member || seen.pool || ctx.has(may['inquiry.reveal']);

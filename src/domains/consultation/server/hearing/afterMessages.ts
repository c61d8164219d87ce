import { inquiryFirstReplied } from '#events/consultation.ts';
import { hours, plusMs } from '#kernel/contract/time.ts';
import { job } from '#kernel/server/jobs/declaration.ts';
import { ownTx } from '../database.ts';
import { systemDeed, type Deed } from '../deed.ts';
import { moveInquiry, statusOf } from '../inquiries/move.ts';
import { lockGroup, lockInquiry } from '../inquiries/rows.ts';
import { continueInquiry } from '../inquiries/serve.ts';
import { advanceConsultOrder } from '../partners.ts';
import { noteBoard } from '../queue/board.ts';
import { attend } from '../queue/attend.ts';
import { CONFIRM_HOURS, secondsBetween } from '../rules/deadlines.ts';
import { roundsUsedUp } from '../rules/rounds.ts';
import { alarm } from './alarm.ts';

/** What the messages of one group and batch cause outside their own transaction. */
export interface Effect {
  groupId: string;
  inquiryId: string | null;
  seq: number;
  /** A patient wrote where nobody attends. */
  patientSpoke: boolean;
  /** A patient wrote after the doctor asked to end. */
  goOn: boolean;
  /** The first answer of this stay in the queue. */
  firstReplySeq: number | null;
  /** The doctor's first reply of the inquiry. */
  doctorFirst: boolean;
  usedReplies: number | null;
  roundsOver: boolean;
  /** The word that rings. */
  crisis: string | null;
}

async function inquirySteps(ctx: Deed, effect: Effect): Promise<void> {
  if (effect.inquiryId === null || !(effect.goOn || effect.doctorFirst || effect.usedReplies !== null)) return;
  const locked = await lockInquiry(ctx.tx, effect.inquiryId);
  const { inquiry, place } = locked;
  if (effect.doctorFirst && inquiry.firstDoctorReplyAt !== null) {
    await advanceConsultOrder(ctx, { orderId: inquiry.orderId, step: 'FIRST_REPLY', usedReplies: 0 });
    const replySeconds = Math.max(0, secondsBetween(inquiry.acceptedAt ?? inquiry.createdAt, inquiry.firstDoctorReplyAt));
    await ctx.publish(inquiryFirstReplied, inquiry.id, {
      ...statusOf(inquiry, place?.group.ownerAssistantId ?? null, inquiry.serverStatus, null, ctx.now),
      replySeconds,
    });
  }
  if (effect.usedReplies !== null)
    await advanceConsultOrder(ctx, { orderId: inquiry.orderId, step: 'REPLY', usedReplies: effect.usedReplies });
  if (inquiry.serverStatus === '2' && effect.roundsOver && roundsUsedUp(inquiry.roundUsed, inquiry.roundLimit)) {
    await moveInquiry(ctx, locked, 'roundsUsed', { endReason: 'ROUNDS', endConfirmDueAt: plusMs(ctx.now, hours(CONFIRM_HOURS)) });
  } else if (inquiry.serverStatus === '3' && effect.goOn && !roundsUsedUp(inquiry.roundUsed, inquiry.roundLimit))
    await continueInquiry(ctx, locked);
}

async function carryOut(ctx: Deed, effect: Effect): Promise<void> {
  if (effect.firstReplySeq !== null) {
    const { group } = await lockGroup(ctx.tx, effect.groupId);
    const earlier = await ownTx(ctx.tx)
      .selectFrom('consultationGroupBoard')
      .select('id')
      .where('groupId', '=', group.groupId)
      .where('action', '=', 'FIRST_REPLY')
      .where('at', '>=', group.queuedAt ?? group.createdAt)
      .executeTakeFirst();
    if (!earlier)
      await noteBoard(ctx, { ...group, waitingSince: group.queuedAt }, 'FIRST_REPLY', {
        to: group.ownerAssistantId,
        seq: effect.firstReplySeq,
      });
  }
  if (effect.patientSpoke) await attend(ctx, effect.groupId, effect.seq);
  if (effect.crisis !== null) await alarm(ctx, effect.groupId, effect.crisis);
  await inquirySteps(ctx, effect);
}

/** The message path stays short: everything that messages cause happens here, each group in a transaction of its own. */
export const afterMessagesJob = job<{ effects: Effect[] }>({
  name: 'consultation.afterMessages',
  label: '处理新消息',
  concurrency: 4,
  subject: ({ effects }) => effects[0]?.groupId ?? '',
  async run({ effects }, context) {
    for (const effect of effects) await context.transaction((writing) => carryOut(systemDeed(writing, context), effect));
  },
});

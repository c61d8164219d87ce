import type { Deed } from '../deed.ts';
import { secondsBetween } from '../rules/deadlines.ts';
import { ownTx } from '../database.ts';
import type { GroupRow } from '../inquiries/rows.ts';

export type BoardAction =
  | 'QUEUED'
  | 'ASSIGNED'
  | 'TAKEN'
  | 'FIRST_REPLY'
  | 'TRANSFERRED'
  | 'TAKEN_OVER'
  | 'RELEASED'
  | 'SNOOZED'
  | 'WOKEN'
  | 'DONE'
  | 'OWNER_GONE'
  | 'ROUTED';

/** Writes one row of a group's history of work; figures are counted from these. */
export async function noteBoard(
  ctx: Deed,
  group: GroupRow,
  action: BoardAction,
  facts: { from?: string | null; to?: string | null; reason?: string | undefined; seq?: number } = {},
): Promise<void> {
  const since = group.waitingSince ?? group.queuedAt;
  await ownTx(ctx.tx)
    .insertInto('consultationGroupBoard')
    .values({
      groupId: group.groupId,
      inquiryId: group.currentInquiryId,
      action,
      fromAssistantId: facts.from ?? null,
      toAssistantId: facts.to ?? null,
      reason: facts.reason ?? null,
      seq: facts.seq === undefined ? null : String(facts.seq),
      waitSec: since === null ? null : Math.max(0, secondsBetween(since, ctx.now)),
      overSla: group.slaDueAt !== null && group.slaDueAt < ctx.now,
      at: ctx.now,
    })
    .execute();
}

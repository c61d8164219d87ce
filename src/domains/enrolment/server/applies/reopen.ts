import type { Acting } from '#kernel/server/command/acting.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { own } from '../database.ts';
import { FIRST_REVIEW, resumed, started } from './clock.ts';
import { findAgain } from './facts.ts';
import type { ApplyRecord } from './records.ts';

/** A case waits again: in a new round, whose checks and verdicts begin anew. @param anew with all of its time */
export async function reopen(kernel: Kernel, ctx: Acting, apply: ApplyRecord, anew = false): Promise<ApplyRecord> {
  const row = await own(ctx.tx)
    .updateTable('enrolmentApply')
    .set({
      state: 'PENDING',
      round: apply.round + 1,
      recheckReason: null,
      firstReviewerId: null,
      firstReviewerName: null,
      decidedAt: null,
      rejectReasons: [],
      ...(anew ? await started(ctx.tx, ctx.now, FIRST_REVIEW) : await resumed(ctx.tx, apply, ctx.now)),
      version: apply.version + 1,
      ...updatedColumns(ctx),
    })
    .where('id', '=', apply.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await findAgain(kernel, ctx, row);
  return row;
}

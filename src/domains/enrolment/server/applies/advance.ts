import { moveState } from '#kernel/server/audit/transition.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { noLease } from '#kernel/server/desk/caseDesk.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { applyMachine, type ApplyAction } from '../../contract/applyMachine.ts';
import type { RecheckReason } from '../../contract/applyDictionaries.ts';
import { own } from '../database.ts';
import { countHits } from '../marks/read.ts';
import { APPEAL, paused, RECHECK, started, stopped } from './clock.ts';
import { publishApply } from './events.ts';
import { contractFor } from './contract.ts';
import { marksOf } from './facts.ts';
import { APPLY_TARGET, desk, type ApplyRecord } from './records.ts';

/** What a move writes besides; facts of the disease stay. */
type Columns = Partial<Omit<ApplyRecord, 'id' | 'baseline' | 'measures'>>;

/** Takes a transition and writes the row once; whoever had the case has it no longer. */
export async function advance(
  ctx: Acting,
  apply: ApplyRecord,
  action: ApplyAction,
  opinion: string,
  columns: Columns = {},
): Promise<ApplyRecord> {
  const state = await moveState(ctx, applyMachine, {
    targetType: APPLY_TARGET,
    targetId: apply.id,
    targetNo: apply.applyNo,
    action,
    from: apply.state,
    opinion,
  });
  await desk.drop(ctx.tx, apply.id);
  return own(ctx.tx)
    .updateTable('enrolmentApply')
    .set({ ...noLease, ...columns, state, version: apply.version + 1, ...updatedColumns(ctx) })
    .where('id', '=', apply.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** A second person looks at it. */
export const toRecheck = async (
  ctx: Acting,
  apply: ApplyRecord,
  action: ApplyAction,
  opinion: string,
  reason: RecheckReason,
  columns: Columns = {},
): Promise<ApplyRecord> =>
  advance(ctx, apply, action, opinion, {
    ...columns,
    recheckReason: reason,
    preferUserId: null,
    ...(await started(ctx.tx, ctx.now, reason === 'APPEAL' ? APPEAL : RECHECK)),
  });

/** The insurer decides, and our clock stands. */
export const toInsurer = async (
  ctx: Acting,
  apply: ApplyRecord,
  action: ApplyAction,
  opinion: string,
  columns: Columns = {},
): Promise<ApplyRecord> =>
  advance(ctx, apply, action, opinion, {
    ...columns,
    insurerSentAt: ctx.now,
    insurerDecision: null,
    insurerDecidedAt: null,
    insurerOpinion: '',
    preferUserId: null,
    ...(await paused(ctx.tx, apply, ctx.now)),
  });

/** The last word: the contract is opened in the same transaction. */
export async function approve(
  kernel: Kernel,
  ctx: Acting,
  apply: ApplyRecord,
  action: ApplyAction,
  opinion: string,
  columns: Columns = {},
): Promise<ApplyRecord> {
  const marks = await marksOf(ctx.tx, apply, ctx.today);
  const waived = marks.find(({ markType }) => markType === 'WAIVE_FEE');
  if (waived) await countHits(ctx.tx, [waived.markId]);
  const contractId = await contractFor(kernel, ctx, apply, waived !== undefined);
  const row = await advance(ctx, apply, action, opinion, { ...columns, contractId, decidedAt: ctx.now, preferUserId: null, ...stopped });
  await publishApply(ctx, row, 'approved');
  return row;
}

export async function refuseApply(
  ctx: Acting,
  apply: ApplyRecord,
  action: ApplyAction,
  opinion: string,
  columns: Columns,
): Promise<ApplyRecord> {
  const row = await advance(ctx, apply, action, opinion, { ...columns, decidedAt: ctx.now, preferUserId: null, ...stopped });
  await publishApply(ctx, row, 'rejected');
  return row;
}

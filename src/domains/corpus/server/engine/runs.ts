import { sql, type Selectable } from 'kysely';
import { dayOf, daysBetween, hours, plusMs, startOfDay, type Instant } from '#kernel/contract/time.ts';
import { runFinished, runStopped } from '#events/corpus.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import type { Tx } from '#kernel/server/context.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { runMachine, stopReason, type StopReason } from '../../contract/engine/states.ts';
import type { ExplainedCondition } from '../../contract/engine/evaluateUnit.ts';
import type { CourseStep } from '../../contract/engine/course.ts';
import { ownTx } from '../database.ts';
import type { CorpusFollowRun } from '../tables.ts';
import { snapshotsOf } from './published.ts';
import { replan } from './replan.ts';

export const RUN_TARGET = 'corpus.followRun';
export type Run = Selectable<CorpusFollowRun>;

/** Locks runs in the order of their ids. */
export const lockRuns = (tx: Tx, ids: readonly string[]): Promise<Run[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : ownTx(tx)
        .selectFrom('corpusFollowRun')
        .selectAll()
        .where('id', 'in', [...ids])
        .orderBy('id')
        .forUpdate()
        .execute();

const eventOf = (run: Run, reason?: string) => ({
  runId: run.id,
  runNo: run.runNo,
  patientId: run.patientId,
  conversationId: run.conversationId,
  sceneId: run.sceneId,
  ...(reason === undefined ? {} : { reason }),
});

const change = (
  ctx: Acting,
  run: Run,
  set: Partial<Omit<Run, 'id' | 'runNo' | 'stopExplain' | 'entryExplain' | 'course'>> & { stopExplain?: string },
  step?: CourseStep,
) =>
  ownTx(ctx.tx)
    .updateTable('corpusFollowRun')
    .set((eb) => ({
      ...set,
      ...(step && { course: stepOn(step) }),
      version: eb('version', '+', 1),
      ...updatedColumns(ctx),
    }))
    .where('id', '=', run.id)
    .execute();

/** Adds a step to the course of a run. */
export const stepOn = (step: CourseStep) => sql<string>`course || ${JSON.stringify([step])}::jsonb`;

const target = (run: Run) => ({ targetType: RUN_TARGET, targetId: run.id, targetNo: run.runNo, from: run.state });
const notPaused = { pauseReason: null, pausedAt: null, pausedUntil: null } as const;

/** What was planned and not tried goes nowhere any more. */
const cancelTouches = (ctx: Acting, runId: string) =>
  ownTx(ctx.tx)
    .updateTable('corpusFollowSend')
    .set((eb) => ({ state: 'CANCELLED' as const, reasonCode: null, version: eb('version', '+', 1), updatedAt: ctx.now }))
    .where('runId', '=', runId)
    .where('state', 'in', ['PLANNED', 'HELD', 'FAILED'])
    .execute();

/** Ends a locked live run before its time. @param opinion what an operator wrote, who stops it by hand */
export async function stopRun(
  ctx: Acting,
  run: Run,
  reason: StopReason,
  { explain = [], opinion }: { explain?: readonly ExplainedCondition[]; opinion?: string } = {},
): Promise<void> {
  const state = await moveState(ctx, runMachine, {
    ...target(run),
    action: reason === 'MANUAL' ? 'stop' : 'end',
    opinion: opinion ?? stopReason.label(reason),
  });
  await change(ctx, run, { ...notPaused, state, stopReason: reason, stopExplain: JSON.stringify(explain), endedAt: ctx.now });
  await cancelTouches(ctx, run.id);
  await ctx.publish(runStopped, run.id, eventOf(run, reason));
}

/** Ends a locked run that has nothing left to send. */
export async function finishRun(ctx: Acting, run: Run): Promise<void> {
  const state = await moveState(ctx, runMachine, { ...target(run), action: 'finish' });
  await change(ctx, run, { state, endedAt: ctx.now });
  await cancelTouches(ctx, run.id);
  await ctx.publish(runFinished, run.id, eventOf(run));
}

/**
 * Stops the clock of a locked live run. Another reply moves the end of a pause on; one made by hand is not shortened by it.
 * @param pauseHours of the run's version
 */
export async function pauseRun(
  ctx: Acting,
  run: Run,
  reason: NonNullable<Run['pauseReason']>,
  { at, pauseHours, opinion }: { at: Instant; pauseHours: number; opinion?: string },
): Promise<void> {
  const until = plusMs(at, hours(pauseHours));
  const state = await moveState(ctx, runMachine, {
    ...target(run),
    action: reason === 'MANUAL' ? 'pause' : 'wait',
    opinion: opinion ?? undefined,
  });
  await change(
    ctx,
    run,
    {
      state,
      pauseReason: run.state === 'PAUSED' && run.pauseReason === 'MANUAL' ? 'MANUAL' : reason,
      pausedAt: run.pausedAt ?? at,
      pausedUntil: run.pausedUntil !== null && run.pausedUntil > until ? run.pausedUntil : until,
    },
    { act: 'PAUSE', at, reason, until },
  );
}

/** Calendar days that a pause took, by which a plan may move (R8). */
export const daysPaused = (pausedAt: Instant, resumedAt: Instant): number => Math.max(0, daysBetween(dayOf(pausedAt), dayOf(resumedAt)));

/** Goes on with a locked paused run; by SHIFT the dates of what was not sent move by the days of the pause. */
export async function resumeRun(ctx: Acting, run: Run, by: 'PERSON' | 'JOB'): Promise<void> {
  const snapshot = (await snapshotsOf(ctx.tx, [run.packageVersionId])).get(run.packageVersionId)!;
  const moved = snapshot.policy.resumeMode === 'SHIFT' && run.pausedAt !== null ? daysPaused(run.pausedAt, ctx.now) : 0;
  const state = await moveState(ctx, runMachine, { ...target(run), action: by === 'PERSON' ? 'resume' : 'goOn' });
  await change(ctx, run, { ...notPaused, state, shiftDays: run.shiftDays + moved }, { act: 'RESUME', at: ctx.now, by, moved });
  await wakeTouches(ctx, run.id);
  if (moved > 0) await replan(ctx.tx, [{ ...run, shiftDays: run.shiftDays + moved }], ctx.now);
}

/** What was held for the pause is tried when it is due. */
const wakeTouches = (ctx: Acting, runId: string) =>
  sql`
    update corpus_follow_send
      set state = 'PLANNED', reason_code = null, next_try_at = greatest(due_at, ${ctx.now}::timestamptz), updated_at = ${ctx.now}
      where run_id = ${runId} and state = 'HELD' and reason_code = 'PAUSED'`.execute(ctx.tx);

/** Whether a package ends its runs by their age. */
export const isOver = (run: Pick<Run, 'baseDate' | 'shiftDays'>, endAfterDays: number | null, now: Instant): boolean =>
  endAfterDays !== null && now >= startOfDay(run.baseDate) && daysBetween(run.baseDate, dayOf(now)) >= endAfterDays + run.shiftDays;

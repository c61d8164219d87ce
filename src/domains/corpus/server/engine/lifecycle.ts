import { sql } from 'kysely';
import { type Instant } from '../../../../kernel/contract/time.ts';
import type { Acting } from '../../../../kernel/server/command/acting.ts';
import { asSystem } from '../../../../kernel/server/command/acting.ts';
import type { Db } from '../../../../kernel/server/context.ts';
import { isolateFailures } from '../../../../kernel/server/jobs/isolateFailures.ts';
import type { JobContext } from '../../../../kernel/server/jobs/declaration.ts';
import { evaluateStop } from '../../contract/engine/evaluateUnit.ts';
import type { StopReason } from '../../contract/engine/states.ts';
import { own } from '../database.ts';
import { unitFacts, unitKey } from '../facts/unitFacts.ts';
import { finishRun, isOver, lockRuns, resumeRun, stopRun } from './runs.ts';
import { snapshotsOf } from './published.ts';
import { insertTouches, touchesOf, touchRows, usableDaysOf, withinHorizon } from './touches.ts';

const CHUNK = 200;

/** Ids of live runs by what is asked of them. */
export async function liveRunIds(
  db: Db,
  of: { patientIds: readonly string[] } | { conversationId: string } | { scenePackageId: string; after: string; limit: number },
): Promise<string[]> {
  const live = own(db).selectFrom('corpusFollowRun').select('id').where('state', 'in', ['RUNNING', 'PAUSED']).orderBy('id');
  const asked =
    'patientIds' in of
      ? live.where('patientId', 'in', [...of.patientIds])
      : 'conversationId' in of
        ? live.where('conversationId', '=', of.conversationId)
        : live.where('scenePackageId', '=', of.scenePackageId).where('id', '>', of.after).limit(of.limit);
  const rows = await asked.execute();
  return rows.map(({ id }) => id);
}

/** Ends all live runs of what was asked, each for the same reason. */
export async function stopAll(ctx: Acting, ids: readonly string[], reason: StopReason): Promise<void> {
  for (const run of await lockRuns(ctx.tx, ids)) if (run.state === 'RUNNING' || run.state === 'PAUSED') await stopRun(ctx, run, reason);
}

/** Ends live runs of these persons whose stop conditions hold now. */
export async function stopByConditions(ctx: Acting, runIds: readonly string[]): Promise<void> {
  const runs = (await lockRuns(ctx.tx, runIds)).filter(({ state }) => state === 'RUNNING' || state === 'PAUSED');
  const snapshots = await snapshotsOf(
    ctx.tx,
    runs.map(({ packageVersionId }) => packageVersionId),
  );
  const codes = [...snapshots.values()].flatMap(({ stop }) => stop.map(({ variableCode }) => variableCode));
  if (codes.length === 0) return;
  const facts = await unitFacts(ctx.tx, runs, codes, ctx.now);
  for (const run of runs) {
    const { holds, explain } = evaluateStop(snapshots.get(run.packageVersionId)!, facts.get(unitKey(run))!);
    if (holds) await stopRun(ctx, run, 'STOP_CONDITION', { explain });
  }
}

async function* chunks(db: Db, where: ReturnType<typeof sql<boolean>>): AsyncGenerator<string[]> {
  let after = '0';
  for (;;) {
    const rows = await own(db)
      .selectFrom('corpusFollowRun')
      .select('id')
      .where('id', '>', after)
      .where(where)
      .orderBy('id')
      .limit(CHUNK)
      .execute();
    if (rows.length === 0) return;
    yield rows.map(({ id }) => id);
    after = rows.at(-1)!.id;
  }
}

/** What people call a run by. */
export const runNo = (id: string): string => `随访实例${id}`;

/** Pauses that are over. */
export async function resumeDue(job: JobContext): Promise<void> {
  const failures = isolateFailures(job);
  for await (const ids of chunks(job.db, sql<boolean>`state = 'PAUSED' and paused_until <= ${job.now}::timestamptz`)) {
    if (job.signal.aborted) break;
    await failures.runTogether(ids, runNo, (some) =>
      job.transaction(async (writing) => {
        const ctx = asSystem(writing, job);
        for (const run of await lockRuns(writing.tx, some))
          if (run.state === 'PAUSED' && run.pausedUntil! <= job.now) await resumeRun(ctx, run, 'JOB');
      }),
    );
  }
  failures.throwIfAny();
}

/**
 * Nightly: writes the touches of the day that came into the horizon, ends runs by stop conditions, by their age and where nothing is
 * left.
 */
export async function rollRuns(job: JobContext): Promise<void> {
  const failures = isolateFailures(job);
  for await (const ids of chunks(job.db, sql<boolean>`state in ('RUNNING', 'PAUSED')`)) {
    if (job.signal.aborted) break;
    await failures.runTogether(ids, runNo, (some) => job.transaction((writing) => rollSome(asSystem(writing, job), some)));
  }
  failures.throwIfAny();
}

async function rollSome(ctx: Acting, ids: readonly string[]): Promise<void> {
  const { tx, now } = ctx;
  await stopByConditions(ctx, ids);
  const runs = (await lockRuns(tx, ids)).filter(({ state }) => state === 'RUNNING' || state === 'PAUSED');
  const snapshots = await snapshotsOf(
    tx,
    runs.map(({ packageVersionId }) => packageVersionId),
  );
  const usableDay = await usableDaysOf(tx, [...snapshots.values()], runs);
  const rows = [];
  for (const run of runs) {
    const snapshot = snapshots.get(run.packageVersionId)!;
    const touches = touchesOf(run, snapshot, usableDay(snapshot));
    rows.push(...touchRows(run, snapshot, withinHorizon(touches, now)));
    const over = isOver(run, snapshot.policy.endAfterDays, now) || (await nothingLeft(ctx, run.id, touches, now));
    if (over && run.state === 'RUNNING') await finishRun(ctx, run);
  }
  const live = new Set((await lockRuns(tx, ids)).filter(({ endedAt }) => endedAt === null).map(({ id }) => id));
  await insertTouches(
    tx,
    rows.filter(({ runId }) => live.has(runId)),
    now,
  );
}

/** Every touch of the plan is over or done. */
async function nothingLeft(
  ctx: Acting,
  runId: string,
  touches: readonly { dueAt: Instant; expiresAt: Instant }[],
  now: Instant,
): Promise<boolean> {
  if (touches.some(({ expiresAt }) => expiresAt > now)) {
    const open = await own(ctx.tx)
      .selectFrom('corpusFollowSend')
      .select(({ fn }) => [
        fn.count<number>('id').filterWhere('state', 'in', ['PLANNED', 'HELD', 'SENDING', 'UNKNOWN', 'FAILED']).as('open'),
        fn.countAll<number>().as('all'),
      ])
      .where('runId', '=', runId)
      .executeTakeFirstOrThrow();
    return Number(open.open) === 0 && Number(open.all) >= touches.length;
  }
  const waiting = await own(ctx.tx)
    .selectFrom('corpusFollowSend')
    .select('id')
    .where('runId', '=', runId)
    .where('state', 'in', ['PLANNED', 'HELD', 'SENDING', 'UNKNOWN'])
    .executeTakeFirst();
  return waiting === undefined;
}

import { sql } from 'kysely';
import { type Instant } from '#kernel/contract/time.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { asSystem } from '#kernel/server/command/acting.ts';
import type { Db } from '#kernel/server/context.ts';
import { isolateFailures } from '#kernel/server/jobs/isolateFailures.ts';
import type { JobContext } from '#kernel/server/jobs/declaration.ts';
import { evaluateStop } from '../../contract/engine/evaluateUnit.ts';
import type { StopReason } from '../../contract/engine/states.ts';
import { own } from '../database.ts';
import { unitFacts, unitKey } from '../facts/unitFacts.ts';
import { dedupeKeyOf } from '../../contract/engine/planRun.ts';
import { snapshotsOf } from './published.ts';
import { changesOf, replan, type ReplannedRun } from './replan.ts';
import { finishRun, isOver, lockRuns, resumeRun, stopRun, type Run } from './runs.ts';

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
  await eachChunk(job, sql<boolean>`state = 'PAUSED' and paused_until <= ${job.now}::timestamptz`, async (ctx, ids) => {
    for (const run of await lockRuns(ctx.tx, ids))
      if (run.state === 'PAUSED' && run.pausedUntil! <= ctx.now) await resumeRun(ctx, run, 'JOB');
  });
}

const LIVE = sql<boolean>`state in ('RUNNING', 'PAUSED')`;

/**
 * Nightly: ends runs by stop conditions and by their age, and makes the touches of the others what their plans say: those of the day that
 * came into the horizon are written.
 */
export async function rollRuns(job: JobContext): Promise<void> {
  await eachChunk(job, LIVE, rollSome);
}

async function eachChunk(
  job: JobContext,
  where: ReturnType<typeof sql<boolean>>,
  work: (ctx: Acting, ids: readonly string[]) => Promise<void>,
): Promise<void> {
  const failures = isolateFailures(job);
  for await (const ids of chunks(job.db, where)) {
    if (job.signal.aborted) break;
    await failures.runTogether(ids, runNo, (some) => job.transaction((writing) => work(asSystem(writing, job), some)));
  }
  failures.throwIfAny();
}

const lockLive = async (ctx: Acting, ids: readonly string[]): Promise<Run[]> =>
  (await lockRuns(ctx.tx, ids)).filter(({ endedAt }) => endedAt === null);

async function rollSome(ctx: Acting, ids: readonly string[]): Promise<void> {
  const { tx, now } = ctx;
  await stopByConditions(ctx, ids);
  const runs = await lockLive(ctx, ids);
  const snapshots = await snapshotsOf(
    tx,
    runs.map(({ packageVersionId }) => packageVersionId),
  );
  const over = new Set(runs.filter((run) => isOver(run, snapshots.get(run.packageVersionId)!.policy.endAfterDays, now)));
  for (const run of over) if (run.state === 'RUNNING') await finishRun(ctx, run);
  await replan(
    tx,
    runs.filter((run) => run.state === 'PAUSED' || !over.has(run)),
    now,
  );
}

/** After a change of the work calendar: what waits for a workday is computed anew, held touches ask the gates again. */
export async function replanByCalendar(job: JobContext): Promise<void> {
  const byWorkdays = sql<boolean>`state in ('RUNNING', 'PAUSED')
    and package_version_id in (select id from corpus_package_version where snapshot -> 'policy' ->> 'calendarMode' = 'WORKDAY')`;
  await eachChunk(job, byWorkdays, async (ctx, ids) => {
    const runs = await lockLive(ctx, ids);
    await replan(ctx.tx, runs, ctx.now);
    await sql`
      update corpus_follow_send
        set next_try_at = ${ctx.now}, version = version + 1, updated_at = ${ctx.now}
        where run_id = any(${runs.map(({ id }) => id)}::bigint[])
          and state = 'HELD'
          and reason_code in ('QUIET', 'CAP')
          and next_try_at > ${ctx.now}::timestamptz`.execute(ctx.tx);
  });
}

/** What waits still or is on its way; what failed may be tried again until its time is over. */
const openTouch = (now: Instant) =>
  sql<boolean>`(s.state in ('PLANNED', 'HELD', 'SENDING', 'UNKNOWN') or s.state = 'FAILED' and s.expires_at > ${now}::timestamptz)`;

/** Runs that are under way although no touch of theirs is open: done, or far from their next one. */
export const withoutOpenTouch = (now: Instant) =>
  sql<boolean>`state = 'RUNNING'
    and not exists (select from corpus_follow_send s where s.run_id = corpus_follow_run.id and ${openTouch(now)})`;

/** Those of such runs of whose plan nothing comes any more. */
export async function doneRuns<T extends ReplannedRun>(db: Db, runs: readonly T[], now: Instant): Promise<T[]> {
  const snapshots = await snapshotsOf(
    db,
    runs.map(({ packageVersionId }) => packageVersionId),
  );
  const done = new Set(
    (await changesOf(db, runs, snapshots, now))
      .filter(({ run, stored, touches }) => {
        const written = new Set(stored.map(({ dedupeKey }) => dedupeKey));
        return touches.every((touch) => touch.dueAt <= now || written.has(dedupeKeyOf(run.id, touch)));
      })
      .map(({ run }) => run.id),
  );
  return runs.filter(({ id }) => done.has(id));
}

/** Ends runs with nothing left (I10): within minutes, since who is done may enter another scene. */
export async function finishDone(job: JobContext): Promise<void> {
  await eachChunk(job, withoutOpenTouch(job.now), async (ctx, ids) => {
    const candidates = await own(ctx.tx)
      .selectFrom('corpusFollowRun')
      .selectAll()
      .where('id', 'in', [...ids])
      .where(withoutOpenTouch(ctx.now))
      .orderBy('id')
      .forUpdate()
      .execute();
    for (const run of await doneRuns(ctx.tx, candidates, ctx.now)) await finishRun(ctx, run);
  });
}

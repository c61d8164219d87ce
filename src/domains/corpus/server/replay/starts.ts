import { sql } from 'kysely';
import { dayOf, daysBetween, plusMs, days, type Instant } from '#kernel/contract/time.ts';
import type { Db } from '#kernel/server/context.ts';
import { course as courseSchema, type CourseStep } from '../../contract/engine/course.ts';
import { launchAt } from '../../contract/engine/known.ts';
import type { PlayedStart, StartedRun } from '../../contract/engine/play.ts';
import type { PackageSnapshot } from '../../contract/engine/snapshot.ts';
import type { StopReason } from '../../contract/engine/states.ts';
import { own } from '../database.ts';
import { FACTS_KEPT_DAYS } from '../facts/observe.ts';
import { unitKey } from '../facts/unitFacts.ts';
import { glimpseOf, logRows } from './history.ts';

/** Ends that come from outside of a scene: whatever its conditions say, they come. */
const outer: ReadonlySet<StopReason> = new Set(['SERVICE_END', 'NO_CHANNEL', 'CONSENT', 'DECEASED', 'CANCELLED', 'MERGED', 'MANUAL']);

type Span = { from: Instant; to: Instant };
const runsIn = (db: Db, scenePackageId: string, patientIds: readonly string[], { to }: Span) =>
  own(db)
    .selectFrom('corpusFollowRun')
    .select([
      'id',
      'patientId',
      'conversationId',
      'entrySource',
      'enteredAt',
      'shiftDays',
      'state',
      'pausedAt',
      'pausedUntil',
      'stopReason',
      'endedAt',
      'course',
    ])
    .where('scenePackageId', '=', scenePackageId)
    .where('patientId', 'in', [...patientIds])
    .where('enteredAt', '<', to)
    .orderBy('enteredAt')
    .execute();
type RunRow = Awaited<ReturnType<typeof runsIn>>[number];

/** Days by which a run had been moved at a time; null: it was moved, and nobody kept when. */
function shiftAt({ shiftDays }: RunRow, course: readonly CourseStep[], at: Instant): number | null {
  const moves = course.flatMap((step) => (step.act === 'RESUME' ? [step] : []));
  if (moves.reduce((sum, { moved }) => sum + moved, 0) !== shiftDays) return null;
  return moves.filter((step) => step.at < at).reduce((sum, { moved }) => sum + moved, 0);
}

/** The pause that a run was in at a time. */
function pauseAt(run: RunRow, course: readonly CourseStep[], at: Instant): Pick<StartedRun, 'pausedAt' | 'pausedUntil'> {
  let paused: Pick<StartedRun, 'pausedAt' | 'pausedUntil'> = { pausedAt: null, pausedUntil: null };
  for (const step of course) {
    if (step.at >= at) break;
    if (step.act === 'PAUSE')
      paused = {
        pausedAt: paused.pausedAt ?? step.at,
        pausedUntil: paused.pausedUntil !== null && paused.pausedUntil > step.until ? paused.pausedUntil : step.until,
      };
    if (step.act === 'RESUME') paused = { pausedAt: null, pausedUntil: null };
  }
  // A run from before its course was kept.
  if (course.length === 0 && run.pausedAt !== null && run.pausedAt < at) return { pausedAt: run.pausedAt, pausedUntil: run.pausedUntil };
  return paused;
}

/** Touches of runs that were over at a time, and ofUnit that waited although their time had come. */
async function touchesAt(db: Db, runIds: readonly string[], at: Instant) {
  const { rows } = await sql<{ runId: string; key: string; done: boolean }>`
    select run_id, item_key || ':' || occurrence as key,
        (state in ('SENT', 'UNKNOWN') and coalesce(claimed_at, sent_at) < ${at}::timestamptz)
        or (state in ('SKIPPED', 'CANCELLED', 'FAILED') and updated_at < ${at}::timestamptz) as done
      from corpus_follow_send
      where run_id = any(${[...runIds]}::bigint[]) and (due_at < ${at}::timestamptz or updated_at < ${at}::timestamptz)`.execute(db);
  return Map.groupBy(rows, ({ runId }) => runId);
}

/**
 * Whether the conditions of a package had been false since somebody's last entry. Of days that were kept only; without an earlier entry
 * there is nothing to ask.
 */
async function armedAt(
  db: Db,
  snapshot: PackageSnapshot,
  entries: ReadonlyMap<string, { patientId: string; enteredAt: Instant }>,
  at: Instant,
): Promise<(key: string) => boolean | null> {
  const persons = [...new Set([...entries.values()].map(({ patientId }) => patientId))];
  const rows = persons.length === 0 ? [] : await logRows(db, persons, plusMs(at, -days(FACTS_KEPT_DAYS)), at);
  const log = Map.groupBy(rows, unitKey);
  return (key) => {
    const entry = entries.get(key);
    if (!entry) return true;
    const since = (log.get(key) ?? []).filter((row) => row.at > entry.enteredAt);
    const judged = since.map((row) => launchAt(snapshot, glimpseOf(row), row.at));
    if (judged.some((one) => one !== 'UNKNOWN' && !one.holds)) return true;
    const covered = new Set(since.map((row) => dayOf(row.at))).size >= daysBetween(dayOf(entry.enteredAt), dayOf(at));
    return covered && !judged.includes('UNKNOWN') ? false : null;
  };
}

/** Runs in the other children of a main scene that lets only one in. */
async function siblingRuns(db: Db, scenePackageId: string, patientIds: readonly string[], { from, to }: Span) {
  const { rows } = await sql<{ patientId: string; conversationId: string; from: Instant; to: Instant | null }>`
    select r.patient_id, r.conversation_id, r.entered_at as "from", r.ended_at as "to"
      from corpus_scene_package own
      join corpus_scene s on s.id = own.scene_id
      join corpus_scene_package main on main.scene_id = s.main_scene_id and main.child_exclusive
      join corpus_scene other on other.main_scene_id = s.main_scene_id and other.id <> s.id
      join corpus_follow_run r on r.scene_id = other.id
      where own.id = ${scenePackageId}
        and r.patient_id = any(${[...patientIds]}::bigint[])
        and r.entered_at < ${to}::timestamptz
        and (r.ended_at is null or r.ended_at >= ${from}::timestamptz)`.execute(db);
  return Map.groupBy(rows, unitKey);
}

/**
 * How the conversations of persons stood to a package at a time, and what people did to its runs until another; by patient and
 * conversation.
 * @param snapshot by which it is judged whether conditions had been false before; null: it was never in force
 */
export async function startsAt(
  db: Db,
  scenePackageId: string,
  patientIds: readonly string[],
  span: Span,
  snapshot: PackageSnapshot | null,
): Promise<ReadonlyMap<string, ReadonlyMap<string, PlayedStart>>> {
  if (patientIds.length === 0) return new Map();
  const rows = await runsIn(db, scenePackageId, patientIds, span);
  const before = rows.filter(({ enteredAt }) => enteredAt < span.from);
  const live = before.filter(({ endedAt }) => endedAt === null || endedAt >= span.from);
  const touches = await touchesAt(
    db,
    live.map(({ id }) => id),
    span.from,
  );
  const armed = snapshot ? await armedAt(db, snapshot, new Map(before.map((run) => [unitKey(run), run])), span.from) : () => true;
  const siblings = await siblingRuns(db, scenePackageId, patientIds, span);
  const starts = new Map<string, Map<string, PlayedStart>>();
  const keys = new Map([...rows, ...[...siblings.values()].flat()].map((one) => [unitKey(one), one]));
  for (const [key, { patientId, conversationId }] of keys) {
    const ofUnit = rows.filter((run) => unitKey(run) === key);
    const steps = ofUnit.flatMap(({ course }) => courseSchema.parse(course));
    const ended = ofUnit.flatMap(({ endedAt }) => (endedAt !== null && endedAt < span.from ? [endedAt] : []));
    const start: PlayedStart = {
      runs: ofUnit
        .filter((run) => live.includes(run))
        .map((run): StartedRun => {
          const course = courseSchema.parse(run.course);
          const ofRun = touches.get(run.id) ?? [];
          return {
            key: `R${run.id}`,
            enteredAt: run.enteredAt,
            shiftDays: shiftAt(run, course, span.from),
            done: new Set(ofRun.flatMap(({ key: touch, done }) => (done ? [touch] : []))),
            waiting: new Set(ofRun.flatMap(({ key: touch, done }) => (done ? [] : [touch]))),
            ...pauseAt(run, course, span.from),
          };
        }),
      armed: armed(key),
      lastEndedAt: ended.toSorted().at(-1) ?? null,
      manual: ofUnit.flatMap(({ id, entrySource, enteredAt }) =>
        entrySource === 'MANUAL' && enteredAt >= span.from ? [{ at: enteredAt, key: `R${id}` }] : [],
      ),
      pauses: steps.flatMap((step) => (step.act === 'PAUSE' && step.reason === 'MANUAL' ? [{ at: step.at, until: step.until }] : [])),
      resumes: steps.flatMap((step) => (step.act === 'RESUME' && step.by === 'PERSON' ? [{ at: step.at }] : [])),
      ends: ofUnit.flatMap(({ endedAt, stopReason }) =>
        endedAt !== null && stopReason !== null && outer.has(stopReason) ? [{ at: endedAt, reason: stopReason }] : [],
      ),
      siblings: siblings.get(key) ?? [],
    };
    const ofPatient = starts.get(patientId) ?? new Map<string, PlayedStart>();
    ofPatient.set(conversationId, start);
    starts.set(patientId, ofPatient);
  }
  return starts;
}

import { type Day, type Instant } from '../../../../kernel/contract/time.ts';
import type { Db, Tx, Writing } from '../../../../kernel/server/context.ts';
import type { PackageSnapshot } from '../../contract/engine/snapshot.ts';
import { dedupeKeyOf, type Touch } from '../../contract/engine/planRun.ts';
import type { MigrationPlan } from '../../contract/engine/versionCalls.ts';
import { own, ownTx } from '../database.ts';
import { lockRuns, stepOn, type Run } from '../engine/runs.ts';
import { insertTouches, touchesOf, touchRows, usableDaysOf, withinHorizon } from '../engine/touches.ts';

/** Runs that are looked at together. */
const COUNTED_TOGETHER = 200;

interface Stored {
  dedupeKey: string;
  state: string;
  dueAt: Instant;
  materialIds: string[];
}

/** What a run's move to another version does to its touches (R9); what was tried stays as it is. Pure. */
export function planMigration(runId: string, stored: readonly Stored[], touches: readonly Touch[], now: Instant) {
  const before = new Map(stored.map((row) => [row.dedupeKey, row]));
  const wanted = new Map(touches.map((touch) => [dedupeKeyOf(runId, touch), touch]));
  const open = ({ state }: Stored) => state === 'PLANNED' || state === 'HELD';
  const added = [...wanted].flatMap(([key, touch]) => (before.has(key) ? [] : [touch]));
  return {
    moved: [...wanted].flatMap(([key, touch]) => {
      const row = before.get(key);
      const same = row && row.dueAt === touch.dueAt && row.materialIds.join() === touch.materialIds.join();
      return row && open(row) && !same ? [{ key, touch }] : [];
    }),
    cancelled: stored.filter((row) => open(row) && !wanted.has(row.dedupeKey)).map(({ dedupeKey }) => dedupeKey),
    added: added.filter(({ dueAt }) => dueAt > now),
    tooLate: added.filter(({ dueAt }) => dueAt <= now),
  };
}

const storedOf = async (db: Db, runIds: readonly string[]) =>
  Map.groupBy(
    runIds.length === 0
      ? []
      : await own(db)
          .selectFrom('corpusFollowSend')
          .select(['runId', 'dedupeKey', 'state', 'dueAt', 'materialIds'])
          .where('runId', 'in', [...runIds])
          .execute(),
    ({ runId }) => runId,
  );

const liveRuns = (db: Db, scenePackageId: string, after: string) =>
  own(db)
    .selectFrom('corpusFollowRun')
    .selectAll()
    .where('scenePackageId', '=', scenePackageId)
    .where('state', 'in', ['RUNNING', 'PAUSED'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(COUNTED_TOGETHER)
    .execute();

/** Counts what a move of all live runs would do; reads only. */
export async function countMigration(db: Db, scenePackageId: string, snapshot: PackageSnapshot, now: Instant): Promise<MigrationPlan> {
  const plan = { runs: 0, added: 0, moved: 0, cancelled: 0, tooLate: 0 };
  let after = '0';
  for (;;) {
    const runs = await liveRuns(db, scenePackageId, after);
    if (runs.length === 0) return plan;
    const stored = await storedOf(
      db,
      runs.map(({ id }) => id),
    );
    const usableDay = (await usableDaysOf(db, [snapshot], runs))(snapshot);
    for (const run of runs) {
      const touches = withinHorizonOrPast(touchesOf(run, snapshot, usableDay), now);
      const moves = planMigration(run.id, stored.get(run.id) ?? [], touches, now);
      plan.runs += 1;
      plan.added += moves.added.length;
      plan.moved += moves.moved.length;
      plan.cancelled += moves.cancelled.length;
      plan.tooLate += moves.tooLate.length;
    }
    after = runs.at(-1)!.id;
  }
}

/** What the nights have written so far: all that is over and the coming days. */
const withinHorizonOrPast = (touches: readonly Touch[], now: Instant): Touch[] => {
  const coming = new Set(withinHorizon(touches, now));
  return touches.filter((touch) => coming.has(touch) || touch.dueAt <= now);
};

async function migrateRun(
  tx: Tx,
  run: Run,
  stored: readonly Stored[],
  versionId: string,
  plan: { snapshot: PackageSnapshot; usableDay(day: Day): Day },
  now: Instant,
): Promise<void> {
  const { snapshot, usableDay } = plan;
  const { moved, cancelled, added } = planMigration(run.id, stored, withinHorizonOrPast(touchesOf(run, snapshot, usableDay), now), now);
  const tables = ownTx(tx);
  for (const { key, touch } of moved)
    await tables
      .updateTable('corpusFollowSend')
      .set((eb) => ({
        dueAt: touch.dueAt,
        nextTryAt: touch.dueAt,
        expiresAt: touch.expiresAt,
        materialIds: [...touch.materialIds],
        target: touch.target,
        touchKind: touch.touchKind,
        priority: snapshot.policy.priority,
        itemConditions: JSON.stringify(touch.itemConditions),
        state: 'PLANNED' as const,
        reasonCode: null,
        version: eb('version', '+', 1),
        updatedAt: now,
      }))
      .where('dedupeKey', '=', key)
      .where('state', 'in', ['PLANNED', 'HELD'])
      .execute();
  if (cancelled.length > 0)
    await tables
      .updateTable('corpusFollowSend')
      .set((eb) => ({ state: 'CANCELLED' as const, reasonCode: null, version: eb('version', '+', 1), updatedAt: now }))
      .where('dedupeKey', 'in', cancelled)
      .where('state', 'in', ['PLANNED', 'HELD'])
      .execute();
  await insertTouches(tx, touchRows(run, snapshot, added), now);
  await tables
    .updateTable('corpusFollowRun')
    .set((eb) => ({
      packageVersionId: versionId,
      course: stepOn({ act: 'MIGRATE', at: now, from: run.packageVersionId, to: versionId }),
      version: eb('version', '+', 1),
      updatedAt: now,
    }))
    .where('id', '=', run.id)
    .execute();
}

/** Moves runs to a version: those that are live still and not on it yet. */
export async function migrateRuns(
  writing: Writing,
  runIds: readonly string[],
  { versionId, snapshot }: { versionId: string; snapshot: PackageSnapshot },
  now: Instant,
): Promise<void> {
  const runs = (await lockRuns(writing.tx, runIds)).filter(
    ({ state, packageVersionId }) => (state === 'RUNNING' || state === 'PAUSED') && packageVersionId !== versionId,
  );
  const stored = await storedOf(
    writing.tx,
    runs.map(({ id }) => id),
  );
  const plan = { snapshot, usableDay: (await usableDaysOf(writing.tx, [snapshot], runs))(snapshot) };
  for (const run of runs) await migrateRun(writing.tx, run, stored.get(run.id) ?? [], versionId, plan, now);
}

import type { Instant } from '#kernel/contract/time.ts';
import type { Db, Writing } from '#kernel/server/context.ts';
import type { PackageSnapshot } from '../../contract/engine/snapshot.ts';
import type { MigrationPlan } from '../../contract/engine/versionCalls.ts';
import { own, ownTx } from '../database.ts';
import { changesOf, replan } from '../engine/replan.ts';
import { lockRuns, stepOn } from '../engine/runs.ts';

/** Runs that are looked at together. */
const COUNTED_TOGETHER = 200;
/** A version that has no id yet. */
const NEW = 'new';

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
    const moving = runs.map((run) => ({ ...run, packageVersionId: NEW }));
    for (const moves of await changesOf(db, moving, new Map([[NEW, snapshot]]), now)) {
      plan.runs += 1;
      plan.added += moves.added.length + moves.revived.length;
      plan.moved += moves.moved.length;
      plan.cancelled += moves.cancelled.length;
      plan.tooLate += moves.tooLate.length;
    }
    after = runs.at(-1)!.id;
  }
}

/** Moves runs to a version: those that are live still and not on it yet. */
export async function migrateRuns(writing: Writing, runIds: readonly string[], versionId: string, now: Instant): Promise<void> {
  const runs = (await lockRuns(writing.tx, runIds)).filter(
    ({ state, packageVersionId }) => (state === 'RUNNING' || state === 'PAUSED') && packageVersionId !== versionId,
  );
  for (const run of runs)
    await ownTx(writing.tx)
      .updateTable('corpusFollowRun')
      .set((eb) => ({
        packageVersionId: versionId,
        course: stepOn({ act: 'MIGRATE', at: now, from: run.packageVersionId, to: versionId }),
        version: eb('version', '+', 1),
        updatedAt: now,
      }))
      .where('id', '=', run.id)
      .execute();
  await replan(
    writing.tx,
    runs.map((run) => ({ ...run, packageVersionId: versionId })),
    now,
  );
}

import { days, plusMs, type Instant } from '#kernel/contract/time.ts';
import type { Writing } from '#kernel/server/context.ts';
import { own, ownTx } from '../database.ts';
import type { PackageSnapshot } from '../../contract/engine/snapshot.ts';
import { snapshotsOf } from './published.ts';

type Goal = PackageSnapshot['policy']['goal'];

/**
 * Credits a goal to the latest touch of each run of the patient that wanted it and sent within its window (R11); a run converts once.
 * @param whose one run, or all of a patient
 */
export async function convert(
  ctx: Pick<Writing, 'tx'>,
  whose: { patientId: string } | { runId: string },
  goal: Goal,
  event: string,
  at: Instant,
): Promise<void> {
  const runs = await (
    'runId' in whose
      ? own(ctx.tx).selectFrom('corpusFollowRun').selectAll().where('id', '=', whose.runId)
      : own(ctx.tx).selectFrom('corpusFollowRun').selectAll().where('patientId', '=', whose.patientId)
  )
    .where('convertedAt', 'is', null)
    .where('sentCount', '>', 0)
    .where('enteredAt', '<=', at)
    .execute();
  if (runs.length === 0) return;
  const snapshots = await snapshotsOf(
    ctx.tx,
    runs.map(({ packageVersionId }) => packageVersionId),
  );
  for (const run of runs) {
    const { policy } = snapshots.get(run.packageVersionId)!;
    if (policy.goal !== goal) continue;
    const last = await own(ctx.tx)
      .selectFrom('corpusFollowSend')
      .select('id')
      .where('runId', '=', run.id)
      .where('state', '=', 'SENT')
      .where('sentAt', '<=', at)
      .where('sentAt', '>', plusMs(at, -days(policy.goalWindowDays)))
      .orderBy('sentAt', 'desc')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (!last) continue;
    await ownTx(ctx.tx).updateTable('corpusFollowSend').set({ convertedAt: at, convertEvent: event }).where('id', '=', last.id).execute();
    await ownTx(ctx.tx).updateTable('corpusFollowRun').set({ convertedAt: at }).where('id', '=', run.id).execute();
  }
}

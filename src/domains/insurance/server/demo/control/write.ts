import { plusDays, plusMs } from '#kernel/contract/time.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import { json } from '#kernel/server/database/json.ts';
import type { DemoContext } from '#kernel/server/kernel.ts';
import { own, ownTx } from '../../database.ts';
import { ReplayRun } from '../../replays/batch.ts';
import { lastMonth } from '../../replays/handlers.ts';
import { replayJob } from '../../replays/job.ts';
import { ownerOf } from '../../replays/owners.ts';
import { ruleVersionRecords } from '../../controls/records.ts';
import { setStage, type Stage } from '../stage.ts';
import { writeEntitlements } from './entitlements.ts';
import { STORY, writeHistory } from './history.ts';
import { writeHits, writeModules, writeRules, type WrittenVersion } from './rules.ts';

type Ended = 'DONE' | 'FAILED' | 'CANCELLED';

/** One replay that ran to its end, one that waits to run, one that failed, one that was cancelled. */
async function writeReplays(demo: DemoContext, { tx, now, today, maker }: Stage, versions: readonly WrittenVersion[]): Promise<void> {
  const product = await own(tx).selectFrom('insuranceProduct').select('id').where('productCode', '=', STORY).executeTakeFirst();
  const { from, to } = lastMonth(today);
  const filter = { insurerIds: [], productIds: product ? [product.id] : [], productLines: [] };
  const snapshots = await own(tx)
    .selectFrom('insuranceClaimSnapshot')
    .select(({ fn }) => fn.countAll<string>().as('n'))
    .where('productId', '=', product?.id ?? '0')
    .where('decidedAt', '>=', `${from}T00:00:00+08:00`)
    .where('decidedAt', '<', `${plusDays(to, 1)}T00:00:00+08:00`)
    .executeTakeFirstOrThrow();
  const total = Number(snapshots.n);
  if (total === 0) return;
  const draft = versions.find(({ rule }) => rule.code === 'YLKZ-005');
  const other = versions.find(({ rule }) => rule.code === 'YLKZ-007');
  if (!draft || !other) return;
  const insert = async (ownerId: string, state: 'QUEUED' | 'RUNNING' | Ended, done: number, fault: string | null) => {
    const owner = await ownerOf(tx, ruleVersionRecords.everyone, 'CONTROL_RULE_VERSION', ownerId);
    const ended = state === 'RUNNING' || state === 'QUEUED' ? null : plusMs(now, -3_600_000);
    const { id } = await ownTx(tx)
      .insertInto('insuranceRuleReplay')
      .values({
        replayNo: await nextNumber(tx, 'HF', today),
        ownerType: 'CONTROL_RULE_VERSION',
        ownerId,
        ownerName: owner.name,
        contentHash: owner.contentHash,
        content: json(owner.content),
        fromDate: from,
        toDate: to,
        filter: json(filter),
        state,
        total,
        done,
        fault,
        startedAt: plusMs(now, -3_660_000),
        endedAt: ended,
        ...createdColumns({ now: plusMs(now, -3_700_000), userId: maker.id }),
        ...updatedColumns({ now, userId: maker.id }),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  };
  await insert(other.id, 'CANCELLED', 0, null);
  await insert(other.id, 'FAILED', 0, '数据库连接中断');
  const whole = await insert(draft.id, 'RUNNING', 0, null);
  // It runs as soon as the product does.
  const waiting = versions.find(({ rule }) => rule.code === 'YLKZ-002');
  if (waiting) {
    const replayId = await insert(waiting.id, 'QUEUED', 0, null);
    await demo.transaction(({ enqueue }) => enqueue(replayJob, { replayId }, { singletonKey: replayId }));
  }
  const run = new ReplayRun(demo.db, (work) => demo.transaction(work));
  while (await run.next(whole, now));
  // Two of the changed cases are not what the author wanted.
  const cases = await own(tx)
    .selectFrom('insuranceRuleReplayCase')
    .select('id')
    .where('replayId', '=', whole)
    .orderBy('id')
    .limit(10)
    .execute();
  for (const [index, { id }] of cases.entries())
    await ownTx(tx)
      .updateTable('insuranceRuleReplayCase')
      .set({
        verdict: index < 2 ? 'UNEXPECTED' : 'EXPECTED',
        note: index < 2 ? '节假日前合理备药' : '',
        judgedBy: maker.id,
        judgedByName: maker.name,
        judgedAt: now,
      })
      .where('id', '=', id)
      .execute();
}

/** Cost control, definitions of entitlements, two years of figures. After the products, which it finds by their codes. */
export const writeControlDemo = (demo: DemoContext): Promise<void> =>
  demo.transaction(async ({ tx }) => {
    const known = await own(tx).selectFrom('insuranceControlModule').select('id').limit(1).executeTakeFirst();
    if (known) return;
    const stage = await setStage(demo, tx);
    if (!stage) return;
    const versions = await writeRules(stage, await writeModules(stage));
    await writeEntitlements(stage);
    const claims = await writeHistory(stage);
    await writeHits(stage, versions, claims);
    await writeReplays(demo, stage, versions);
  });

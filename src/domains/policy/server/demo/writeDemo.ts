import { sql } from 'kysely';
import type { Tx } from '#kernel/server/context.ts';
import type { DemoContext } from '#kernel/server/kernel.ts';
import { refreshPolicy } from '../cover/cache.ts';
import { endorse, type Fates } from './endorse.ts';
import { findAndMend } from './findings.ts';
import { payInParts } from './instalments.ts';
import { writeDemoLists } from './lists.ts';
import { plant, plantList } from './planted.ts';
import { endPolicy, writePolicy, type WrittenPolicy } from './policies.ts';
import { writeMoney } from './premium.ts';
import { policySpecs } from './specs.ts';
import { setStage } from './stage.ts';
import { writeUses } from './uses.ts';

/** Constraints that wait for the commit say now what they have to say. */
async function lookNow(tx: Tx): Promise<void> {
  await sql`set constraints all immediate`.execute(tx);
  await sql`set constraints all deferred`.execute(tx);
}

/** policy.md §Demo data, but for views of the query table. */
export const writeDemo = (demo: DemoContext): Promise<void> =>
  demo.transaction(async (writing) => {
    const { rows } = await sql`select 1 from policy_policy limit 1`.execute(writing.tx);
    if (rows.length > 0) return;
    const stage = await setStage(demo, writing);
    if (!stage) return;
    const fates: Fates = new Map();
    // First, so that lists that begin with what is new do not begin with what is wrong.
    const since = await plant(stage);
    const written: WrittenPolicy[] = [];
    for (const [at, spec] of policySpecs.entries()) {
      // What stands is looked at now, while it is few; at the end it would be looked for among a city's persons.
      if (spec.type === 'CITY') await lookNow(stage.tx);
      const policy = await writePolicy(stage, spec, at, written);
      written.push(policy);
      if (policy.firstOrderId && spec.order) fates.set(policy.firstOrderId, { fate: spec.order });
      await payInParts(stage, policy, fates);
      for (const [n, step] of (spec.steps ?? []).entries()) await endorse(stage, policy, step, n, fates);
    }
    for (const policy of written) await endPolicy(stage, policy);
    await writeUses(stage);
    await writeDemoLists(demo, fates);
    await plantList(stage);
    await writeMoney(stage, fates);
    // Lists and money came since; of the cities only money.
    for (const policy of written)
      await (policy.spec.type === 'CITY' ? refreshPolicy(stage.tx, policy.id, stage.today) : endPolicy(stage, policy));
    await findAndMend(stage, demo.kernel, since);
  });

import { sql } from 'kysely';
import { plusDays } from '../../../../kernel/contract/time.ts';
import type { Tx } from '../../../../kernel/server/context.ts';
import { asSystem } from '../../../../kernel/server/command/acting.ts';
import type { DemoContext } from '../../../../kernel/server/kernel.ts';
import { lookAt, settingsOf, writeRun } from '../abnormal/run.ts';
import { lockedPolicy } from '../endorsements/carryOut.ts';
import { instalmentsUntil } from '../premium/instalments.ts';
import { endorse, type Fates } from './endorse.ts';
import { endPolicy, writePolicy, type WrittenPolicy } from './policies.ts';
import { writeMoney } from './premium.ts';
import { policySpecs } from './specs.ts';
import { setStage } from './stage.ts';

/** Constraints that wait for the commit say now what they have to say. */
async function lookNow(tx: Tx): Promise<void> {
  await sql`set constraints all immediate`.execute(tx);
  await sql`set constraints all deferred`.execute(tx);
}

/** policy.md §Demo data, but for what lists that are read from files bring. */
export const writeDemo = (demo: DemoContext): Promise<void> =>
  demo.transaction(async (writing) => {
    const { rows } = await sql`select 1 from policy_policy limit 1`.execute(writing.tx);
    if (rows.length > 0) return;
    const stage = await setStage(demo, writing);
    if (!stage) return;
    const fates: Fates = new Map();
    const written: WrittenPolicy[] = [];
    for (const [at, spec] of policySpecs.entries()) {
      // What stands is looked at now, while it is few; at the end it would be looked for among a city's persons.
      if (spec.type === 'CITY') await lookNow(stage.tx);
      const policy = await writePolicy(stage, spec, at, written);
      written.push(policy);
      if (policy.firstOrderId && spec.order) fates.set(policy.firstOrderId, spec.order);
      if (spec.pay)
        await instalmentsUntil(
          stage.at(policy.coverageStart, '16:00', 'product_a'),
          await lockedPolicy(stage.tx, policy.id),
          plusDays(stage.today, 30),
        );
      for (const [n, step] of (spec.steps ?? []).entries()) await endorse(stage, policy, step, n, fates);
    }
    await writeMoney(stage, fates);
    for (const policy of written) await endPolicy(stage, policy);
    // What the nightly look finds of all this: orders overdue, money not shared, numbers of persons that differ.
    const looking = { db: stage.tx, secrets: stage.secrets, now: stage.now, today: stage.today };
    const looked = await lookAt(looking, await settingsOf(stage.tx));
    await writeRun(asSystem(writing, { now: stage.now, traceId: 'demo' }), demo.kernel.ports.notices, looked, {
      startedAt: stage.now,
      by: '系统',
    });
  });

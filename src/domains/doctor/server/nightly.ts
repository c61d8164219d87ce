import { sql } from 'kysely';
import { dayOf, type Day } from '#kernel/contract/time.ts';
import type { Db } from '#kernel/server/context.ts';
import { job } from '#kernel/server/jobs/declaration.ts';
import { doctorPermissions } from '../contract/permissions.ts';
import type { FeatureModule } from '#kernel/server/featureModule.ts';

/** How many rows break a rule on a day. */
export async function broken(db: Db, statement: string, today: Day): Promise<number> {
  const { rows } = await sql.raw<{ n: number }>(statement.replaceAll(':today', `date '${today}'`)).execute(db);
  return rows[0]!.n;
}

/** Counts what breaks a rule, over all features, and raises an alert. */
export const nightlyJob = (features: readonly FeatureModule[]) =>
  job({
    name: 'doctor.nightly',
    label: '医生数据核对',
    cron: '40 2 * * *',
    expireSeconds: 3600,
    async run(_data, ctx) {
      const wrong: string[] = [];
      for (const [name, statement] of features.flatMap(({ invariants }) => invariants ?? [])) {
        const n = await broken(ctx.db, statement, dayOf(ctx.now));
        if (n > 0) wrong.push(`${name} ${n}条`);
      }
      if (wrong.length > 0) {
        await ctx.transaction((writing) =>
          ctx.kernel.ports.notices.addAlert(
            writing.tx,
            {
              businessKey: `doctor.invariants:${dayOf(ctx.now)}`,
              title: '医生数据核对发现异常',
              body: wrong.join('；'),
              link: '/doctorManagement',
              permission: doctorPermissions['qual.enter'].code,
            },
            ctx.now,
          ),
        );
      }
    },
  });

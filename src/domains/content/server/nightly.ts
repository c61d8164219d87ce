import { sql } from 'kysely';
import { dayOf } from '#kernel/contract/time.ts';
import { job } from '#kernel/server/jobs/declaration.ts';
import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { markPermissions } from '../contract/marks/permissions.ts';

/** Counts every night what breaks a rule, over all features, and raises an alert. */
export const nightlyJob = (features: readonly FeatureModule[]) =>
  job({
    name: 'content.checkInvariants',
    label: '内容运营数据核对',
    cron: '50 2 * * *',
    expireSeconds: 3600,
    async run(_data, ctx) {
      const found: string[] = [];
      for (const [name, statement] of features.flatMap(({ invariants }) => invariants ?? [])) {
        const { rows } = await sql.raw<{ n: number }>(statement).execute(ctx.db);
        const n = rows[0]?.n ?? 0;
        if (n > 0) found.push(`${name}（${n}条）`);
      }
      if (found.length === 0) return;
      await ctx.transaction(({ tx }) =>
        ctx.kernel.ports.notices.addAlert(
          tx,
          {
            businessKey: `content.invariants.${dayOf(ctx.now)}`,
            title: '内容运营数据核对发现异常',
            body: found.join('；'),
            link: '/markContent',
            permission: markPermissions['mark.edit'].code,
          },
          ctx.now,
        ),
      );
    },
  });

import { sql } from 'kysely';
import { dayOf } from '#kernel/contract/time.ts';
import { asSystem } from '#kernel/server/command/acting.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { job, type JobDeclaration } from '#kernel/server/jobs/declaration.ts';
import { channelStates } from '../contract/states.ts';
import { publishChannel } from './channels/changed.ts';
import { TARGET } from './channels/save.ts';
import { makeBatch } from './codes/makeBatch.ts';
import { applyHandovers } from './refs/handover.ts';
import { sumDays } from './scans/sums.ts';
import { checkInvariants } from './invariants.ts';
import { activateDueVips } from './vip/state.ts';
import { ownTx } from './database.ts';

/** Channels whose last day is past, and VIP rows that start or end. */
const dayJob = job({
  name: 'channel.dayJob',
  label: '渠道与VIP到期处理',
  cron: '20 0 * * *',
  async run(_data, ctx) {
    const today = dayOf(ctx.now);
    await ctx.transaction(async (writing) => {
      const due = await ownTx(writing.tx)
        .selectFrom('channelChannel')
        .select(['id', 'channelNo'])
        .where('state', '=', 'ENABLED')
        .where('endDate', '<', today)
        .forUpdate()
        .execute();
      for (const { id, channelNo } of due) {
        const state = await moveState(asSystem(writing, ctx), channelStates, {
          targetType: TARGET,
          targetId: id,
          targetNo: channelNo,
          action: 'expire',
          from: 'ENABLED',
        });
        await ownTx(writing.tx)
          .updateTable('channelChannel')
          .set((eb) => ({ state, version: eb('version', '+', 1), updatedAt: ctx.now }))
          .where('id', '=', id)
          .execute();
        await publishChannel(writing, id, ctx.now);
      }
    });
    await ctx.transaction((writing) => activateDueVips(writing, ctx, today));
  },
});

/** Agents' channels go to their successors at the day's first moment. */
const handOver = job({
  name: 'channel.handOver',
  label: '代表交接生效',
  cron: '0 0 * * *',
  run: (_data, ctx) => ctx.transaction((writing) => applyHandovers(writing, ctx.now)),
});

async function sumTouched(ctx: Parameters<typeof dayJob.run>[1]): Promise<void> {
  const { rows } = await sql<{ day: string }>`select day from channel_dirty_day order by day`.execute(ctx.db);
  for (const { day } of rows) await ctx.transaction(({ tx }) => sumDays(tx, day, day));
}

const sumScans = job({ name: 'channel.sumScans', label: '扫码统计', everySeconds: 300, run: (_data, ctx) => sumTouched(ctx) });

export const channelJobs: readonly JobDeclaration<never>[] = [
  dayJob,
  handOver,
  sumScans,
  checkInvariants,
  makeBatch as JobDeclaration<never>,
];

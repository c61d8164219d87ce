import { job } from '../../../../kernel/server/jobs/declaration.ts';
import { own, ownTx } from '../database.ts';
import { startRun } from './start.ts';

/** Starts a run of every rule that runs by night; one that is under way is left alone. */
export const nightlyRules = job({
  name: 'content.startMarkRules',
  label: '每日打标规则',
  cron: '0 3 * * *',
  async run(_data, ctx) {
    const rules = await own(ctx.db)
      .selectFrom('contentMarkRule')
      .select('id')
      .where('state', '=', 'RUNNING')
      .where('schedule', '=', 'DAILY')
      .orderBy('id')
      .execute();
    for (const { id } of rules) {
      await ctx.transaction(async (writing) => {
        const rule = await ownTx(writing.tx)
          .selectFrom('contentMarkRule')
          .selectAll()
          .where('id', '=', id)
          .where('state', '=', 'RUNNING')
          .forUpdate()
          .executeTakeFirst();
        if (rule) await startRun({ tx: writing.tx, enqueue: writing.enqueue, now: ctx.now }, rule, 'RUN');
      });
    }
  },
});

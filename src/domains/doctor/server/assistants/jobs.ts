import { job, type JobDeclaration } from '#kernel/server/jobs/declaration.ts';
import { asSystem } from '#kernel/server/command/acting.ts';
import { recount } from './load.ts';
import { endLeaves } from './state.ts';

const returnFromLeave = job({
  name: 'doctor.returnFromLeave',
  label: '医助假期结束',
  cron: '5 0 * * *',
  run: (_data, ctx) => ctx.transaction((writing) => endLeaves(asSystem(writing, ctx))),
});

const recountLoad = job({
  name: 'doctor.recountLoad',
  label: '医助负荷重算',
  cron: '50 1 * * *',
  async run(_data, ctx) {
    const wrong = await ctx.transaction((writing) => recount({ ...writing, now: ctx.now }));
    if (wrong > 0) ctx.kernel.log.info({ wrong }, 'counts of open inquiries were put right');
  },
});

export const assistantJobs: readonly JobDeclaration<never>[] = [returnFromLeave, recountLoad];

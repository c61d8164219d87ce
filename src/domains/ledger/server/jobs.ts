import { dayOf } from '../../../kernel/contract/time.ts';
import { job } from '../../../kernel/server/jobs/declaration.ts';
import type { Kernel } from '../../../kernel/server/kernel.ts';
import { ledgerOf } from './books.ts';

const CHUNK = 200;

/** Frees holds whose time is over, so many in one transaction. */
export const timeOutJob = (kernel: Kernel) =>
  job({
    name: 'ledger.timeOutHolds',
    label: '预占超时释放',
    everySeconds: 60,
    async run(_data, ctx) {
      const ledger = ledgerOf(kernel);
      for (let freed = CHUNK; freed === CHUNK && !ctx.signal.aborted;)
        freed = await ctx.transaction((writing) => ledger.timeOutHolds({ ...writing, now: ctx.now, traceId: ctx.traceId }, CHUNK));
    },
  });

/** Every month is there before its first posting. */
export const openPeriodsJob = (kernel: Kernel) =>
  job({
    name: 'ledger.openPeriods',
    label: '开立会计期间',
    cron: '5 0 * * *',
    run: (_data, ctx) => ctx.transaction(({ tx }) => ledgerOf(kernel).openPeriods({ tx, now: ctx.now }, dayOf(ctx.now))),
  });

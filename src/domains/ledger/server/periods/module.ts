import { dayOf } from '#kernel/contract/time.ts';
import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { job } from '#kernel/server/jobs/declaration.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { ledgerOf } from '../books.ts';
import { openMonths } from '../demo/writeBooks.ts';

/** Every month is there before its first posting. */
const openPeriodsJob = (kernel: Kernel) =>
  job({
    name: 'ledger.openPeriods',
    label: '开立会计期间',
    cron: '5 0 * * *',
    run: (_data, ctx) => ctx.transaction(({ tx }) => ledgerOf(kernel).openPeriods({ tx, now: ctx.now }, dayOf(ctx.now))),
  });

/** Months of the books. */
export const periodsModule = (kernel: Kernel): FeatureModule => ({
  jobs: [openPeriodsJob(kernel)],
  demo: (ctx) => openMonths(ctx, kernel),
});

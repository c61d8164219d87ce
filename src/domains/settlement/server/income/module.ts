import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { add, adjustExport, adjustList, audit, auditSecond, cancel } from './adjusts.ts';
import { incomeConsumers, incomeJobs } from './events.ts';
import { detail, hold, reverse, unhold } from './handlers.ts';
import { incomeExport, incomeList, incomeTotal, monthExport, monthList } from './list.ts';

/** What doctors earn: of completed orders by the rules, by adjustment, and what is taken back. */
export const incomeModule: FeatureModule = {
  handlers: (kernel) => [
    incomeList.handler,
    incomeTotal,
    detail(kernel),
    hold,
    unhold(kernel),
    reverse(kernel),
    adjustList.handler,
    add,
    audit(kernel),
    auditSecond(kernel),
    cancel,
    monthList.handler,
  ],
  exports: [incomeExport, adjustExport, monthExport],
  consumers: incomeConsumers,
  jobs: incomeJobs,
};

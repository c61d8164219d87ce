import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { audit, revoke } from './decide.ts';
import { perfConsumers, perfJobs } from './events.ts';
import { add, modify, submit, withdraw } from './handlers.ts';
import { perfBindImporter } from './importer.ts';
import { changeExport, changeList, itemExport, itemList } from './list.ts';
import { lockPeriod, periods, unlockPeriod } from './months.ts';
import { detail, pairs, preview, timeline } from './reads.ts';
import { boundTrend, relationExport, relationList, statisticsExport, statisticsList, unboundExport, unboundList } from './relations.ts';

/** Who looks after which doctor for which product line, and what counts for whom. */
export const perfModule: FeatureModule = {
  handlers: (kernel) => [
    changeList.handler,
    itemList.handler,
    detail,
    preview,
    pairs,
    add(kernel),
    modify(kernel),
    submit(kernel),
    withdraw(kernel),
    audit,
    revoke,
    relationList.handler,
    unboundList.handler,
    timeline,
    statisticsList.handler,
    boundTrend,
    periods,
    lockPeriod,
    unlockPeriod,
  ],
  exports: [changeExport, itemExport, relationExport, unboundExport, statisticsExport],
  importers: [perfBindImporter],
  consumers: perfConsumers,
  jobs: perfJobs,
};

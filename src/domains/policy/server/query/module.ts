import type { JobDeclaration } from '#kernel/server/kernel.ts';
import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { datasetList, tableData } from './tableData.ts';
import { queryExport } from './exports.ts';
import { againJob, scheduledJob } from './scheduled.ts';
import { viewHandlers } from './views.ts';

/** Questions to the data of policies: declared columns, one parameterised SELECT each, saved as views. */
export const queryModule: FeatureModule = {
  handlers: (kernel) => [datasetList, tableData(kernel), ...viewHandlers],
  exports: (kernel) => [queryExport(kernel)],
  jobs: [scheduledJob as JobDeclaration<never>, againJob as JobDeclaration<never>],
};

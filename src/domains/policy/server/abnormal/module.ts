import type { JobDeclaration } from '#kernel/server/kernel.ts';
import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { findingExport, findingLists } from './list.ts';
import { audit, transferMany, run, modify, abnormalJob } from './handlers.ts';
import { ownerHandlers } from './owners.ts';

/** What is wrong with policies, who looks after it, how it is mended. */
export const abnormalModule: FeatureModule = {
  handlers: (kernel) => [
    findingLists.list,
    ...findingLists.rest,
    audit(kernel),
    transferMany(kernel),
    run(kernel),
    modify,
    ...ownerHandlers,
  ],
  exports: [findingExport],
  jobs: (kernel) => [abnormalJob(kernel) as JobDeclaration<never>],
};

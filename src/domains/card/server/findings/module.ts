import type { JobDeclaration } from '#kernel/server/kernel.ts';
import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { findingList, findingExport, assign, fix, close, run, nightly } from './handlers.ts';

/** What is wrong with cards, who looks after it, and how it is mended. */
export const findingsModule: FeatureModule = {
  handlers: (kernel) => [findingList.handler, assign, fix(kernel), close, run(kernel)],
  exports: [findingExport],
  jobs: (kernel) => [nightly(kernel) as JobDeclaration<never>],
};

import type { JobDeclaration } from '#kernel/server/kernel.ts';
import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { dayJob } from './dayJob.ts';
import { policyDetail } from './detail.ts';
import { makePolicyList, policyExportsOf, policyTotalOf } from './list.ts';
import { policyImporter } from './policyImporter.ts';
import { renew } from './renew.ts';
import { add, modify, remove } from './write.ts';

/** Policies: the list, one of them, what is entered of them, and what the days do. */
export const policiesModule: FeatureModule = {
  handlers: (kernel) => {
    const list = makePolicyList(kernel);
    return [list.handler, policyTotalOf(list), policyDetail, add(kernel), modify(kernel), remove, renew(kernel)];
  },
  exports: (kernel) => policyExportsOf(makePolicyList(kernel)),
  importers: (kernel) => [policyImporter(kernel)],
  jobs: [dayJob as JobDeclaration<never>],
};

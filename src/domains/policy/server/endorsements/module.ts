import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { endorsementDetail, endorsementExportOf, makeEndorsementList } from './list.ts';
import { preview, add, modify, audit } from './handlers.ts';

/** Changes of policies that one person makes and another one passes. */
export const endorsementsModule: FeatureModule = {
  handlers: (kernel) => {
    const list = makeEndorsementList(kernel);
    return [list.handler, endorsementDetail(kernel), preview(kernel), add(kernel), modify(kernel), audit(kernel)];
  },
  exports: (kernel) => [endorsementExportOf(makeEndorsementList(kernel))],
};

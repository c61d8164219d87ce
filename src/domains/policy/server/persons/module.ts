import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { personDetail, reveal } from './detail.ts';
import { makePersonList, personExportOf } from './list.ts';

/** Insured persons: the list as of any day and moment, and one of them with all his cover. */
export const personsModule: FeatureModule = {
  handlers: (kernel) => {
    const list = makePersonList(kernel);
    return [list.handler, personDetail, reveal(kernel)];
  },
  exports: (kernel) => [personExportOf(makePersonList(kernel), kernel)],
};

import type { FeatureModule } from '../../../../kernel/server/featureModule.ts';
import { bindingImporter } from './bindingImporter.ts';
import { bind } from './bind.ts';
import { bindingExport, bindingList, objectMarks } from './bindingList.ts';
import { markConsumers } from './consumers.ts';
import { writeMarkDemo } from './demo.ts';
import { expireBindings } from './expire.ts';
import { addGroup, modifyGroup, removeGroup, sortGroups } from './groups.ts';
import { markExport } from './markExport.ts';
import { markInvariants } from './invariants.ts';
import { add, merge, modify, remove } from './marks.ts';
import { groupList } from './read.ts';
import { unbind } from './unbind.ts';

export const marksModule: FeatureModule = {
  handlers: (kernel) => [
    groupList,
    addGroup,
    modifyGroup,
    removeGroup,
    sortGroups,
    add,
    modify,
    remove,
    merge,
    bind(kernel),
    unbind(kernel),
    bindingList(kernel).handler,
    objectMarks(kernel),
  ],
  jobs: [expireBindings],
  consumers: markConsumers,
  exports: (kernel) => [markExport, bindingExport(kernel)],
  importers: (kernel) => [bindingImporter(kernel)],
  demo: writeMarkDemo,
  invariants: markInvariants,
};

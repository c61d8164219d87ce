import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { changeExport, changeList } from './list.ts';
import { add, audit, withdraw } from './handlers.ts';

/** Changes of cards that one person asks for and another one passes. */
export const changesModule: FeatureModule = {
  handlers: (kernel) => [changeList.handler, add(kernel), audit(kernel), withdraw],
  exports: [changeExport],
};

import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { applyHandlers } from './applyHandlers.ts';
import { applyExport, applyList } from './list.ts';

export const appliesModule: FeatureModule = {
  handlers: (kernel) => [applyList.handler, ...applyHandlers(kernel)],
  exports: [applyExport],
};

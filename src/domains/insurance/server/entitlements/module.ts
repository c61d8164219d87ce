import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { definitionHandlers } from './definitions.ts';
import { defExport, defListHandler } from './list.ts';

/** What cards are made of: coupons, benefit cards, stored value. */
export const entitlementsModule: FeatureModule = {
  handlers: [defListHandler, ...definitionHandlers],
  exports: [defExport],
};

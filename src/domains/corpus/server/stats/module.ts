import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { followStat, statExport, followFunnel } from './stats.ts';

export const statsModule: FeatureModule = {
  handlers: [followStat, followFunnel],
  exports: [statExport],
};

import { exportHandler } from '../../../../kernel/server/exporting/exportHandler.ts';
import type { FeatureModule } from '../../../../kernel/server/featureModule.ts';
import { followStat, statExport, followFunnel } from './stats.ts';

export const statsModule: FeatureModule = {
  handlers: (kernel) => [followStat, followFunnel, exportHandler(statExport, kernel)],
  exports: [statExport],
};

import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { demoSource } from '../demo/bigData.ts';
import { expireExports, reviveExports } from './exportSweeps.ts';
import { exportHandlers } from './handlers.ts';
import { runExports } from './runExports.ts';

/** The download centre. */
export const exportsModule: FeatureModule = {
  handlers: exportHandlers,
  jobs: [runExports, reviveExports, expireExports],
  exports: ({ config }) => (config.mode === 'production' ? [] : [demoSource]),
};

import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { inspectFile } from './complete.ts';
import { objectHandlers } from './handlers.ts';
import { expireFiles, reviveInspections } from './sweeps.ts';
import { sweepStorage, verifyBytes } from './verifyBytes.ts';

/** Files one by one: taken in, looked at, handed out, forgotten. */
export const objectsModule: FeatureModule = {
  handlers: objectHandlers,
  jobs: [inspectFile, expireFiles, reviveInspections, verifyBytes, sweepStorage],
};

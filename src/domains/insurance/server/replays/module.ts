import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { caseExport, caseListHandler } from './cases.ts';
import { replayHandlers } from './handlers.ts';
import { replayJob } from './job.ts';
import { snapshotRetention } from './retention.ts';
import { decided } from './snapshots.ts';

/** Decided claims once more, under a draft. */
export const replaysModule: FeatureModule = {
  handlers: [...replayHandlers, caseListHandler],
  exports: [caseExport],
  jobs: [replayJob, snapshotRetention],
  consumers: [decided],
};

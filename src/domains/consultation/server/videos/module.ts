import type { JobDeclaration } from '#kernel/server/jobs/declaration.ts';
import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { endCardJob } from './endCard.ts';
import { videoHandlers } from './handlers.ts';
import { watchRoomsJob } from './jobs.ts';

/** Video rooms. */
export const videosModule: FeatureModule = {
  handlers: videoHandlers,
  jobs: [watchRoomsJob, endCardJob] as readonly JobDeclaration<never>[],
};

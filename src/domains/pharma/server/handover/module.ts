import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { handoverHandlers } from './handoverHandlers.ts';
import { handoverPreview, handoverTrail } from './handoverReads.ts';
import { handoverExport, handoverList } from './list.ts';

/** What an agent leaves to successors. */
export const handoverModule: FeatureModule = {
  handlers: (kernel) => [handoverList.handler, handoverTrail, handoverPreview, ...handoverHandlers(kernel)],
  exports: [handoverExport],
};

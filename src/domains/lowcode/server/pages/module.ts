import type { FeatureModule } from '#kernel/server/featureModule.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { catalogueHandlers } from './catalogue.ts';
import { editHandlers } from './edit.ts';
import { healthHandlers } from './health.ts';
import { pageExport, pageList } from './list.ts';
import { publishHandlers } from './publish.ts';
import { readHandlers } from './read.ts';
import { releaseReference } from './release.ts';
import { stateHandlers } from './state.ts';

/** Pages that are data: written, published, taken back. */
export function pagesModule(kernel: Kernel): FeatureModule {
  const list = pageList(kernel);
  return {
    handlers: [
      ...readHandlers(kernel, list),
      ...editHandlers(kernel),
      ...publishHandlers(kernel),
      ...stateHandlers(kernel),
      ...healthHandlers(kernel),
      ...catalogueHandlers(kernel),
    ],
    exports: [pageExport(list)],
    reference: [releaseReference(kernel)],
  };
}

import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { entryExport, entryList, transferDetail } from './entries.ts';

/** What is posted, and how it is read. */
export const transfersModule: FeatureModule = {
  handlers: (kernel) => [entryList(kernel).handler, transferDetail(kernel)],
  exports: (kernel) => [entryExport(kernel)],
};

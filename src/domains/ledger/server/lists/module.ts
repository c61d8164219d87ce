import type { FeatureModule } from '../../../../kernel/server/featureModule.ts';
import { entryExport, entryList, transferDetail } from './entries.ts';
import { holdExport, holdList } from './holds.ts';
import { lotExport, lotList, lotMoves } from './lots.ts';

/** What stands in the books: entries, holds, lots. */
export const listsModule: FeatureModule = {
  handlers: (kernel) => [
    entryList(kernel).handler,
    transferDetail(kernel),
    holdList(kernel).handler,
    lotList(kernel).handler,
    lotMoves.handler,
  ],
  exports: (kernel) => [entryExport(kernel), holdExport(kernel), lotExport(kernel)],
};

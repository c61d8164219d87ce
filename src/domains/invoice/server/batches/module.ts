import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { add, audit, execute, voidBatch } from './handlers.ts';
import { batchDetail, batchExport, batchList } from './list.ts';

/** Refunds that go back together: made by one, passed by another, started by a third. */
export const batchesModule: FeatureModule = {
  handlers: [batchList.handler, batchDetail, add, audit, voidBatch, execute],
  exports: [batchExport],
};

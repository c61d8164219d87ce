import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { scanExport } from '../scans/list.ts';
import { batchExport } from './batchTable.ts';
import { codeHandlers } from './handlers.ts';
import { codeExport } from './list.ts';

/** Codes, batches of them, and who scanned them. */
export const codesModule: FeatureModule = {
  handlers: codeHandlers,
  exports: (kernel) => [codeExport(kernel), batchExport, scanExport],
};

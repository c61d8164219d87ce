import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { prepayList, prepayExport, balanceList, balanceExport, typeOptions, add, audit } from './handlers.ts';

/** What funders pay in advance, and what of it is left. */
export const fundsModule: FeatureModule = {
  handlers: (kernel) => [prepayList.handler, typeOptions, balanceList(kernel).handler, add, audit(kernel)],
  exports: (kernel) => [prepayExport, balanceExport(kernel)],
};

import { exportHandler } from '../../../../kernel/server/exporting/exportHandler.ts';
import type { ModulePart } from '../../../../kernel/server/modulePart.ts';
import { definitionHandlers } from './definitions.ts';
import { defExport, defListHandler } from './list.ts';

/** What cards are made of: coupons, benefit cards, stored value. */
export const entitlementsPart: ModulePart = {
  handlers: (kernel) => [defListHandler, exportHandler(defExport, kernel), ...definitionHandlers],
  exports: [defExport],
};

import { exportHandler } from '../../../../kernel/server/exporting/exportHandler.ts';
import type { FeatureModule } from '../../../../kernel/server/featureModule.ts';
import { prepayList, prepayExport, balanceList, balanceExport, typeOptions, add, audit } from './handlers.ts';

/** What funders pay in advance, and what of it is left. */
export const fundsModule: FeatureModule = {
  handlers: (kernel) => [
    prepayList.handler,
    typeOptions,
    balanceList(kernel).handler,
    add,
    audit(kernel),
    exportHandler(prepayExport, kernel),
    exportHandler(balanceExport(kernel), kernel),
  ],
  exports: (kernel) => [prepayExport, balanceExport(kernel)],
};

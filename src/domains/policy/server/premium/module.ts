import { exportHandler } from '../../../../kernel/server/exporting/exportHandler.ts';
import { importHandler } from '../../../../kernel/server/importing/importHandler.ts';
import type { JobDeclaration } from '../../../../kernel/server/kernel.ts';
import type { FeatureModule } from '../../../../kernel/server/featureModule.ts';
import { importReceipt } from '../../contract/calls/premium.ts';
import { auditHandlers } from './audit.ts';
import { deskHandlers } from './desk.ts';
import { generate, graceJob } from './instalments.ts';
import { premiumDetail, premiumExport, premiumList, premiumTotal } from './list.ts';
import { receiptImporter } from './receiptImporter.ts';
import { addOrder, regenerate } from './regenerate.ts';
import { add, allocate, receiptExport, receiptList, suggest, unallocate } from './receipts.ts';

/** Amounts due and to be returned: checked by two, settled by bank money, reversed in pairs. */
export const premiumModule: FeatureModule = {
  handlers: (kernel) => [
    premiumList.handler,
    exportHandler(premiumExport, kernel),
    premiumTotal,
    premiumDetail,
    ...deskHandlers,
    ...auditHandlers,
    generate,
    importHandler({ call: importReceipt, importer: receiptImporter(kernel) }, kernel),
    addOrder,
    regenerate,
    receiptList.handler,
    exportHandler(receiptExport, kernel),
    add(kernel),
    suggest,
    allocate,
    unallocate,
  ],
  exports: [premiumExport, receiptExport],
  importers: (kernel) => [receiptImporter(kernel)],
  jobs: (kernel) => [graceJob(kernel) as JobDeclaration<never>],
};

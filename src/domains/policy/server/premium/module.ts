import type { JobDeclaration } from '#kernel/server/kernel.ts';
import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { auditHandlers } from './audit.ts';
import { desk } from './desk.ts';
import { generate, graceJob } from './instalments.ts';
import { premiumDetail, premiumExport, premiumList, premiumTotal } from './list.ts';
import { receiptImporter } from './receiptImporter.ts';
import { addOrder, regenerate } from './regenerate.ts';
import { add, allocate, receiptExport, receiptList, suggest, unallocate } from './receipts.ts';

/** Amounts due and to be returned: checked by two, settled by bank money, reversed in pairs. */
export const premiumModule: FeatureModule = {
  handlers: (kernel) => [
    premiumList.handler,
    premiumTotal,
    premiumDetail,
    ...desk.handlers(),
    ...auditHandlers,
    generate,
    addOrder,
    regenerate,
    receiptList.handler,
    add(kernel),
    suggest,
    allocate,
    unallocate,
  ],
  exports: [premiumExport, receiptExport],
  importers: (kernel) => [receiptImporter(kernel)],
  jobs: (kernel) => [graceJob(kernel) as JobDeclaration<never>],
};

import { exportHandler } from '../../../../kernel/server/exporting/exportHandler.ts';
import type { JobDeclaration } from '../../../../kernel/server/kernel.ts';
import type { ModulePart } from '../../../../kernel/server/modulePart.ts';
import { auditHandlers } from './audit.ts';
import { deskHandlers } from './desk.ts';
import { generate, graceJob } from './instalments.ts';
import { premiumDetail, premiumExport, premiumList } from './list.ts';
import { add, allocate, receiptExport, receiptList, suggest, unallocate } from './receipts.ts';

/** Amounts due and to be returned: checked by two, settled by bank money, reversed in pairs. */
export const premiumPart: ModulePart = {
  handlers: (kernel) => [
    premiumList.handler,
    exportHandler(premiumExport, kernel),
    premiumDetail,
    ...deskHandlers,
    ...auditHandlers,
    generate,
    receiptList.handler,
    exportHandler(receiptExport, kernel),
    add(kernel),
    suggest,
    allocate,
    unallocate,
  ],
  exports: [premiumExport, receiptExport],
  jobs: (kernel) => [graceJob(kernel) as JobDeclaration<never>],
};

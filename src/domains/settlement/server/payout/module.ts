import type { FeatureModule } from '#kernel/server/featureModule.ts';
import type { JobDeclaration } from '#kernel/server/kernel.ts';
import { add, audit, auditSecond, payable, removeItem, returnForTax, submit, voidBatch } from './batches.ts';
import { exportFile, reexportFile } from './export.ts';
import { batchDetail, batchExport, batchList, itemExport, itemList, taxExport, taxList } from './list.ts';
import { messageJob } from './messages.ts';
import { mark, resultImporter, resultJobs } from './results.ts';

/** Bills become money: batches with their taxes, the bank's file, and what the bank says of each row. */
export const payoutModule: FeatureModule = {
  handlers: (kernel) => [
    batchList.handler,
    batchDetail,
    itemList.handler,
    payable,
    add,
    removeItem,
    submit,
    audit,
    auditSecond,
    returnForTax,
    voidBatch,
    exportFile(kernel),
    reexportFile(kernel),
    mark(kernel),
    taxList.handler,
  ],
  exports: [batchExport, itemExport, taxExport],
  importers: (kernel) => [resultImporter(kernel)],
  jobs: (kernel) => [...resultJobs(kernel), messageJob(kernel) as JobDeclaration<never>],
};

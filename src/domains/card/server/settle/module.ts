import type { JobDeclaration } from '#kernel/server/kernel.ts';
import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { add, audit, generateJobDeclaration, preview, submit, voidBatch } from './batches.ts';
import { confirm, dispute, remind, resolve, voidOne } from './bills.ts';
import { batchDetail } from './detail.ts';
import { settleConsumers } from './events.ts';
import { batchExport, batchList, billExport, billList, lineExport, lineList } from './lists.ts';
import { statement } from './statement.ts';
import { statementImporter } from './statementImporter.ts';

/** What of used value is owed to whom, agreed with them and paid. */
export const settleModule: FeatureModule = {
  handlers: (kernel) => [
    preview,
    add,
    batchList.handler,
    batchDetail,
    submit,
    audit,
    voidBatch,
    billList.handler,
    lineList.handler,
    dispute,
    resolve(kernel),
    confirm,
    voidOne,
    remind,
    statement,
  ],
  exports: [batchExport, billExport, lineExport],
  importers: [statementImporter],
  consumers: settleConsumers,
  jobs: [generateJobDeclaration as JobDeclaration<never>],
};

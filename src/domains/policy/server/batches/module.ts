import type { JobDeclaration } from '#kernel/server/kernel.ts';
import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { addBatch, reparse, reverseBatch } from './add.ts';
import { applyJob } from './applying/applyJob.ts';
import { auditBatch } from './audit.ts';
import { batchDetail, batchUndo } from './detail.ts';
import { exportResult } from './exportResult.ts';
import { batchImpactHandler } from './impact.ts';
import { batchList, makeRowList } from './list.ts';
import { parseJob } from './parsing/parseJob.ts';
import { acceptWarnings, excludeRows, modifyRow } from './rows.ts';
import { undoJob } from './applying/undoJob.ts';

/** Lists of insured persons: how they are read, what each row does, and how all of it takes effect or is taken back. */
export const batchesModule: FeatureModule = {
  handlers: (kernel) => [
    batchList.handler,
    addBatch(kernel),
    batchDetail,
    makeRowList(kernel).handler,
    modifyRow(kernel),
    excludeRows(kernel),
    acceptWarnings,
    reparse(kernel),
    batchImpactHandler,
    batchUndo,
    auditBatch(kernel),
    reverseBatch(kernel),
    exportResult(kernel),
  ],
  jobs: (kernel) => [parseJob(kernel), applyJob(kernel), undoJob(kernel)].map((one) => one as JobDeclaration<never>),
};

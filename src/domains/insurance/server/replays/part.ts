import { exportHandler } from '../../../../kernel/server/exporting/exportHandler.ts';
import type { ModulePart } from '../../../../kernel/server/modulePart.ts';
import { caseExport, caseListHandler } from './cases.ts';
import { replayHandlers } from './handlers.ts';
import { replayJob } from './job.ts';
import { snapshotRetention } from './retention.ts';
import { decided } from './snapshots.ts';

/** Decided claims once more, under a draft. */
export const replaysPart: ModulePart = {
  handlers: (kernel) => [...replayHandlers, caseListHandler, exportHandler(caseExport, kernel)],
  exports: [caseExport],
  jobs: [replayJob, snapshotRetention],
  consumers: [decided],
};

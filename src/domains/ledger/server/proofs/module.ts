import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { assign, explain, rebuild, resolve } from './findings.ts';
import { bookState, findingExport, findingList, menders, periodExport, periodList, proofExport, proofList } from './list.ts';
import { nightlyProofs, proofJob, runByHand } from './run.ts';
import { trialBalance, trialExport } from './trial.ts';

/** Whether the books are right, and what is done where they are not. */
export const proofsModule: FeatureModule = {
  handlers: (kernel) => [
    periodList(kernel).handler,
    trialBalance(kernel),
    proofList.handler,
    bookState(kernel),
    runByHand(kernel),
    findingList(kernel).handler,
    menders,
    assign(kernel),
    resolve(kernel),
    explain(kernel),
    rebuild(kernel),
  ],
  exports: (kernel) => [periodExport(kernel), proofExport, findingExport(kernel), trialExport(kernel)],
  jobs: (kernel) => [proofJob(kernel), nightlyProofs(kernel)],
};

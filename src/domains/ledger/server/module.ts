import {
  accountFrozen,
  accountUnfrozen,
  holdTimedOut,
  lotExpired,
  periodClosed,
  periodReopened,
  transferPosted,
} from '../../../events/ledger.ts';
import { dayOf } from '../../../kernel/contract/time.ts';
import { exportHandler } from '../../../kernel/server/exporting/exportHandler.ts';
import type { ServerModuleFactory } from '../../../kernel/server/module.ts';
import { adjustmentStates, adjustReasons } from '../contract/adjustments.ts';
import { books, findingCodes, lotMoveKinds, proofKinds, sides } from '../contract/books.ts';
import { ledgerErrors } from '../contract/errors.ts';
import { ledgerPermissions } from '../contract/permissions.ts';
import { accountStates, findingStates, holdStates, periodStates, proofStates } from '../contract/states.ts';
import { accountDetail, freezeAccount, revealOwner, unfreezeAccount } from './accounts/handlers.ts';
import { accountExport, accountList, accountTotal, chartOf } from './accounts/list.ts';
import { registerAdjustFiles } from './adjustments/access.ts';
import { audit, cancel, submit } from './adjustments/decide.ts';
import { adjustmentDetail, adjustmentExport, adjustmentList } from './adjustments/list.ts';
import { add, modify } from './adjustments/save.ts';
import { ledgerOf } from './books.ts';
import { openMonths, writeBooks } from './demo/writeBooks.ts';
import { openPeriodsJob, timeOutJob } from './jobs.ts';
import { entryExport, entryList, transferDetail } from './lists/entries.ts';
import { holdExport, holdList } from './lists/holds.ts';
import { lotExport, lotList, lotMoves } from './lists/lots.ts';
import { assign, explain, rebuild, resolve } from './proofs/findings.ts';
import { bookState, findingExport, findingList, menders, periodExport, periodList, proofExport, proofList } from './proofs/list.ts';
import { nightlyProofs, proofJob, runByHand } from './proofs/run.ts';
import { trialBalance, trialExport } from './proofs/trial.ts';

/** Books of stored value, income and receivables. The domains that own them declare their charts and post within their own transactions. */
export const ledgerModule: ServerModuleFactory = (kernel) => {
  registerAdjustFiles();
  const exports = [
    accountExport(kernel),
    entryExport(kernel),
    holdExport(kernel),
    lotExport(kernel),
    adjustmentExport,
    periodExport(kernel),
    proofExport,
    findingExport(kernel),
    trialExport(kernel),
  ];
  return {
    domain: 'ledger',
    permissions: Object.values(ledgerPermissions),
    routes: [],
    errors: ledgerErrors,
    dictionaries: [
      books,
      sides,
      lotMoveKinds,
      proofKinds,
      proofStates,
      findingCodes,
      adjustReasons,
      holdStates,
      periodStates,
      accountStates.dictionary,
      findingStates.dictionary,
      adjustmentStates.dictionary,
    ],
    events: [transferPosted, holdTimedOut, lotExpired, accountFrozen, accountUnfrozen, periodClosed, periodReopened],
    handlers: [
      chartOf(kernel),
      accountList(kernel).handler,
      accountTotal(kernel),
      accountDetail(kernel),
      freezeAccount(kernel),
      unfreezeAccount(kernel),
      revealOwner,
      entryList(kernel).handler,
      transferDetail(kernel),
      holdList(kernel).handler,
      lotList(kernel).handler,
      lotMoves.handler,
      adjustmentList.handler,
      adjustmentDetail(kernel),
      add,
      modify,
      submit(kernel),
      cancel(kernel),
      audit(kernel),
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
      ...exports.map((source) => exportHandler(source, kernel)),
    ],
    exports,
    jobs: [timeOutJob(kernel), openPeriodsJob(kernel), proofJob(kernel), nightlyProofs(kernel)],
    demo: (ctx) => openMonths(ctx, kernel),
    demoLast: (ctx) => writeBooks(ctx, kernel),
    started: () =>
      kernel.transactions.run('start', async ({ tx }) => {
        const now = kernel.clock.now();
        await ledgerOf(kernel).openPeriods({ tx, now }, dayOf(now));
      }),
  };
};

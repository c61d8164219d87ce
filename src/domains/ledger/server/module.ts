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
import type { ServerModuleFactory } from '../../../kernel/server/module.ts';
import { books, findingCodes, lotMoveKinds, proofKinds, sides } from '../contract/books.ts';
import { ledgerErrors } from '../contract/errors.ts';
import { bookPermissions, ledgerPermissions } from '../contract/permissions.ts';
import { accountStates, findingStates, holdStates, periodStates } from '../contract/states.ts';
import { accountDetail, freezeAccount, revealOwner, unfreezeAccount } from './accounts/acts.ts';
import { accountExport, accountList, accountTotal, chartOf } from './accounts/list.ts';
import { ledgerOf } from './books.ts';
import { openPeriodsJob, timeOutJob } from './jobs.ts';
import { entryExport, entryList, transferDetail } from './lists/entries.ts';
import { holdExport, holdList } from './lists/holds.ts';
import { lotExport, lotList, lotMoves } from './lists/lots.ts';

/** Books of stored value, income and receivables. The domains that own them declare their charts and post within their own transactions. */
export const ledgerModule: ServerModuleFactory = (kernel) => ({
  domain: 'ledger',
  permissions: [
    ledgerPermissions['account.view'],
    ledgerPermissions['account.freeze'],
    ledgerPermissions['owner.reveal'],
    ...Object.values(bookPermissions),
  ],
  routes: [],
  errors: ledgerErrors,
  dictionaries: [books, sides, lotMoveKinds, proofKinds, findingCodes, accountStates.dictionary, holdStates, periodStates, findingStates],
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
  ],
  exports: [accountExport(kernel), entryExport(kernel), holdExport(kernel), lotExport(kernel)],
  jobs: [timeOutJob(kernel), openPeriodsJob(kernel)],
  started: () =>
    kernel.transactions.run('start', async ({ tx }) => {
      const now = kernel.clock.now();
      await ledgerOf(kernel).openPeriods({ tx, now }, dayOf(now));
    }),
});

import { accountFrozen, accountUnfrozen, holdTimedOut, lotExpired, periodClosed, periodReopened, transferPosted } from '#events/ledger.ts';
import { dayOf } from '#kernel/contract/time.ts';
import { joinFeatures } from '#kernel/server/featureModule.ts';
import type { ServerModuleFactory } from '#kernel/server/module.ts';
import { adjustmentStates, adjustReasons } from '../contract/adjustments.ts';
import { books, findingCodes, lotMoveKinds, proofKinds, sides } from '../contract/books.ts';
import { ledgerErrors } from '../contract/errors.ts';
import { ledgerPermissions } from '../contract/permissions.ts';
import { accountStates, findingStates, holdStates, periodStates, proofStates } from '../contract/states.ts';
import { accountsModule } from './accounts/module.ts';
import { registerAdjustFiles } from './adjustments/access.ts';
import { adjustmentsModule } from './adjustments/module.ts';
import { ledgerOf } from './books.ts';
import { writeBooks } from './demo/writeBooks.ts';
import { holdsModule } from './holds/module.ts';
import { lotsModule } from './lots/module.ts';
import { periodsModule } from './periods/module.ts';
import { proofsModule } from './proofs/module.ts';
import { transfersModule } from './transfers/module.ts';

/** Books of stored value, income and receivables. The domains that own them declare their charts and post within their own transactions. */
export const ledgerModule: ServerModuleFactory = (kernel) => {
  registerAdjustFiles();
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
    ...joinFeatures(kernel, [
      accountsModule,
      transfersModule,
      holdsModule,
      lotsModule,
      adjustmentsModule,
      proofsModule,
      periodsModule(kernel),
    ]),
    demoLast: (ctx) => writeBooks(ctx, kernel),
    started: () =>
      kernel.transactions.run('start', async ({ tx }) => {
        const now = kernel.clock.now();
        await ledgerOf(kernel).openPeriods({ tx, now }, dayOf(now));
      }),
  };
};

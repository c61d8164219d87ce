import { batchFinished, doctorBalanceChanged, perfChanged } from '#events/settlement.ts';
import type { ServerModuleFactory } from '#kernel/server/module.ts';
import { joinFeatures, type FeatureModule } from '#kernel/server/featureModule.ts';
import { declareBook } from '#domains/ledger/server/index.ts';
import { runStates } from '../contract/billStates.ts';
import { settlementDictionaries } from '../contract/dictionaries.ts';
import { settlementErrors } from '../contract/errors.ts';
import { settlementPermissions } from '../contract/permissions.ts';
import { settlementRoutes } from '../contract/routes.ts';
import { settlementMachines } from '../contract/states.ts';
import { accountsModule } from './accounts/module.ts';
import { billsModule } from './bills/module.ts';
import { doctorBook } from './chart.ts';
import { writeDemo } from './demo/writeDemo.ts';
import { writePeriods } from './demo/writeDeclarations.ts';
import { declareFiles } from './files.ts';
import { incentiveModule } from './incentive/module.ts';
import { incomeModule } from './income/module.ts';
import { payoutModule } from './payout/module.ts';
import { perfModule } from './perf/module.ts';
import { rulesModule } from './rules/module.ts';
import { taxesModule } from './taxes/module.ts';

const features: readonly FeatureModule[] = [
  rulesModule,
  incomeModule,
  accountsModule,
  billsModule,
  payoutModule,
  taxesModule,
  incentiveModule,
  perfModule,
];

export const settlementModule: ServerModuleFactory = (kernel) => {
  declareBook(kernel, doctorBook);
  declareFiles();
  return {
    domain: 'settlement',
    permissions: Object.values(settlementPermissions),
    routes: settlementRoutes,
    errors: settlementErrors,
    dictionaries: [...settlementDictionaries, runStates, ...settlementMachines.map(({ dictionary }) => dictionary)],
    events: [doctorBalanceChanged, batchFinished, perfChanged],
    ...joinFeatures(kernel, features),
    demoAfter: writeDemo,
    demoLast: writePeriods,
  };
};

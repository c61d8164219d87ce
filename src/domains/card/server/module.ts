import { billConfirmed, billSettled, cardExpiryNeared, cardGranted, cardHoldTimedOut, writeOffReversed } from '#events/card.ts';
import type { ServerModuleFactory } from '#kernel/server/module.ts';
import { joinFeatures, type FeatureModule } from '#kernel/server/featureModule.ts';
import { declareBook } from '#domains/ledger/server/index.ts';
import { bizLines, cardKinds, funders, fundingModes, lotKinds } from '../contract/dictionaries.ts';
import { cardDictionaries } from '../contract/cardDictionaries.ts';
import { billWindows } from '../contract/pageWindows.ts';
import { cardErrors } from '../contract/errors.ts';
import { cardMachinePermissions, cardPermissions } from '../contract/permissions.ts';
import { cardRoutes } from '../contract/routes.ts';
import { cardMachine } from '../contract/states.ts';
import { grantDictionaries, grantMachine } from '../contract/grantStates.ts';
import { issueDictionaries, issueMachines } from '../contract/typeDictionaries.ts';
import { usageRules } from '../contract/usageRules.ts';
import { useDictionaries } from '../contract/useDictionaries.ts';
import { useMachines } from '../contract/useStates.ts';
import { registerOpenCards } from './cards/blocker.ts';
import { cardsModule } from './cards/module.ts';
import { changesModule } from './changes/module.ts';
import { cardBook } from './chart.ts';
import { writeDemo } from './demo/writeDemo.ts';
import { expiryModule } from './expiry/module.ts';
import { declareFiles } from './files.ts';
import { findingsModule } from './findings/module.ts';
import { fundsModule } from './funds/module.ts';
import { settleModule } from './settle/module.ts';
import { grantsModule } from './grants/module.ts';
import { batchesModule } from './batches/module.ts';
import { typesModule } from './types/module.ts';
import { cardSets } from './pages/datasets.ts';
import { settlementPage } from './pages/settlement.ts';
import { cardUseModule } from './use/module.ts';

const features: readonly FeatureModule[] = [
  typesModule,
  batchesModule,
  cardsModule,
  changesModule,
  grantsModule,
  cardUseModule,
  expiryModule,
  settleModule,
  fundsModule,
  findingsModule,
];

export const cardModule: ServerModuleFactory = (kernel) => {
  declareBook(kernel, cardBook);
  declareFiles();
  registerOpenCards();
  return {
    domain: 'card',
    permissions: [...Object.values(cardPermissions), ...Object.values(cardMachinePermissions)],
    routes: cardRoutes,
    errors: cardErrors,
    dictionaries: [
      bizLines,
      cardKinds,
      funders,
      fundingModes,
      lotKinds,
      usageRules,
      cardMachine.dictionary,
      ...cardDictionaries,
      ...issueDictionaries,
      ...grantDictionaries,
      grantMachine.dictionary,
      ...issueMachines.map(({ dictionary }) => dictionary),
      ...useDictionaries,
      ...useMachines.map(({ dictionary }) => dictionary),
    ],
    events: [cardGranted, cardExpiryNeared, cardHoldTimedOut, writeOffReversed, billConfirmed, billSettled],
    ...joinFeatures(kernel, features),
    datasets: cardSets,
    builtinPages: [settlementPage],
    pageWindows: Object.values(billWindows),
    demoAfter: writeDemo,
  };
};

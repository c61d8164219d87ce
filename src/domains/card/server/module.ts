import { billConfirmed, billSettled, cardExpiryNeared, cardGranted, cardHoldTimedOut, writeOffReversed } from '../../../events/card.ts';
import type { ServerModuleFactory } from '../../../kernel/server/module.ts';
import { joinParts, type ModulePart } from '../../../kernel/server/modulePart.ts';
import { declareBook } from '../../ledger/server/index.ts';
import { bizLines, cardKinds, funders, fundingModes, lotKinds } from '../contract/dictionaries.ts';
import { cardDictionaries } from '../contract/cardDictionaries.ts';
import { cardErrors } from '../contract/errors.ts';
import { cardPermissions } from '../contract/permissions.ts';
import { cardRoutes } from '../contract/routes.ts';
import { cardMachine } from '../contract/states.ts';
import { grantDictionaries, grantMachine } from '../contract/grantStates.ts';
import { issueDictionaries, issueMachines } from '../contract/typeDictionaries.ts';
import { usageRules } from '../contract/usageRules.ts';
import { useDictionaries } from '../contract/useDictionaries.ts';
import { useMachines } from '../contract/useStates.ts';
import { cardsPart } from './cards/part.ts';
import { changesPart } from './changes/handlers.ts';
import { cardBook } from './chart.ts';
import { writeDemo } from './demo/writeDemo.ts';
import { expiryPart } from './expiry/part.ts';
import { declareFiles } from './files.ts';
import { findingsPart } from './findings/handlers.ts';
import { fundsPart } from './funds/handlers.ts';
import { settlePart } from './settle/part.ts';
import { grantsPart } from './grants/handlers.ts';
import { batchesPart } from './batches/handlers.ts';
import { typesPart } from './types/handlers.ts';
import { cardSets } from './pages/datasets.ts';
import { settlementPage } from './pages/settlement.ts';
import { usePart } from './use/part.ts';

const parts: readonly ModulePart[] = [
  typesPart,
  batchesPart,
  cardsPart,
  changesPart,
  grantsPart,
  usePart,
  expiryPart,
  settlePart,
  fundsPart,
  findingsPart,
];

export const cardModule: ServerModuleFactory = (kernel) => {
  declareBook(kernel, cardBook);
  declareFiles();
  return {
    domain: 'card',
    permissions: Object.values(cardPermissions),
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
    ...joinParts(kernel, parts),
    datasets: cardSets,
    builtinPages: [settlementPage],
    demoAfter: writeDemo,
  };
};

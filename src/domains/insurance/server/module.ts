import {
  controlRulePaused,
  controlRulePublished,
  controlRuleResumed,
  formularyVersionPublished,
  insurerChanged,
  medicineUsed,
  productStatusChanged,
  productVersionPublished,
  productVersionWithdrawn,
} from '../../../events/insurance.ts';
import { joinParts, type ModulePart } from '../../../kernel/server/modulePart.ts';
import type { ServerModuleFactory } from '../../../kernel/server/module.ts';
import { replayDictionaries } from '../contract/replays/states.ts';
import { statisticsDictionaries } from '../contract/statistics/calls.ts';
import { controlDictionaries } from '../contract/controls/dictionaries.ts';
import { businessLineDictionaries } from '../contract/businessLines.ts';
import { claimRuleDictionaries } from '../contract/claimRules/dictionaries.ts';
import { controlRuleVersionStates, documentDictionaries } from '../contract/documents/states.ts';
import { entitlementDictionaries } from '../contract/entitlements/dictionaries.ts';
import { insuranceErrors } from '../contract/errors.ts';
import { formularyDictionaries } from '../contract/formulary/dictionaries.ts';
import { insurerDictionaries } from '../contract/insurers/dictionaries.ts';
import { linkDictionaries } from '../contract/links/dictionaries.ts';
import { enrolDictionaries } from '../contract/model/enrolConfig.ts';
import { modelDictionaries } from '../contract/model/dictionaries.ts';
import {
  claimRulePermissions,
  controlPermissions,
  entitlementPermissions,
  productPermissions,
  replayPermissions,
  statPermissions,
  trialPermissions,
} from '../contract/permissions.ts';
import { controlRoutes } from '../contract/routes.ts';
import { productStates } from '../contract/products/states.ts';
import { testDictionaries } from '../contract/tests/dictionaries.ts';
import { replaysPart } from './replays/part.ts';
import { statisticsPart } from './statistics/part.ts';
import { entitlementsPart } from './entitlements/part.ts';
import { controlsPart } from './controls/part.ts';
import { claimRulesPart } from './claimRules/part.ts';
import { productsPart } from './products/part.ts';
import { testsPart } from './tests/part.ts';

/** In the order in which their demonstration rows build on one another. */
const parts: readonly ModulePart[] = [productsPart, claimRulesPart, testsPart, controlsPart, entitlementsPart, replaysPart, statisticsPart];

/** What is sold and how it pays. */
export const insuranceModule: ServerModuleFactory = (kernel) => ({
  domain: 'insurance',
  // Rights and pages are registered with the calls that ask for them.
  permissions: [
    ...Object.values(productPermissions),
    ...Object.values(claimRulePermissions),
    ...Object.values(trialPermissions),
    ...Object.values(controlPermissions),
    ...Object.values(entitlementPermissions),
    ...Object.values(replayPermissions),
    ...Object.values(statPermissions),
  ],
  routes: [...controlRoutes],
  errors: insuranceErrors,
  dictionaries: [
    ...businessLineDictionaries,
    ...insurerDictionaries,
    productStates.dictionary,
    ...documentDictionaries,
    ...modelDictionaries,
    ...enrolDictionaries,
    ...formularyDictionaries,
    ...claimRuleDictionaries,
    ...linkDictionaries,
    ...entitlementDictionaries,
    ...testDictionaries,
    ...controlDictionaries,
    ...replayDictionaries,
    ...statisticsDictionaries,
    controlRuleVersionStates.dictionary,
  ],
  events: [
    productVersionPublished,
    productVersionWithdrawn,
    productStatusChanged,
    formularyVersionPublished,
    medicineUsed,
    insurerChanged,
    controlRulePublished,
    controlRulePaused,
    controlRuleResumed,
  ],
  ...joinParts(kernel, parts),
});

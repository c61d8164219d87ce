import {
  formularyVersionPublished,
  insurerChanged,
  medicineUsed,
  productStatusChanged,
  productVersionPublished,
  productVersionWithdrawn,
} from '../../../events/insurance.ts';
import { joinParts, type ModulePart } from '../../../kernel/server/modulePart.ts';
import type { ServerModuleFactory } from '../../../kernel/server/module.ts';
import { businessLineDictionaries } from '../contract/businessLines.ts';
import { claimRuleDictionaries } from '../contract/claimRules/dictionaries.ts';
import { documentDictionaries } from '../contract/documents/states.ts';
import { entitlementDictionaries } from '../contract/entitlements/dictionaries.ts';
import { insuranceErrors } from '../contract/errors.ts';
import { formularyDictionaries } from '../contract/formulary/dictionaries.ts';
import { insurerDictionaries } from '../contract/insurers/dictionaries.ts';
import { linkDictionaries } from '../contract/links/dictionaries.ts';
import { enrolDictionaries } from '../contract/model/enrolConfig.ts';
import { modelDictionaries } from '../contract/model/dictionaries.ts';
import { claimRulePermissions, productPermissions, trialPermissions } from '../contract/permissions.ts';
import { productStates } from '../contract/products/states.ts';
import { testDictionaries } from '../contract/tests/dictionaries.ts';
import { claimRulesPart } from './claimRules/part.ts';
import { productsPart } from './products/part.ts';
import { testsPart } from './tests/part.ts';

/** In the order in which their demonstration rows build on one another. */
const parts: readonly ModulePart[] = [productsPart, claimRulesPart, testsPart];

/** What is sold and how it pays. */
export const insuranceModule: ServerModuleFactory = (kernel) => ({
  domain: 'insurance',
  // Rights and pages are registered with the calls that ask for them.
  permissions: [...Object.values(productPermissions), ...Object.values(claimRulePermissions), ...Object.values(trialPermissions)],
  routes: [],
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
  ],
  events: [productVersionPublished, productVersionWithdrawn, productStatusChanged, formularyVersionPublished, medicineUsed, insurerChanged],
  ...joinParts(kernel, parts),
});

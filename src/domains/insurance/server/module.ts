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
} from '#events/insurance.ts';
import { joinFeatures, type FeatureModule } from '#kernel/server/featureModule.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { ServerModuleFactory } from '#kernel/server/module.ts';
import { definePurpose, registerOwner } from '#domains/files/server/index.ts';
import { businessLineDictionaries } from '../contract/businessLines.ts';
import { claimRuleDictionaries } from '../contract/claimRules/dictionaries.ts';
import { controlDictionaries } from '../contract/controls/dictionaries.ts';
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
  formularyPermissions,
  insurerPermissions,
  productPermissions,
  reasonPermissions,
  replayPermissions,
  statPermissions,
  trialPermissions,
} from '../contract/permissions.ts';
import { replayDictionaries } from '../contract/replays/states.ts';
import { statisticsDictionaries } from '../contract/statistics/calls.ts';
import { claimRuleRoutes, controlRoutes, productRoutes, statisticsRoutes } from '../contract/routes.ts';
import { CLAUSE_FILE } from '../contract/purposes.ts';
import { productStates } from '../contract/products/states.ts';
import { testDictionaries } from '../contract/tests/dictionaries.ts';
import { versionSections } from '../contract/model/sections.ts';
import { waterfallSteps, adjudicationOutcomes } from '../contract/adjudication/result.ts';
import { claimRulesModule } from './claimRules/module.ts';
import { controlsModule } from './controls/module.ts';
import { entitlementsModule } from './entitlements/module.ts';
import { replaysModule } from './replays/module.ts';
import { statisticsModule } from './statistics/module.ts';
import { writeControlDemo } from './demo/control/write.ts';
import { writeDemo } from './demo/writeDemo.ts';
import { formularyModule } from './formulary/module.ts';
import { insurersModule } from './insurers/module.ts';
import { linksModule } from './links/module.ts';
import { productsModule } from './products/module.ts';
import { reasonsModule } from './reasons/module.ts';
import { testsModule } from './tests/module.ts';

const featuresOf = (kernel: Kernel): readonly FeatureModule[] => [
  insurersModule,
  formularyModule,
  productsModule(kernel),
  linksModule(kernel),
  claimRulesModule,
  testsModule,
  reasonsModule,
  controlsModule,
  entitlementsModule,
  replaysModule,
  statisticsModule,
  {
    async demo(ctx) {
      await writeDemo(ctx);
      await writeControlDemo(ctx);
    },
  },
];

/** What is sold and how it pays. */
export { insurerNames } from './services.ts';

export const insuranceModule: ServerModuleFactory = (kernel) => {
  definePurpose({
    code: CLAUSE_FILE,
    label: '产品条款',
    types: ['pdf'],
    maxSize: 20 * 1024 * 1024,
    count: 1,
    sensitive: false,
    uploadPermissions: [productPermissions['product.edit'].code],
  });
  const seesProducts = async ({ staff }: { staff: { permissions: ReadonlySet<string> } }) =>
    staff.permissions.has(productPermissions['product.view'].code);
  registerOwner('insurance.productVersion', { canRead: seesProducts, canReadOriginal: seesProducts });
  return {
    domain: 'insurance',
    // Rights and pages are registered with the calls that ask for them.
    permissions: [
      insurerPermissions,
      productPermissions,
      formularyPermissions,
      claimRulePermissions,
      trialPermissions,
      reasonPermissions,
      controlPermissions,
      entitlementPermissions,
      replayPermissions,
      statPermissions,
    ].flatMap((all) => Object.values(all)),
    routes: [...productRoutes, ...claimRuleRoutes, ...controlRoutes, ...statisticsRoutes],
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
      controlRuleVersionStates.dictionary,
      ...replayDictionaries,
      ...statisticsDictionaries,
      versionSections,
      waterfallSteps,
      adjudicationOutcomes,
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
    ...joinFeatures(kernel, featuresOf(kernel)),
  };
};

import {
  insuredAdded,
  insuredChanged,
  insuredRemoved,
  policyReinstated,
  policySuspended,
  policyTerminated,
  premiumOrderApproved,
  premiumOrderReversed,
} from '#events/policy.ts';
import type { ServerModuleFactory } from '#kernel/server/module.ts';
import { joinFeatures, type FeatureModule } from '#kernel/server/featureModule.ts';
import { fillInsuredCount } from '#domains/insurance/server/index.ts';
import { batchDictionaries } from '../contract/batchDictionaries.ts';
import { policyDictionaries } from '../contract/dictionaries.ts';
import { policyErrors } from '../contract/errors.ts';
import { premiumDictionaries } from '../contract/premiumStates.ts';
import { policyRoutes } from '../contract/routes.ts';
import { policyMachines } from '../contract/states.ts';
import { batchesModule } from './batches/module.ts';
import { abnormalDictionaries } from '../contract/abnormal/checks.ts';
import { findingMachine } from '../contract/abnormal/states.ts';
import { abnormalPermissions, listPermissions, policyPermissions, premiumPermissions, queryPermissions } from '../contract/permissions.ts';
import { abnormalModule } from './abnormal/module.ts';
import { writeDemo } from './demo/writeDemo.ts';
import { writeDemoViews } from './demo/views.ts';
import { endorsementsModule } from './endorsements/module.ts';
import { countInsured } from './cover/insured.ts';
import { declareFiles } from './files.ts';
import { personsModule } from './persons/module.ts';
import { policiesModule } from './policies/module.ts';
import { premiumModule } from './premium/module.ts';
import { queryDictionaries } from '../contract/query.ts';
import { queryModule } from './query/module.ts';
import { useConsumers } from './uses/consumers.ts';
import { templatesModule } from './templates/module.ts';
import { desk as premiumDesk } from './premium/desk.ts';

const features: readonly FeatureModule[] = [
  policiesModule,
  endorsementsModule,
  personsModule,
  templatesModule,
  batchesModule,
  premiumModule,
  abnormalModule,
  queryModule,
  {
    consumers: useConsumers,
    async demo(ctx) {
      await writeDemo(ctx);
      await writeDemoViews(ctx);
    },
  },
];

/** Premium orders that somebody has under review. */
export const openPremiumOrders = premiumDesk.openWork;

/** Who is covered, by which policy, from when to when, and what premium is due. */
export const policyModule: ServerModuleFactory = (kernel) => {
  declareFiles();
  fillInsuredCount(countInsured);
  return {
    domain: 'policy',
    permissions: [policyPermissions, listPermissions, premiumPermissions, abnormalPermissions, queryPermissions].flatMap((all) =>
      Object.values(all),
    ),
    routes: policyRoutes,
    errors: policyErrors,
    dictionaries: [
      ...policyDictionaries,
      ...batchDictionaries,
      ...premiumDictionaries,
      ...abnormalDictionaries,
      ...queryDictionaries,
      findingMachine.dictionary,
      ...policyMachines.map(({ dictionary }) => dictionary),
    ],
    events: [
      insuredAdded,
      insuredChanged,
      insuredRemoved,
      policyReinstated,
      policySuspended,
      policyTerminated,
      premiumOrderApproved,
      premiumOrderReversed,
    ],
    ...joinFeatures(kernel, features),
  };
};

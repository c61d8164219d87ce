import {
  insuredAdded,
  insuredChanged,
  insuredRemoved,
  policyReinstated,
  policySuspended,
  policyTerminated,
  premiumOrderApproved,
  premiumOrderReversed,
} from '../../../events/policy.ts';
import type { ServerModuleFactory } from '../../../kernel/server/module.ts';
import { joinParts, type ModulePart } from '../../../kernel/server/modulePart.ts';
import { batchDictionaries } from '../contract/batchDictionaries.ts';
import { policyDictionaries } from '../contract/dictionaries.ts';
import { policyErrors } from '../contract/errors.ts';
import { premiumDictionaries } from '../contract/premiumStates.ts';
import { policyRoutes } from '../contract/routes.ts';
import { policyMachines } from '../contract/states.ts';
import { batchesPart } from './batches/part.ts';
import { abnormalDictionaries } from '../contract/abnormal/checks.ts';
import { findingMachine } from '../contract/abnormal/states.ts';
import { abnormalPermissions, listPermissions, policyPermissions, premiumPermissions, queryPermissions } from '../contract/permissions.ts';
import { abnormalPart } from './abnormal/handlers.ts';
import { writeDemo } from './demo/writeDemo.ts';
import { writeDemoViews } from './demo/views.ts';
import { endorsementsPart } from './endorsements/handlers.ts';
import { declareFiles } from './files.ts';
import { personsPart } from './persons/part.ts';
import { policiesPart } from './policies/part.ts';
import { premiumPart } from './premium/part.ts';
import { queryDictionaries } from '../contract/query.ts';
import { queryPart } from './query/part.ts';
import { useConsumers } from './uses/consumers.ts';

const parts: readonly ModulePart[] = [
  policiesPart,
  endorsementsPart,
  personsPart,
  batchesPart,
  premiumPart,
  abnormalPart,
  queryPart,
  { handlers: [], consumers: useConsumers },
];

/** Who is covered, by which policy, from when to when, and what premium is due. */
export const policyModule: ServerModuleFactory = (kernel) => {
  declareFiles();
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
    ...joinParts(kernel, parts),
    demo: async (demo) => {
      await writeDemo(demo);
      await writeDemoViews(demo);
    },
  };
};

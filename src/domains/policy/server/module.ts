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
import { abnormalDictionaries } from '../contract/abnormal/checks.ts';
import { findingMachine } from '../contract/abnormal/states.ts';
import { policyDictionaries } from '../contract/dictionaries.ts';
import { policyErrors } from '../contract/errors.ts';
import { abnormalPermissions, policyPermissions, premiumPermissions } from '../contract/permissions.ts';
import { premiumDictionaries } from '../contract/premiumStates.ts';
import { policyRoutes } from '../contract/routes.ts';
import { policyMachines } from '../contract/states.ts';
import { abnormalPart } from './abnormal/handlers.ts';
import { writeDemo } from './demo/writeDemo.ts';
import { endorsementsPart } from './endorsements/handlers.ts';
import { declareFiles } from './files.ts';
import { personsPart } from './persons/part.ts';
import { policiesPart } from './policies/part.ts';
import { premiumPart } from './premium/part.ts';
import { useConsumers } from './uses/consumers.ts';

const parts: readonly ModulePart[] = [
  policiesPart,
  endorsementsPart,
  personsPart,
  premiumPart,
  abnormalPart,
  { handlers: [], consumers: useConsumers },
];

/** Who is covered, by which policy, from when to when, and what premium is due. */
export const policyModule: ServerModuleFactory = (kernel) => {
  declareFiles();
  return {
    domain: 'policy',
    permissions: [...Object.values(policyPermissions), ...Object.values(premiumPermissions), ...Object.values(abnormalPermissions)],
    routes: policyRoutes,
    errors: policyErrors,
    dictionaries: [
      ...policyDictionaries,
      ...premiumDictionaries,
      ...abnormalDictionaries,
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
    demo: writeDemo,
  };
};

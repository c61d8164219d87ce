import type { ServerModuleFactory } from '#kernel/server/module.ts';
import { joinFeatures, type FeatureModule } from '#kernel/server/featureModule.ts';
import {
  contractActivated,
  contractAmended,
  contractCancelled,
  contractExpired,
  contractPaySucceeded,
  contractRefundSucceeded,
  contractResumed,
  contractSigned,
  contractSuspended,
  contractTerminated,
  rightsChanged,
} from '#events/enrolment.ts';
import { contractDictionaries } from '../contract/contractDictionaries.ts';
import { contractMachines } from '../contract/contractStates.ts';
import { enrolmentErrors } from '../contract/errors.ts';
import { applyPermissions, contractPermissions, payPermissions } from '../contract/permissions.ts';
import { enrolmentRoutes } from '../contract/routes.ts';

import { declareContractFiles } from './contracts/files.ts';
import { contractsModule } from './contracts/module.ts';

const features: readonly FeatureModule[] = [contractsModule];

export const enrolmentModule: ServerModuleFactory = (kernel) => {
  declareContractFiles();
  return {
    domain: 'enrolment',
    permissions: Object.values({
      'apply.reveal': applyPermissions['apply.reveal'],
      ...contractPermissions,
      ...payPermissions,
    }),
    routes: enrolmentRoutes,
    errors: enrolmentErrors,
    dictionaries: [...contractDictionaries, ...contractMachines.map(({ dictionary }) => dictionary)],
    events: [
      contractActivated,
      contractAmended,
      contractCancelled,
      contractExpired,
      contractPaySucceeded,
      contractRefundSucceeded,
      contractResumed,
      contractSigned,
      contractSuspended,
      contractTerminated,
      rightsChanged,
    ],
    ...joinFeatures(kernel, features),
  };
};

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
  specialUserChanged,
} from '#events/enrolment.ts';
import type { ServerModuleFactory } from '#kernel/server/module.ts';
import { joinFeatures, type FeatureModule } from '#kernel/server/featureModule.ts';
import { contractDictionaries } from '../contract/contractDictionaries.ts';
import { contractMachines } from '../contract/contractStates.ts';
import { enrolmentErrors } from '../contract/errors.ts';
import { markMachine, markTypes } from '../contract/markStates.ts';
import { applyPermissions, contractPermissions, markPermissions, payPermissions } from '../contract/permissions.ts';
import { enrolmentRoutes } from '../contract/routes.ts';
import { declareContractFiles } from './contracts/files.ts';
import { contractsModule } from './contracts/module.ts';
import { writeContractDemo } from './demo/contracts.ts';
import { declareMarkFiles } from './marks/files.ts';
import { marksModule } from './marks/module.ts';

const features: readonly FeatureModule[] = [marksModule, contractsModule];

export const enrolmentModule: ServerModuleFactory = (kernel) => {
  declareMarkFiles();
  declareContractFiles();
  return {
    domain: 'enrolment',
    permissions: Object.values({
      ...markPermissions,
      'apply.reveal': applyPermissions['apply.reveal'],
      ...contractPermissions,
      ...payPermissions,
    }),
    routes: enrolmentRoutes,
    errors: enrolmentErrors,
    dictionaries: [markTypes, markMachine.dictionary, ...contractDictionaries, ...contractMachines.map(({ dictionary }) => dictionary)],
    events: [
      specialUserChanged,
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
    demoAfter: writeContractDemo,
  };
};

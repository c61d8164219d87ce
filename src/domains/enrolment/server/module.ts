import { specialUserChanged } from '#events/enrolment.ts';
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
import { markMachine, markTypes } from '../contract/markStates.ts';
import { applyPermissions, markPermissions } from '../contract/permissions.ts';
import { enrolmentRoutes } from '../contract/routes.ts';
import { declareMarkFiles } from './marks/files.ts';
import { marksModule } from './marks/module.ts';

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
const features: readonly FeatureModule[] = [
  marksModule,
];

export const enrolmentModule: ServerModuleFactory = (kernel) => {
  declareMarkFiles();
  return {
    domain: 'enrolment',
    permissions: Object.values({
      ...markPermissions,
      'apply.reveal': applyPermissions['apply.reveal'],
    }),
    routes: enrolmentRoutes,
    errors: enrolmentErrors,
    dictionaries: [
      markTypes,
      markMachine.dictionary,
    ],
    events: [
      specialUserChanged,
    ],
    ...joinFeatures(kernel, features),
  };
};

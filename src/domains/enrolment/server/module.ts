import {
  applyApproved,
  applyClosed,
  applyRejected,
  applySubmitted,
  applySupplementRequested,
  applyWithdrawn,
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
  otherMaterialApproved,
  rightsChanged,
  specialUserChanged,
} from '#events/enrolment.ts';
import type { ServerModuleFactory } from '#kernel/server/module.ts';
import { joinFeatures, type FeatureModule } from '#kernel/server/featureModule.ts';
import { applyDictionaries } from '../contract/applyDictionaries.ts';
import { applyMachine } from '../contract/applyMachine.ts';
import { contractDictionaries } from '../contract/contractDictionaries.ts';
import { contractMachines } from '../contract/contractStates.ts';
import { enrolmentErrors } from '../contract/errors.ts';
import { markMachine, markTypes } from '../contract/markStates.ts';
import { otherMaterialDictionaries } from '../contract/materialStates.ts';
import {
  applyMachinePermissions,
  applyPermissions,
  contractPermissions,
  markPermissions,
  materialPermissions,
  payPermissions,
} from '../contract/permissions.ts';
import { enrolmentRoutes } from '../contract/routes.ts';
import { appliesModule } from './applies/module.ts';
import { desk as applyDesk } from './applies/records.ts';
import { declareContractFiles } from './contracts/files.ts';
import { contractsModule } from './contracts/module.ts';
import { writeDemo } from './demo/writeDemo.ts';
import { declareMarkFiles } from './marks/files.ts';
import { marksModule } from './marks/module.ts';
import { declareOtherMaterialFiles } from './materials/files.ts';
import { materialsModule } from './materials/module.ts';
import { materialDesk } from './materials/records.ts';

const features: readonly FeatureModule[] = [marksModule, appliesModule, contractsModule, materialsModule];

/** Applications, and other materials, that somebody leaves undone. */
export const openEnrolApplies = applyDesk.openWork;
export const openOtherMaterials = materialDesk.openWork;

export const enrolmentModule: ServerModuleFactory = (kernel) => {
  declareMarkFiles();
  declareContractFiles();
  declareOtherMaterialFiles();
  return {
    domain: 'enrolment',
    permissions: Object.values({
      ...markPermissions,
      ...materialPermissions,
      ...applyPermissions,
      ...applyMachinePermissions,
      ...contractPermissions,
      ...payPermissions,
    }),
    routes: enrolmentRoutes,
    errors: enrolmentErrors,
    dictionaries: [
      markTypes,
      markMachine.dictionary,
      ...applyDictionaries,
      applyMachine.dictionary,
      ...contractDictionaries,
      ...contractMachines.map(({ dictionary }) => dictionary),
      ...otherMaterialDictionaries,
    ],
    events: [
      specialUserChanged,
      applySubmitted,
      applyApproved,
      applyRejected,
      applySupplementRequested,
      applyClosed,
      applyWithdrawn,
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
      otherMaterialApproved,
    ],
    ...joinFeatures(kernel, features),
    demoAfter: writeDemo,
  };
};

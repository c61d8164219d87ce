import { specialUserChanged } from '#events/enrolment.ts';
import type { ServerModuleFactory } from '#kernel/server/module.ts';
import { joinFeatures, type FeatureModule } from '#kernel/server/featureModule.ts';
import { enrolmentErrors } from '../contract/errors.ts';
import { markMachine, markTypes } from '../contract/markStates.ts';
import { applyPermissions, markPermissions } from '../contract/permissions.ts';
import { enrolmentRoutes } from '../contract/routes.ts';
import { declareMarkFiles } from './marks/files.ts';
import { marksModule } from './marks/module.ts';

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

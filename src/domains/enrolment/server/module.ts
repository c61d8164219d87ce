import type { ServerModuleFactory } from '#kernel/server/module.ts';
import { joinFeatures, type FeatureModule } from '#kernel/server/featureModule.ts';
import { enrolmentErrors } from '../contract/errors.ts';
import { enrolmentRoutes } from '../contract/routes.ts';

const features: readonly FeatureModule[] = [];

export const enrolmentModule: ServerModuleFactory = (kernel) => ({
  domain: 'enrolment',
  permissions: [],
  routes: enrolmentRoutes,
  errors: enrolmentErrors,
  dictionaries: [],
  events: [],
  ...joinFeatures(kernel, features),
});

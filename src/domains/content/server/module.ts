import { deliveryChanged, markBound, markChanged, markUnbound, pageReleased, promotionTagChanged } from '#events/content.ts';
import { joinFeatures, type FeatureModule } from '#kernel/server/featureModule.ts';
import type { ServerModuleFactory } from '#kernel/server/module.ts';
import { floorDictionaries } from '../contract/floors/dictionaries.ts';
import { floorErrors } from '../contract/floors/errors.ts';
import { floorPermissions } from '../contract/floors/permissions.ts';
import { floorRoutes } from '../contract/floors/routes.ts';
import { markDictionaries } from '../contract/marks/dictionaries.ts';
import { markErrors } from '../contract/marks/errors.ts';
import { markPermissions } from '../contract/marks/permissions.ts';
import { markRoutes } from '../contract/marks/routes.ts';
import { markStates, tagGroupStates } from '../contract/marks/states.ts';
import { promotionDictionaries } from '../contract/promotion/dictionaries.ts';
import { promotionErrors } from '../contract/promotion/errors.ts';
import { ruleDictionaries } from '../contract/rules/dictionaries.ts';
import { ruleErrors } from '../contract/rules/errors.ts';
import { rulePermissions } from '../contract/rules/permissions.ts';
import { ruleStates } from '../contract/rules/states.ts';
import { releaseErrors } from '../contract/releases/errors.ts';
import { releaseStates } from '../contract/releases/states.ts';
import { adDictionaries } from '../contract/adverts/dictionaries.ts';
import { advertErrors } from '../contract/adverts/errors.ts';
import { advertRoutes } from '../contract/adverts/routes.ts';
import { deliveryDictionaries } from '../contract/delivery/dictionaries.ts';
import { deliveryErrors } from '../contract/delivery/errors.ts';
import { advertPermissions, contentMachinePermissions, deliveryPermissions } from '../contract/delivery/permissions.ts';
import { positionCodes, positionKinds } from '../contract/delivery/positions.ts';
import { advertMachine, bannerMachine } from '../contract/delivery/states.ts';
import { deliveryModule } from './delivery/module.ts';
import { floorsModule } from './floors/module.ts';
import { marksModule } from './marks/module.ts';
import { promotionModule } from './promotion/module.ts';
import { rulesModule } from './rules/module.ts';
import { nightlyJob } from './nightly.ts';

/** In the order in which their demonstration rows build on one another. */
const features: readonly FeatureModule[] = [marksModule, promotionModule, rulesModule, floorsModule, deliveryModule()];

/** What the clients' pages show, and the marks by which people and things are sorted. */
export const contentModule: ServerModuleFactory = (kernel) => ({
  domain: 'content',
  permissions: [
    ...Object.values(contentMachinePermissions),
    ...Object.values(markPermissions),
    ...Object.values(rulePermissions),
    ...Object.values(floorPermissions),
    ...Object.values(deliveryPermissions),
    ...Object.values(advertPermissions),
  ],
  routes: [...floorRoutes, ...markRoutes, ...advertRoutes],
  errors: { ...floorErrors, ...releaseErrors, ...markErrors, ...promotionErrors, ...ruleErrors, ...deliveryErrors, ...advertErrors },
  dictionaries: [
    ...markDictionaries,
    ...promotionDictionaries,
    ...ruleDictionaries,
    ruleStates.dictionary,
    tagGroupStates.dictionary,
    markStates.dictionary,
    ...floorDictionaries,
    releaseStates.dictionary,
    ...deliveryDictionaries,
    positionKinds,
    positionCodes,
    bannerMachine.dictionary,
    advertMachine.dictionary,
    ...adDictionaries,
  ],
  events: [deliveryChanged, markChanged, markBound, markUnbound, pageReleased, promotionTagChanged],
  ...joinFeatures(kernel, [...features, { jobs: [nightlyJob(features)] }]),
  // Demonstration rows name those of all other domains.
  demo: async () => {},
  demoAfter: async (ctx) => {
    for (const feature of features) await feature.demo?.(ctx);
  },
});

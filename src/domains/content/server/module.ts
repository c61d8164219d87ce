import { markBound, markChanged, markUnbound, promotionTagChanged } from '../../../events/content.ts';
import { joinParts, type ModulePart } from '../../../kernel/server/modulePart.ts';
import type { ServerModuleFactory } from '../../../kernel/server/module.ts';
import { markDictionaries } from '../contract/marks/dictionaries.ts';
import { markErrors } from '../contract/marks/errors.ts';
import { markPermissions } from '../contract/marks/permissions.ts';
import { markRoutes } from '../contract/marks/routes.ts';
import { markStates, tagGroupStates } from '../contract/marks/states.ts';
import { promotionDictionaries } from '../contract/promotion/dictionaries.ts';
import { promotionErrors } from '../contract/promotion/errors.ts';
import { marksPart } from './marks/part.ts';
import { promotionPart } from './promotion/part.ts';
import { nightlyJob } from './nightly.ts';

/** In the order in which their demonstration rows build on one another. */
const parts: readonly ModulePart[] = [marksPart, promotionPart];

/** The marks by which people and things are sorted. */
export const contentModule: ServerModuleFactory = (kernel) => ({
  domain: 'content',
  permissions: Object.values(markPermissions),
  routes: markRoutes,
  errors: { ...markErrors, ...promotionErrors },
  dictionaries: [...markDictionaries, ...promotionDictionaries, tagGroupStates.dictionary, markStates.dictionary],
  events: [markChanged, markBound, markUnbound, promotionTagChanged],
  ...joinParts(kernel, [...parts, { jobs: [nightlyJob(parts)] }]),
  // Demonstration rows name those of all other domains.
  demo: async () => {},
  demoAfter: async (ctx) => {
    for (const part of parts) await part.demo?.(ctx);
  },
});

import { markBound, markChanged, markUnbound, pageReleased } from '../../../events/content.ts';
import { joinParts, type ModulePart } from '../../../kernel/server/modulePart.ts';
import type { ServerModuleFactory } from '../../../kernel/server/module.ts';
import { floorDictionaries } from '../contract/floors/dictionaries.ts';
import { floorErrors } from '../contract/floors/errors.ts';
import { floorPermissions } from '../contract/floors/permissions.ts';
import { floorRoutes } from '../contract/floors/routes.ts';
import { markDictionaries } from '../contract/marks/dictionaries.ts';
import { markErrors } from '../contract/marks/errors.ts';
import { markPermissions } from '../contract/marks/permissions.ts';
import { markRoutes } from '../contract/marks/routes.ts';
import { markStates, tagGroupStates } from '../contract/marks/states.ts';
import { releaseErrors } from '../contract/releases/errors.ts';
import { releaseStates } from '../contract/releases/states.ts';
import { floorsPart } from './floors/part.ts';
import { marksPart } from './marks/part.ts';
import { nightlyJob } from './nightly.ts';

/** In the order in which their demonstration rows build on one another. */
const parts: readonly ModulePart[] = [marksPart, floorsPart];

/** What the clients' pages show, and the marks by which people and things are sorted. */
export const contentModule: ServerModuleFactory = (kernel) => ({
  domain: 'content',
  permissions: [...Object.values(markPermissions), ...Object.values(floorPermissions)],
  routes: [...floorRoutes, ...markRoutes],
  errors: { ...floorErrors, ...releaseErrors, ...markErrors },
  dictionaries: [...markDictionaries, tagGroupStates.dictionary, markStates.dictionary, ...floorDictionaries, releaseStates.dictionary],
  events: [markChanged, markBound, markUnbound, pageReleased],
  ...joinParts(kernel, [...parts, { jobs: [nightlyJob(parts)] }]),
  // Demonstration rows name those of all other domains.
  demo: async () => {},
  demoAfter: async (ctx) => {
    for (const part of parts) await part.demo?.(ctx);
  },
});

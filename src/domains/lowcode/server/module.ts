import { joinFeatures } from '#kernel/server/featureModule.ts';
import type { ServerModuleFactory } from '#kernel/server/module.ts';
import { lowcodeEvents } from '#events/lowcode.ts';
import { lowcodeDictionaries } from '../contract/dictionaries.ts';
import { lowcodeErrors } from '../contract/errors.ts';
import { lowcodePermissions } from '../contract/permissions.ts';
import { lowcodeRoutes } from '../contract/routes.ts';
import { pageMachine } from '../contract/states.ts';
import { dataModule } from './data/module.ts';
import { writeDemo } from './demo/writeDemo.ts';
import { nightlyJob } from './nightly.ts';
import { recheck } from './pages/health.ts';
import { pagesModule } from './pages/module.ts';

/** Pages that are data: what they may name is declared by the domains, what they may do is what their user may do anyway. */
export const lowcodeModule: ServerModuleFactory = (kernel) => ({
  domain: 'lowcode',
  permissions: Object.values(lowcodePermissions),
  routes: lowcodeRoutes,
  errors: lowcodeErrors,
  dictionaries: [...lowcodeDictionaries, pageMachine.dictionary],
  events: lowcodeEvents,
  ...joinFeatures(kernel, [pagesModule(kernel), dataModule, { jobs: [nightlyJob], demo: writeDemo }]),
  // What runs now may be another thing than what was published against.
  started: async () => void (await kernel.transactions.run('lowcode.recheck', ({ tx }) => recheck(kernel, tx, kernel.clock.now()))),
});

import type { ServerModuleFactory } from '../../../kernel/server/module.ts';
import { lowcodeEvents } from '../../../events/lowcode.ts';
import { lowcodeDictionaries } from '../contract/dictionaries.ts';
import { lowcodeErrors } from '../contract/errors.ts';
import { lowcodePermissions } from '../contract/permissions.ts';
import { lowcodeRoutes } from '../contract/routes.ts';
import { pageMachine } from '../contract/states.ts';
import { writeDemo } from './demo/writeDemo.ts';
import { dataHandlers } from './data/handlers.ts';
import { nightlyJob } from './nightly.ts';
import { catalogueHandlers } from './pages/catalogue.ts';
import { editHandlers } from './pages/edit.ts';
import { healthHandlers, recheck } from './pages/health.ts';
import { pageExport, pageList } from './pages/list.ts';
import { publishHandlers } from './pages/publish.ts';
import { readHandlers } from './pages/read.ts';
import { releaseReference } from './pages/release.ts';
import { stateHandlers } from './pages/state.ts';
import { exportHandler } from '../../../kernel/server/exporting/exportHandler.ts';

/** Pages that are data: what they may name is declared by the domains, what they may do is what their user may do anyway. */
export const lowcodeModule: ServerModuleFactory = (kernel) => {
  const list = pageList(kernel);
  const exported = pageExport(list);
  return {
    domain: 'lowcode',
    permissions: Object.values(lowcodePermissions),
    routes: lowcodeRoutes,
    errors: lowcodeErrors,
    dictionaries: [...lowcodeDictionaries, pageMachine.dictionary],
    events: lowcodeEvents,
    handlers: [
      ...readHandlers(kernel, list),
      exportHandler(exported, kernel),
      ...editHandlers(kernel),
      ...publishHandlers(kernel),
      ...stateHandlers(kernel),
      ...healthHandlers(kernel),
      ...catalogueHandlers(kernel),
      ...dataHandlers(kernel),
    ],
    exports: [exported],
    reference: [releaseReference(kernel)],
    jobs: [nightlyJob],
    demo: writeDemo,
    // What runs now may be another thing than what was published against.
    started: async () => void (await kernel.transactions.run('lowcode.recheck', ({ tx }) => recheck(kernel, tx, kernel.clock.now()))),
  };
};

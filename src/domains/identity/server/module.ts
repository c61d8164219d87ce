import { joinFeatures } from '#kernel/server/featureModule.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { userBrief } from './users/brief.ts';
import type { ServerModule } from '#kernel/server/module.ts';
import { identityEvents } from '#events/identity.ts';
import { identityDictionaries } from '../contract/dictionaries.ts';
import { identityErrors } from '../contract/errors.ts';
import { identityPermissions } from '../contract/permissions.ts';
import { identityRoutes } from '../contract/routes.ts';
import { identityStateDictionaries } from '../contract/states.ts';
import { apiClientsModule } from './apiClients/module.ts';
import { signedCallVerifier } from './apiClients/verifier.ts';
import { identityCore } from './core.ts';
import type { IdentityHooks } from './hooks.ts';
import { writeDemo } from './demo/writeDemo.ts';
import { createFirstAdministrator } from './firstRun.ts';
import { logModule } from './log/module.ts';
import { operationLogWriter } from './log/writer.ts';
import { loginModule } from './login/module.ts';
import { menusModule } from './menus/module.ts';
import { noticesModule } from './notices/module.ts';
import { noticesPort } from './notices/port.ts';
import { policyHandlers } from './policyHandlers.ts';
import { identityFirstSteps } from './system/firstSteps.ts';
import { catalogueReference } from './reference/catalogue.ts';
import { icd10Reference } from './reference/icd10.ts';
import { policyReference } from './reference/policy.ts';
import { regionReference } from './reference/regions.ts';
import { workCalendarReference } from './reference/workCalendar.ts';
import { rolesModule } from './roles/module.ts';
import { keptSessions } from './session/kept.ts';
import { sessionModule } from './session/module.ts';
import { sessionReader } from './session/reader.ts';
import { sweepJob } from './sweep.ts';
import { failureNotices } from './system/failureNotices.ts';
import { systemModule } from './system/module.ts';
import { usersModule } from './users/module.ts';

/** Who may enter, as what, over which data, and the proof of what they did. */
export function identityModule(kernel: Kernel, hooks: IdentityHooks = {}): ServerModule {
  const core = identityCore(kernel, hooks);
  return {
    domain: 'identity',
    permissions: Object.values(identityPermissions),
    routes: identityRoutes,
    errors: identityErrors,
    dictionaries: [...identityDictionaries, ...identityStateDictionaries],
    events: identityEvents,
    ...joinFeatures(kernel, [
      loginModule(core),
      usersModule(core),
      sessionModule(core),
      rolesModule(core),
      logModule(core),
      menusModule(core),
      apiClientsModule(core),
      noticesModule(core),
      systemModule(core),
      {
        handlers: policyHandlers,
        jobs: [sweepJob(core.ends)],
        reference: [policyReference, regionReference, workCalendarReference, icd10Reference, catalogueReference(kernel)],
        demo: writeDemo,
      },
    ]),
    firstSteps: identityFirstSteps,
    async started() {
      if (kernel.config.mode === 'production') await createFirstAdministrator(kernel);
    },
    ports: {
      sessions: sessionReader(core.sets, core.ends, keptSessions(kernel.rowChanges)),
      signedCalls: signedCallVerifier(kernel),
      operationLog: operationLogWriter(kernel.secrets),
      notices: noticesPort(kernel),
      failureNotices: failureNotices(kernel),
      people: {
        names: async (db, userIds) => new Map((await userBrief(db, userIds)).map(({ userId, displayName }) => [userId, displayName])),
      },
    },
  };
}

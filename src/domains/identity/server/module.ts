import type { Kernel } from '../../../kernel/server/kernel.ts';
import { userBrief } from './users/brief.ts';
import type { ServerModule } from '../../../kernel/server/module.ts';
import { identityEvents } from '../../../events/identity.ts';
import { identityDictionaries } from '../contract/dictionaries.ts';
import { identityErrors } from '../contract/errors.ts';
import { identityPermissions } from '../contract/permissions.ts';
import { identityRoutes } from '../contract/routes.ts';
import { identityStateDictionaries } from '../contract/states.ts';
import { apiClientHandlers } from './apiClients/handlers.ts';
import { signedCallVerifier } from './apiClients/verifier.ts';
import { identityCore } from './core.ts';
import type { IdentityHooks } from './hooks.ts';
import { writeDemo } from './demo/writeDemo.ts';
import { createFirstAdministrator } from './firstRun.ts';
import { anchorJob } from './log/anchor.ts';
import { logHandlers } from './log/handlers.ts';
import { logExport } from './log/list.ts';
import { loginLogHandlers } from './log/loginLogHandlers.ts';
import { sealJob } from './log/seal.ts';
import { verifyJob } from './log/verify.ts';
import { operationLogWriter } from './log/writer.ts';
import { loginHandlers } from './login/handlers.ts';
import { sendSmsJob } from './login/smsPort.ts';
import { menuHandlers } from './menus/handlers.ts';
import { announcementHandlers } from './notices/announcements.ts';
import { myNoticeHandlers } from './notices/mine.ts';
import { noticesPort } from './notices/port.ts';
import { policyHandlers } from './policyHandlers.ts';
import { identityFirstSteps } from './system/firstSteps.ts';
import { catalogueReference } from './reference/catalogue.ts';
import { icd10Reference } from './reference/icd10.ts';
import { policyReference } from './reference/policy.ts';
import { regionReference } from './reference/regions.ts';
import { workCalendarReference } from './reference/workCalendar.ts';
import { assignmentHandlers } from './roles/assign.ts';
import { roleHandlers } from './roles/handlers.ts';
import { sessionHandlers } from './session/handlers.ts';
import { sessionReader } from './session/reader.ts';
import { sweepJob } from './sweep.ts';
import { systemHandlers } from './system/handlers.ts';
import { userExport } from './users/list.ts';
import { userHandlers } from './users/handlers.ts';
import { userImporter } from './users/importUsers.ts';

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
    handlers: [
      ...loginHandlers(core),
      ...userHandlers(core),
      ...sessionHandlers(core),
      ...roleHandlers(core),
      ...assignmentHandlers(core),
      ...logHandlers(core),
      ...loginLogHandlers(),
      ...menuHandlers(core),
      ...policyHandlers,
      ...apiClientHandlers(core),
      ...announcementHandlers(core),
      ...myNoticeHandlers,
      ...systemHandlers(core),
    ],
    exports: [userExport(core), logExport],
    importers: [userImporter(core)],
    jobs: [sendSmsJob, sealJob, anchorJob, verifyJob, sweepJob(core.ends)],
    firstSteps: identityFirstSteps,
    reference: [policyReference, regionReference, workCalendarReference, icd10Reference, catalogueReference(kernel)],
    demo: writeDemo,
    async started() {
      if (kernel.config.mode === 'production') await createFirstAdministrator(kernel);
    },
    ports: {
      sessions: sessionReader(core.sets, core.ends),
      signedCalls: signedCallVerifier(kernel),
      operationLog: operationLogWriter(kernel.secrets),
      notices: noticesPort(kernel),
      people: {
        names: async (db, userIds) => new Map((await userBrief(db, userIds)).map(({ userId, displayName }) => [userId, displayName])),
      },
    },
  };
}

import { send } from '#kernel/web/http/client.ts';
import type { Preferences, SessionGateway } from '#kernel/web/session/gateway.ts';
import { modifyCancelUserInfo, queryLoginInfo, switchUserRole } from '../../contract/calls/login.ts';
import { modifyUserPreference, queryUserPreference } from '../../contract/calls/preferences.ts';
import { queryAdministrativeDivision } from '../../contract/calls/divisions.ts';

const session: SessionGateway = {
  queryLoginInfo: () => send(queryLoginInfo, {}),
  cancelUser: async (signal) => {
    // A dead token or a server that is down must not hold up the logout.
    await send(modifyCancelUserInfo, {}, { quiet: true, signal }).catch(() => undefined);
  },
  switchRole: (roleMenuId) => send(switchUserRole, { roleMenuId }),
  // The shell says why the regions are missing, in the specification's words.
  queryDivisions: async () => (await send(queryAdministrativeDivision, {}, { quiet: true })).cityList,
};

const preferences: Preferences = {
  read: async (key) => (await send(queryUserPreference, { key }, { quiet: true })).value,
  write: async (key, value) => {
    await send(modifyUserPreference, { key, value });
  },
};

/** What the kernel's session and preferences need of identity's calls; the composition root hands it in. */
export const identityPorts = { session, preferences };

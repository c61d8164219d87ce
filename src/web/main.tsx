import { modifyCancelUserInfo, queryLoginInfo, switchUserRole } from '../domains/identity/contract/calls/login.ts';
import { modifyUserPreference, queryAdministrativeDivision, queryUserPreference } from '../domains/identity/contract/calls/system.ts';
import { send } from '../kernel/web/http/client.ts';
import type { WebModule } from '../kernel/web/module.ts';
import { startWeb } from '../kernel/web/start.tsx';

/** The browser's composition root: domains in the order of map.md's table. */
const modules: readonly WebModule[] = [];

startWeb({
  modules,
  session: {
    queryLoginInfo: () => send(queryLoginInfo, {}),
    // A dead token or a server that does not answer must not hold up the logout.
    cancelUser: async () => void (await send(modifyCancelUserInfo, {}, { quiet: true })),
    switchRole: (roleMenuId) => send(switchUserRole, { roleMenuId }),
    queryDivisions: async () => (await send(queryAdministrativeDivision, {}, { quiet: true })).cityList,
  },
  preferences: {
    read: async (key) => (await send(queryUserPreference, { key }, { quiet: true })).value,
    write: async (key, value) => void (await send(modifyUserPreference, { key, value })),
  },
});

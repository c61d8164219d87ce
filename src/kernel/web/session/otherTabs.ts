import { closeChannel } from '../realtime/socket.ts';
import { goTo } from '../router/navigate.ts';
import { tabs } from '../tabs/store.ts';
import { webPorts } from './gateway.ts';
import { useExpiry } from './expiry.ts';
import { keepEnded } from './restart.ts';
import { clearSession, keptPages, keys, storedToken } from './storage.ts';
import { applyLogin, forgetSession, useSession } from './store.ts';

/**
 * Other tabs of the browser follow what this one did: a logout leads them to /login, a role switch reloads menu and
 * rights. Answers the function that stops listening.
 */
export function syncWithOtherTabs(onRoleSwitch: () => void): () => void {
  // A token that alone is gone has expired in another tab; here the next call says so.
  let expired = false;
  const hear = (event: StorageEvent) => {
    if (event.key === keys.authorization) expired = event.newValue === null;
    if (event.key === null && !storedToken()) {
      // Emptied by a logout, or by the button of another tab's expiry dialog: then the pages of this tab wait here too.
      const kept = expired ? keptPages() : undefined;
      closeChannel();
      clearSession();
      keepEnded(kept);
      useExpiry.setState({ message: null });
      forgetSession();
      tabs.clear();
      goTo('/login', {}, { replace: true });
    } else if (
      event.key === keys.roleMenuId &&
      event.newValue &&
      event.newValue !== useSession.getState().roleMenuId &&
      useSession.getState().phase === 'ready'
    ) {
      onRoleSwitch();
    } else if (event.key === keys.authorization && storedToken()) {
      useSession.setState({ sessionToken: storedToken() });
    }
  };
  window.addEventListener('storage', hear);
  return () => window.removeEventListener('storage', hear);
}

/** Reads person, role, menu and rights again (role switch elsewhere, changed rights). */
export async function reloadLoginInfo(): Promise<void> {
  applyLogin(await webPorts().session.queryLoginInfo());
}

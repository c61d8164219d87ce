import { goTo } from '../router/navigate.ts';
import { queryClient } from '../http/queryClient.ts';
import { tabs } from '../tabs/store.ts';
import { mayLeaveAll } from '../tabs/unsaved.ts';
import type { LoginInfo } from './gateway.ts';
import { webPorts } from './gateway.ts';
import { safeRedirect } from './guards.ts';
import { logout, mayLogOut } from './logout.ts';
import { keptPages } from './storage.ts';
import { applyLogin } from './store.ts';

/** Somebody else's pages were open in this tab of the browser. */
function isOthers({ userId }: LoginInfo): boolean {
  const kept = keptPages();
  return kept !== undefined && kept.userId !== userId;
}

/**
 * After a login, a password change, or `重新加载` on /noentry: stores what came and opens the first page, which the shell takes for the one
 * that was shown when the session ended.
 * @param redirect the address that led to the login; ignored where it is foreign, or where somebody else was on it.
 */
export function enter(info: LoginInfo, token?: string, redirect?: string | null): void {
  applyLogin(info, token);
  if (info.restricted) goTo('/editUsePwd', {}, { replace: true });
  else if (info.userRoleMenu.length === 0) goTo('/noentry', {}, { replace: true });
  else {
    const [path = '/', query = ''] = (isOthers(info) ? '/' : (safeRedirect(redirect) ?? '/')).split(/\?(.*)/s);
    goTo(path, Object.fromEntries(new URLSearchParams(query)), { replace: true });
  }
}

/** Acts in another role from now on: other menu, other rows, no reload. Asks before edits are lost. */
export async function switchRole(roleMenuId: string): Promise<void> {
  if (!(await mayLeaveAll())) return;
  const info = await webPorts().session.switchRole(roleMenuId);
  tabs.clear();
  queryClient.clear();
  applyLogin(info);
  goTo('/', {}, { replace: true });
}

/** The settings command 退出登录. Asks before edits, or anything else, is lost. */
export async function leave(): Promise<void> {
  if (!(await mayLeaveAll()) || !(await mayLogOut())) return;
  await logout(() => {
    tabs.clear();
    queryClient.clear();
    goTo('/login', {}, { replace: true });
  });
}

import { create } from 'zustand';
import type { Caller } from '../http/request.ts';
import type { Division, LoginInfo } from './gateway.ts';
import { keepOpNo, keptOpNo, keys, storedToken } from './storage.ts';

/** What the page knows of the person and role it acts for; memory only. */
export interface SessionState extends Omit<LoginInfo, 'permissions' | 'opNo'> {
  /** `unknown` until queryLoginInfo answers after a reload: the shell shows a skeleton. */
  phase: 'unknown' | 'ready';
  sessionToken: string | null;
  /** Null until known. */
  opNo: string | null;
  permissions: ReadonlySet<string>;
  cityList: readonly Division[];
  diseaseid: string | null;
  diseaseName: string;
  leftActiveSceneId: string | null;
  leftActiveSceneName: string;
}

const nobody: SessionState = {
  phase: 'unknown',
  sessionToken: null,
  userId: '',
  userName: '',
  loginName: '',
  opNo: null,
  accessPermission: '',
  userRoleMenu: [],
  roleMenuId: '',
  roles: [],
  permissions: new Set(),
  defaultMenu: '',
  restricted: false,
  restrictedReason: null,
  passwordExpiresInDays: null,
  sessionId: '',
  smsVerifiedAt: null,
  mobile: null,
  lastLoginAt: null,
  lastLoginIp: null,
  watermark: false,
  cityList: [],
  diseaseid: null,
  diseaseName: '',
  leftActiveSceneId: null,
  leftActiveSceneName: '',
};

export const useSession = create<SessionState>(() => nobody);

/** Takes over what login, role switch or queryLoginInfo answered, in memory and local storage. */
export function applyLogin(info: LoginInfo, token?: string): void {
  if (token) localStorage.setItem(keys.authorization, token);
  localStorage.setItem(keys.userName, info.userName);
  localStorage.setItem(keys.accessPermission, info.accessPermission);
  localStorage.setItem(keys.userRoleMenu, JSON.stringify(info.userRoleMenu));
  keepOpNo(info.opNo);
  if (info.roleMenuId) localStorage.setItem(keys.roleMenuId, info.roleMenuId);
  else localStorage.removeItem(keys.roleMenuId);
  useSession.setState({ ...info, permissions: new Set(info.permissions), phase: 'ready', sessionToken: storedToken() });
}

/** Empties the memory of the session. */
export const forgetSession = (): void => useSession.setState(nobody, true);

/** Headers of the next request: the token of local storage with the operator number, which outlives a reload in this tab. */
export const callerOf = (): Caller => ({
  authorization: storedToken(),
  opNo: useSession.getState().opNo ?? (storedToken() ? keptOpNo() : null),
  userRoleMenu: localStorage.getItem(keys.roleMenuId),
});

/** Whether the active role holds a permission; what `Can` asks. */
export const may = (permission: string | { code: string }): boolean =>
  useSession.getState().permissions.has(typeof permission === 'string' ? permission : permission.code);

/** As `may`, following role switches. */
export function useMay(): (permission: string | { code: string }) => boolean {
  const permissions = useSession((state) => state.permissions);
  return (permission) => permissions.has(typeof permission === 'string' ? permission : permission.code);
}

import type { MenuEntry } from './storage.ts';

/** What login, role switch and queryLoginInfo answer (without the token). */
export interface LoginInfo {
  userId: string;
  /** Display name. */
  userName: string;
  loginName: string;
  opNo: string;
  accessPermission: string;
  userRoleMenu: readonly MenuEntry[];
  roleMenuId: string;
  roles: readonly { roleMenuId: string; roleName: string; accessPermission: string }[];
  permissions: readonly string[];
  /** Path of the first page after login; empty without any menu. */
  defaultMenu: string;
  /** May only change the password and log out. */
  restricted: boolean;
  restrictedReason: string | null;
  passwordExpiresInDays: number | null;
  sessionId: string;
  smsVerifiedAt: string | null;
  /** Masked. */
  mobile: string | null;
  lastLoginAt: string | null;
  lastLoginIp: string | null;
  watermark: boolean;
}

export interface Division {
  adcode: string;
  name: string;
  districts?: readonly Division[] | undefined;
}

/** What the kernel needs of identity's calls; filled in `src/web/main.tsx`. */
export interface SessionGateway {
  queryLoginInfo(): Promise<LoginInfo>;
  /** The logout of the specification (`modifyCancelUserInfo {}`). */
  cancelUser(signal: AbortSignal): Promise<void>;
  switchRole(roleMenuId: string): Promise<LoginInfo>;
  /** Provinces, cities and districts for `cityList`. */
  queryDivisions(): Promise<readonly Division[]>;
}

/** What is kept per user on the server: `table:{routeKey}`, `views:{routeKey}`, `theme`. */
export interface Preferences {
  read(key: string): Promise<unknown>;
  write(key: string, value: unknown): Promise<void>;
}

interface WebPorts {
  session: SessionGateway;
  preferences: Preferences;
}

let ports: WebPorts | undefined;

/** Called by the composition root before the first render. */
export const providePorts = (given: WebPorts): void => void (ports = given);

export function webPorts(): WebPorts {
  if (!ports) throw new Error('The composition root has not provided the web ports');
  return ports;
}

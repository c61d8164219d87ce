import type { MenuEntry } from './storage.ts';

/** What login, role switch and queryLoginInfo answer (without the token). */
export interface LoginInfo {
  userName: string;
  accessPermission: string;
  userRoleMenu: readonly MenuEntry[];
  roleMenuId: string | null;
  roles: readonly { roleMenuId: string; roleName: string; accessPermission: string }[];
  opNo: string;
  permissions: readonly string[];
  defaultMenu: string | null;
  restricted: boolean;
  passwordExpiresInDays?: number | null | undefined;
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
  cancelUser(): Promise<void>;
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

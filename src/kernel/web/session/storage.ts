import type { Search } from '../router/address.ts';

/** Local-storage keys of the staff console, to the letter; nothing else is stored. */
export const keys = {
  authorization: 'Authorization',
  userName: 'userName',
  accessPermission: 'accessPermission',
  userRoleMenu: 'userRoleMenu',
  roleMenuId: 'roleMenuId',
  /** Current disease id, the bare string. */
  store: 'store',
} as const;

/** Key of the unsaved condition edits of a scene. */
export const sceneConditionDraftKey = (scenePackageId: string) => `sceneConditionDraft:${scenePackageId}`;

/** An entry of the role menu, three levels at most. */
export interface MenuEntry {
  titleName: string;
  routeKey?: string | null | undefined;
  path?: string | null | undefined;
  icon?: string | null | undefined;
  /** The menu row's own values override the route's. */
  leftMenu?: 'none' | 'corpus' | 'insurance' | undefined;
  navShow?: boolean | undefined;
  weChatPage?: boolean | undefined;
  children?: readonly MenuEntry[] | undefined;
}

/** The stored role menu; null when it is missing, no JSON or no list. */
export function parseMenu(text: string | null): readonly MenuEntry[] | null {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return Array.isArray(value) ? (value as MenuEntry[]) : null;
  } catch {
    return null;
  }
}

export const storedMenu = () => parseMenu(localStorage.getItem(keys.userRoleMenu));
export const storedToken = () => localStorage.getItem(keys.authorization);

/** Session-storage keys: the lists that pickers use, who is asking until queryLoginInfo has answered after a reload, the open pages. */
export type KeptList = 'departments' | 'doctors' | 'categories';
const OP_NO = 'opNo';
const sessionKeys = ['departments', 'doctors', 'categories', OP_NO, 'pages'] satisfies readonly (KeptList | typeof OP_NO | 'pages')[];

export const keepOpNo = (opNo: string): void => sessionStorage.setItem(OP_NO, opNo);
export const keptOpNo = (): string | null => sessionStorage.getItem(OP_NO);

/** A list as this tab has read it last; undefined: not yet, or something else was written there. */
export function keptList(name: KeptList): unknown {
  try {
    const list: unknown = JSON.parse(sessionStorage.getItem(name) ?? '');
    return Array.isArray(list) ? list : undefined;
  } catch {
    return undefined;
  }
}

/** A full storage keeps nothing: the list is asked for again then. */
export function keepList(name: KeptList, list: unknown): void {
  try {
    sessionStorage.setItem(name, JSON.stringify(list));
  } catch {
    sessionStorage.removeItem(name);
  }
}

export const PAGES = 'pages';

/** A page that was open in this tab of the browser. */
interface KeptPage {
  /** Declared path of its route. */
  route: string;
  path: string;
  search: Search;
  title?: string;
  /** Shows one record, whose name its title may be. */
  ofRecord: boolean;
}

/** The open pages of one person in this tab of the browser, and which of them was shown. */
export interface KeptPages {
  userId: string;
  shown: number;
  /** The session ended over them: a login leads back to what was shown. */
  ended?: true;
  pages: readonly KeptPage[];
}

/** What `keepPages` wrote here; undefined: nothing, or something else stands there. */
export function keptPages(): KeptPages | undefined {
  try {
    const kept = JSON.parse(sessionStorage.getItem(PAGES) ?? '') as Partial<KeptPages> | null;
    return typeof kept?.userId === 'string' && Array.isArray(kept.pages)
      ? { shown: -1, ...kept, userId: kept.userId, pages: kept.pages }
      : undefined;
  } catch {
    return undefined;
  }
}

const WORK = 'work:';

/** What somebody is writing about a case and nobody has stored yet, as this tab kept it; undefined: nothing. */
export function keptWork(key: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(WORK + key) ?? '') as unknown;
  } catch {
    return undefined;
  }
}

/** Keeps it over a reload and a step to another case, until it is undefined or the session ends. A full storage keeps nothing. */
export function keepWork(key: string, work: unknown): void {
  try {
    if (work === undefined) sessionStorage.removeItem(WORK + key);
    else sessionStorage.setItem(WORK + key, JSON.stringify(work));
  } catch {
    sessionStorage.removeItem(WORK + key);
  }
}

/** The end of a session: nothing of it stays in the browser. A patient's page in the same tab keeps its own. */
export function clearStorage(): void {
  localStorage.clear();
  clearSession();
}

/** What this tab alone kept; another tab's logout reaches local storage only. */
export function clearSession(): void {
  const works = Object.keys(sessionStorage).filter((key) => key.startsWith(WORK));
  for (const key of [...sessionKeys, ...works]) sessionStorage.removeItem(key);
}

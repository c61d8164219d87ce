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

/** The end of a session: nothing of it stays in the browser. */
export function clearStorage(): void {
  localStorage.clear();
}

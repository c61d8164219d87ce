import type { AnswerOf } from '#kernel/contract/call.ts';
import type { queryMenuInfoList } from '../../contract/calls/menus.ts';

export type MenuTree = AnswerOf<typeof queryMenuInfoList>;
export type MenuRow = MenuTree['menus'][number];
export type Drop = 'before' | 'inside' | 'after';

export const MOST_LEVELS = 3;
const STEP = 10;

export const childrenOf = (menus: readonly MenuRow[], parentId: string | null): MenuRow[] =>
  menus.filter((menu) => menu.parentId === parentId).sort((a, b) => a.sort - b.sort || Number(a.id) - Number(b.id));

/** Rows in the order shown: every entry followed by what is below it, unless it is folded. */
export const flat = (menus: readonly MenuRow[], folded: ReadonlySet<string>, parentId: string | null = null): MenuRow[] =>
  childrenOf(menus, parentId).flatMap((menu) => [menu, ...(folded.has(menu.id) ? [] : flat(menus, folded, menu.id))]);

/** Levels of an entry with everything below it: 1 without children. */
const heightOf = (menus: readonly MenuRow[], id: string): number =>
  1 + Math.max(0, ...childrenOf(menus, id).map((child) => heightOf(menus, child.id)));

export const levelOf = (menus: readonly MenuRow[], id: string | null): number => {
  const menu = menus.find((one) => one.id === id);
  return menu ? 1 + levelOf(menus, menu.parentId) : 0;
};

const isWithin = (menus: readonly MenuRow[], id: string | null, ancestor: string): boolean => {
  if (id === null) return false;
  return id === ancestor || isWithin(menus, menus.find((menu) => menu.id === id)?.parentId ?? null, ancestor);
};

/** Entries under which `id` (or a new entry) may stand: directories, deep enough for what it carries, never itself. */
export function possibleParents(menus: readonly MenuRow[], id: string | null): MenuRow[] {
  const height = id ? heightOf(menus, id) : 1;
  return menus.filter(
    (menu) => menu.kind === 'DIR' && (!id || !isWithin(menus, menu.id, id)) && levelOf(menus, menu.id) + height <= MOST_LEVELS,
  );
}

/** Why an entry cannot be dropped there; null when it can. */
export function dropFault(menus: readonly MenuRow[], moved: MenuRow, target: MenuRow, drop: Drop): string | null {
  const parentId = drop === 'inside' ? target.id : target.parentId;
  if (isWithin(menus, parentId, moved.id)) return '不能移动到自身的下级';
  if (drop === 'inside' && target.kind !== 'DIR') return '只能移动到目录下';
  if (levelOf(menus, parentId) + heightOf(menus, moved.id) > MOST_LEVELS) return `菜单最多支持三级`;
  return null;
}

/** New places of the entries beside the moved one, as `sortMenuInfo` takes them. */
export function sortAfterDrop(
  menus: readonly MenuRow[],
  moved: MenuRow,
  target: MenuRow,
  drop: Drop,
): { id: string; parentId: string | null; sort: number }[] {
  const parentId = drop === 'inside' ? target.id : target.parentId;
  const siblings = childrenOf(menus, parentId).filter((menu) => menu.id !== moved.id);
  const at = drop === 'inside' ? siblings.length : siblings.findIndex((menu) => menu.id === target.id) + (drop === 'after' ? 1 : 0);
  return siblings.toSpliced(at, 0, moved).map((menu, index) => ({ id: menu.id, parentId, sort: (index + 1) * STEP }));
}

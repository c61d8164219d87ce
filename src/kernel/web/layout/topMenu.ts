import { routeKeyOf } from '../../contract/route.ts';
import type { KnownPages } from '../router/pages.ts';
import type { MenuEntry } from '../session/storage.ts';

export interface MenuItem {
  title: string;
  /** Absent for a directory. */
  path?: string;
  /** Name of an icon of MenuIcon.tsx. */
  icon?: string;
  children: readonly MenuItem[];
}

/** What may be shown of the role menu: built pages, and directories that hold any; three levels at most. */
export function menuItems(menu: readonly MenuEntry[], known: KnownPages, level = 1): MenuItem[] {
  if (level > 3) return [];
  return menu.flatMap((entry): MenuItem[] => {
    const children = menuItems(entry.children ?? [], known, level + 1);
    const key = entry.routeKey ? routeKeyOf(entry.routeKey) : '';
    const isPage = key !== '' && known(key);
    if (!isPage && children.length === 0) return [];
    return [{ title: entry.titleName, ...(isPage && { path: `/${key}` }), ...(entry.icon && { icon: entry.icon }), children }];
  });
}

/**
 * The level-1 title under which a page is listed, to mark it in the header.
 * @param paths its address and those of the pages above it
 * @param trail titles of the directories above it, where it is in no menu
 */
export function activeTop(items: readonly MenuItem[], paths: readonly string[], trail: readonly string[]): string | undefined {
  const holds = (item: MenuItem): boolean => (item.path !== undefined && paths.includes(item.path)) || item.children.some(holds);
  return (items.find(holds) ?? items.find((item) => item.title === trail[0]))?.title;
}

export interface FoundPage {
  title: string;
  path: string;
  /** Titles above it. */
  trail: readonly string[];
}

/** Every permitted page with its path in the menu, for the type-ahead search. */
export function flatten(items: readonly MenuItem[], trail: readonly string[] = []): FoundPage[] {
  return items.flatMap((item) => [
    ...(item.path ? [{ title: item.title, path: item.path, trail }] : []),
    ...flatten(item.children, [...trail, item.title]),
  ]);
}

/** How many items of these widths fit; if not all do, room is left for 更多. */
export function fitting(widths: readonly number[], room: number, moreWidth: number): number {
  const all = widths.reduce((sum, width) => sum + width, 0);
  if (all <= room) return widths.length;
  let used = moreWidth;
  let count = 0;
  for (const width of widths) {
    if (used + width > room) break;
    used += width;
    count += 1;
  }
  return count;
}

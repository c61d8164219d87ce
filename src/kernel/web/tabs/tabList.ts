import type { RouteDeclaration } from '../../contract/route.ts';
import type { Search } from '../router/address.ts';
import { stringifySearch } from '../router/address.ts';

/** An open page. */
export interface Tab {
  key: string;
  /** Declared path of its route. */
  route: string;
  path: string;
  search: Search;
  title: string;
  /** Number of the opening or switch that last showed it; the smallest is the least recently used, 0 has not been shown since a reload. */
  used: number;
  /** Holds edits that would be lost. */
  dirty: boolean;
}

export interface TabList {
  tabs: readonly Tab[];
  active: string | null;
  clock: number;
}

export const NO_TABS: TabList = { tabs: [], active: null, clock: 0 };
/** This many pages are kept alive. */
export const KEPT_ALIVE = 10;
export const ALL_DIRTY = '打开的页面较多，请先保存或关闭部分页面';

export type NewTab = Pick<Tab, 'key' | 'route' | 'path' | 'search' | 'title'>;
type TabRoute = Pick<RouteDeclaration, 'path' | 'kind' | 'title'>;
const PER_ADDRESS = new Set(['detail', 'audit', 'form']);

const layers = new Set<string>();
/** Parameters that open something over a page: the page stays the same with and without them. */
export const registerLayers = (names: readonly string[]): void => names.forEach((name) => layers.add(name));

/**
 * One tab per list, tool or dashboard route; one per address for detail, audit and form.
 * @param record the parameters that name the record; absent: all of them.
 */
export function tabKeyOf(route: TabRoute, path: string, search: Search, record?: readonly string[]): string {
  if (!PER_ADDRESS.has(route.kind)) return path;
  const naming = Object.fromEntries(Object.entries(search).filter(([name]) => (record ? record.includes(name) : !layers.has(name))));
  return path + stringifySearch(naming);
}

const leastUsedClean = (list: TabList): Tab | undefined => list.tabs.filter((tab) => !tab.dirty).sort((a, b) => a.used - b.used)[0];

/** Whether a page can be opened: it is open already, there is room, or a clean one can go. */
export const canOpen = (list: TabList, key: string): boolean =>
  list.tabs.length < KEPT_ALIVE || list.tabs.some((tab) => tab.key === key) || leastUsedClean(list) !== undefined;

/** A page that was only brought back has its title from the menu of today; it gives itself its own. */
const shownAgain = (tab: Tab, { search, title }: NewTab, used: number): Tab => ({
  ...tab,
  search,
  used,
  title: tab.used === 0 ? title : tab.title,
});

/** Opens a page or switches to it; beyond the limit the least recently used clean one goes. */
export function openTab(list: TabList, opened: NewTab): TabList {
  const clock = list.clock + 1;
  if (list.tabs.some((tab) => tab.key === opened.key)) {
    const tabs = list.tabs.map((tab) => (tab.key === opened.key ? shownAgain(tab, opened, clock) : tab));
    return { tabs, active: opened.key, clock };
  }
  const leaving = list.tabs.length >= KEPT_ALIVE ? leastUsedClean(list) : undefined;
  if (list.tabs.length >= KEPT_ALIVE && !leaving) return list;
  const staying = list.tabs.filter((tab) => tab !== leaving);
  return { tabs: [...staying, { ...opened, used: clock, dirty: false }], active: opened.key, clock };
}

/** Closes pages; the active one is replaced by its right, then left neighbour. */
export function closeTabs(list: TabList, closing: ReadonlySet<string>): TabList {
  const tabs = list.tabs.filter((tab) => !closing.has(tab.key));
  if (list.active === null || !closing.has(list.active)) return { ...list, tabs };
  const at = list.tabs.findIndex((tab) => tab.key === list.active);
  const near =
    list.tabs.slice(at + 1).find((tab) => !closing.has(tab.key)) ?? list.tabs.slice(0, at).findLast((tab) => !closing.has(tab.key));
  return { ...list, tabs, active: near?.key ?? null };
}

export const patchTab = (list: TabList, key: string, patch: Partial<Pick<Tab, 'search' | 'title' | 'dirty'>>): TabList => ({
  ...list,
  tabs: list.tabs.map((tab) => (tab.key === key ? { ...tab, ...patch } : tab)),
});

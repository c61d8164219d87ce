import type { RouteDeclaration } from '../../contract/route.ts';
import { routeKeyOf } from '../../contract/route.ts';
import type { MenuEntry } from './storage.ts';

/** Where a navigation may go. */
export type Way = { to: 'page' } | { to: '/login'; redirect: string } | { to: '/noentry' };

const WITHOUT_TOKEN = new Set(['/login', '/loginCode']);

/**
 * Guards in the stated order: no Authorization and another path than /login or /loginCode → /login;
 * main layout with a missing, unparsable or empty role menu → /noentry; else the page.
 */
export function wayOf(
  target: { path: string; href: string; open: boolean; inLayout: boolean },
  stored: { token: string | null; menu: readonly MenuEntry[] | null },
): Way {
  if (!stored.token && !target.open && !WITHOUT_TOKEN.has(target.path)) return { to: '/login', redirect: target.href };
  if (target.inLayout && !stored.menu?.length) return { to: '/noentry' };
  return { to: 'page' };
}

/** Route keys that the role menu contains, on any level. */
export function permittedKeys(menu: readonly MenuEntry[]): ReadonlySet<string> {
  const found = new Set<string>();
  const walk = (entries: readonly MenuEntry[]) => {
    for (const entry of entries) {
      if (entry.routeKey) found.add(routeKeyOf(entry.routeKey));
      if (entry.children) walk(entry.children);
    }
  };
  walk(menu);
  return found;
}

/** The list page that a detail, audit or form page belongs to: the route named last in its trail. */
export const parentOf = (route: RouteDeclaration, all: readonly RouteDeclaration[]): RouteDeclaration | undefined => {
  const title = route.trail.at(-1);
  return title === undefined ? undefined : all.find((other) => other.title === title && other.path !== route.path);
};

/**
 * Whether the role may open a page: it stands in the role menu, or its parent list does and the role holds
 * the page's own view permission.
 */
export function isPermitted(
  route: RouteDeclaration,
  all: readonly RouteDeclaration[],
  keys: ReadonlySet<string>,
  permissions: ReadonlySet<string>,
): boolean {
  if (route.kind === 'public' || route.kind === 'wechat' || route.kind === 'layout') return true;
  if (keys.has(routeKeyOf(route.path))) return true;
  if (route.menu !== undefined) return false;
  const parent = parentOf(route, all);
  if (!parent || !isPermitted(parent, all, keys, permissions)) return false;
  return route.permission === undefined || route.permission === 'session' || permissions.has(route.permission);
}

/** A redirect after login is one path of this site: a single leading slash. */
export const safeRedirect = (value: string | null | undefined): string | null => (value && /^\/(?![/\\])/.test(value) ? value : null);

/** First page after login: the role's own, else the first entry shown. */
export function homeOf(menu: readonly MenuEntry[], defaultMenu: string | null, known: ReadonlySet<string>): string | null {
  if (defaultMenu && known.has(routeKeyOf(defaultMenu)) && permittedKeys(menu).has(routeKeyOf(defaultMenu))) {
    return `/${routeKeyOf(defaultMenu)}`;
  }
  const first = [...permittedKeys(menu)].find((key) => known.has(key));
  return first === undefined ? null : `/${first}`;
}

import type { RouteDeclaration } from '../../contract/route.ts';
import { parentOf, routeKeyOf } from '../../contract/route.ts';
import type { KnownPages } from '../router/pages.ts';
import type { MenuEntry } from './storage.ts';

/** Where a navigation may go. */
export type Way = { to: 'page' } | { to: '/login'; redirect: string } | { to: '/noentry' } | { to: 'nowhere' };

const WITHOUT_TOKEN = new Set(['/login', '/loginCode']);

/**
 * Guards in the stated order: no Authorization and another path than /login or /loginCode → /login;
 * an address of the form of low-code pages that no menu names → the public 404;
 * main layout with a missing, unparsable or empty role menu → /noentry; else the page.
 * @param target `byToken`: a low-code page is shown at the address
 */
export function wayOf(
  target: { path: string; href: string; open: boolean; inLayout: boolean; byToken?: boolean },
  stored: { token: string | null; menu: readonly MenuEntry[] | null },
): Way {
  if (!stored.token && !target.open && !WITHOUT_TOKEN.has(target.path)) return { to: '/login', redirect: target.href };
  if (target.byToken && !permittedKeys(stored.menu ?? []).has(routeKeyOf(target.path))) return { to: 'nowhere' };
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

/**
 * Whether the role may open a page: it is in the role menu, or the page from which it is reached is and the role
 * holds the page's own view permission.
 * @param path the address, where one page shows many (`/:token`)
 */
export function isPermitted(
  route: RouteDeclaration,
  all: readonly RouteDeclaration[],
  keys: ReadonlySet<string>,
  permissions: ReadonlySet<string>,
  path: string = route.path,
): boolean {
  if (route.kind === 'public' || route.kind === 'wechat' || route.kind === 'layout') return true;
  if (keys.has(routeKeyOf(path))) return true;
  if (route.menu !== undefined) return false;
  const parent = parentOf(route, all);
  if (!parent || !isPermitted(parent, all, keys, permissions)) return false;
  return route.permission === undefined || route.permission === 'session' || permissions.has(route.permission);
}

/** A redirect after login is one path of this site: a single leading slash. */
export const safeRedirect = (value: string | null | undefined): string | null => (value && /^\/(?![/\\])/.test(value) ? value : null);

/** First page after login: the role's own, else the first entry shown. */
export function homeOf(menu: readonly MenuEntry[], defaultMenu: string | null, known: KnownPages): string | null {
  const keys = permittedKeys(menu);
  const own = defaultMenu ? routeKeyOf(defaultMenu) : undefined;
  const first = own !== undefined && known(own) && keys.has(own) ? own : [...keys].find(known);
  return first === undefined ? null : `/${first}`;
}

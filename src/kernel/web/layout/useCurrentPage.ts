import { useRouterState } from '@tanstack/react-router';
import { useLayoutEffect, useMemo } from 'react';
import { toast } from '../feedback/toast.ts';
import type { PageRoute } from '../module.ts';
import { isPattern, routeKeyOf } from '../../contract/route.ts';
import type { Search } from '../router/address.ts';
import { goTo } from '../router/navigate.ts';
import { allRoutes, knownPages } from '../router/pages.ts';
import { isPermitted, permittedKeys } from '../session/guards.ts';
import type { MenuEntry } from '../session/storage.ts';
import { useSession } from '../session/store.ts';
import { tabs, useTabs } from '../tabs/store.ts';
import { ALL_DIRTY, canOpen, tabKeyOf } from '../tabs/tabList.ts';

/** The menu row of a page, whose own values override the route's. */
function menuRowOf(menu: readonly MenuEntry[], key: string): MenuEntry | undefined {
  for (const entry of menu) {
    if (entry.routeKey && routeKeyOf(entry.routeKey) === key) return entry;
    const below = menuRowOf(entry.children ?? [], key);
    if (below) return below;
  }
  return undefined;
}

/** The page of the address: whether the role may open it, how it is framed; opens its tab. */
export function useCurrentPage() {
  const match = useRouterState({ select: (state) => state.matches.at(-1) });
  const menu = useSession((state) => state.userRoleMenu);
  const permissions = useSession((state) => state.permissions);
  const phase = useSession((state) => state.phase);
  const page: PageRoute | undefined = match?.staticData.page;
  const path = match?.pathname ?? '/';
  const found = match?.search;
  const search = useMemo(() => (found ?? {}) as Search, [found]);
  const keys = useMemo(() => permittedKeys(menu), [menu]);
  const known = useMemo(() => knownPages(allRoutes()), []);
  const permitted = page !== undefined && isPermitted(page.route, allRoutes(), keys, permissions, path);
  const row = page && menuRowOf(menu, routeKeyOf(path));
  // One page shows many addresses: each is called what its menu calls it.
  const title = page && isPattern(page.route.path) ? (row?.titleName ?? page.route.title) : page?.route.title;

  useLayoutEffect(() => {
    if (phase !== 'ready' || !page || !permitted) return;
    const key = tabKeyOf(page.route, path, search, page.record);
    const list = useTabs.getState();
    if (!canOpen(list, key)) {
      toast(ALL_DIRTY, 'warning');
      const back = list.tabs.find((tab) => tab.key === list.active);
      if (back) goTo(back.path, back.search, { replace: true });
      return;
    }
    tabs.open({ key, route: page.route.path, path, search, title: title ?? '' });
  }, [phase, page, permitted, path, search, title]);
  return {
    page,
    path,
    title: title ?? '',
    permitted,
    keys,
    known,
    left: row?.leftMenu ?? page?.route.left ?? 'none',
    navShow: row?.navShow ?? page?.route.navShow ?? true,
    weChatPage: row?.weChatPage ?? page?.route.weChatPage ?? false,
  };
}

import { allRoutes, pageAt } from '../router/pages.ts';
import { isPermitted, permittedKeys } from '../session/guards.ts';
import { keepPages } from '../session/restart.ts';
import { keptPages } from '../session/storage.ts';
import { useSession } from '../session/store.ts';
import { tabs, useTabs } from './store.ts';
import { tabKeyOf } from './tabList.ts';
import type { Tab } from './tabList.ts';

/**
 * Opens again, in this tab of the browser, what the same person had open: as far as he may still open it.
 * @returns the page that was shown when the session ended
 */
export function resumeTabs(): Tab | undefined {
  const { userId, userRoleMenu, permissions, restricted } = useSession.getState();
  const kept = keptPages();
  if (kept?.userId !== userId || restricted || useTabs.getState().tabs.length > 0) return undefined;
  const keys = permittedKeys(userRoleMenu);
  const opened = kept.pages.map(({ route, path, search, title }): Tab | null => {
    const page = pageAt(route);
    if (!page || !isPermitted(page.route, allRoutes(), keys, permissions, path)) return null;
    const key = tabKeyOf(page.route, path, search, page.record);
    return { key, route, path, search, title: title ?? page.route.title, used: 0, dirty: false };
  });
  tabs.resume(opened.filter((tab) => tab !== null));
  return kept.ended ? (opened[kept.shown] ?? undefined) : undefined;
}

useTabs.subscribe(({ tabs: open, active }) => {
  const { phase, userId } = useSession.getState();
  // Brought back, and none of them shown yet: that says nothing new.
  if (phase !== 'ready' || (active === null && open.length > 0)) return;
  keepPages({
    userId,
    shown: open.findIndex(({ key }) => key === active),
    pages: open.map(({ key, route, path, search, title }) => ({ route, path, search, title, ofRecord: key !== path })),
  });
});

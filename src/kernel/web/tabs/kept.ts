import { allRoutes, pageAt } from '../router/pages.ts';
import { isPermitted, permittedKeys } from '../session/guards.ts';
import { keepPages, keptPages } from '../session/storage.ts';
import { useSession } from '../session/store.ts';
import { tabs, useTabs } from './store.ts';
import { tabKeyOf } from './tabList.ts';
import type { Tab } from './tabList.ts';

interface Resumed {
  /** The page that was shown last. */
  shown?: Tab;
  /** The pages were somebody else's. */
  others: boolean;
}

/** Opens again, in this tab of the browser, what the same person had open: as far as he may still open it. */
export function resumeTabs(): Resumed {
  const { userId, userRoleMenu, permissions, restricted } = useSession.getState();
  const kept = keptPages();
  const others = kept !== undefined && kept.userId !== userId;
  if (!kept || others || restricted || useTabs.getState().tabs.length > 0) return { others };
  const keys = permittedKeys(userRoleMenu);
  const opened = kept.pages.map(({ route, path, search, title }): Tab | null => {
    const page = pageAt(route);
    if (!page || !isPermitted(page.route, allRoutes(), keys, permissions, path)) return null;
    const key = tabKeyOf(page.route, path, search, page.record);
    return { key, route, path, search, title: title ?? page.route.title, used: 0, dirty: false };
  });
  const shown = opened[kept.shown];
  tabs.resume(opened.filter((tab) => tab !== null));
  return { others, ...(shown && { shown }) };
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

import { goTo } from '../router/navigate.ts';
import { forgetUnsaved, tabs, useTabs } from './store.ts';
import { confirmLeaving } from './unsaved.ts';

/** Closes pages, asking once when edits would be lost, and shows the neighbour of the one that was shown. */
export async function closePages(keys: readonly string[]): Promise<void> {
  const before = useTabs.getState();
  const closing = before.tabs.filter((tab) => keys.includes(tab.key));
  if (closing.some((tab) => tab.dirty) && !(await confirmLeaving())) return;
  tabs.close(...keys);
  for (const key of keys) forgetUnsaved(key);
  const { active, tabs: open } = useTabs.getState();
  if (active === before.active) return;
  const next = open.find((tab) => tab.key === active);
  if (next) goTo(next.path, next.search, { replace: true });
  else goTo('/', {}, { replace: true });
}

import { create } from 'zustand';
import { closeTabs, NO_TABS, openTab, patchTab } from './tabList.ts';
import type { NewTab, Tab, TabList } from './tabList.ts';

/** Open pages; `kept.ts` brings them back after a reload. */
export const useTabs = create<TabList>(() => NO_TABS);

export const tabs = {
  open: (opened: NewTab) => useTabs.setState((list) => openTab(list, opened)),
  close: (...keys: readonly string[]) => useTabs.setState((list) => closeTabs(list, new Set(keys))),
  patch: (key: string, patch: Partial<Pick<Tab, 'search' | 'title' | 'dirty'>>) => useTabs.setState((list) => patchTab(list, key, patch)),
  resume: (open: readonly Tab[]) => useTabs.setState({ ...NO_TABS, tabs: open }, true),
  clear: () => useTabs.setState(NO_TABS, true),
  dirty: (): readonly Tab[] => useTabs.getState().tabs.filter((tab) => tab.dirty),
};

/** Who on which page says that there are unsaved edits; a page is clean when nobody does. */
const marks = new Map<string, Set<string>>();

export function markUnsaved(tabKey: string, token: string, dirty: boolean): void {
  const tokens = marks.get(tabKey) ?? new Set();
  if (dirty) tokens.add(token);
  else tokens.delete(token);
  marks.set(tabKey, tokens);
  tabs.patch(tabKey, { dirty: tokens.size > 0 });
}

/** Forgets the marks of a closed tab. */
export const forgetUnsaved = (tabKey: string): void => void marks.delete(tabKey);

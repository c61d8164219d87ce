import { create } from 'zustand';
import { closeTabs, NO_TABS, openTab, patchTab } from './tabList.ts';
import type { NewTab, Tab, TabList } from './tabList.ts';

/** Open pages; memory only, so that a reload keeps the current page alone. */
export const useTabs = create<TabList>(() => NO_TABS);

export const tabs = {
  open: (opened: NewTab) => useTabs.setState((list) => openTab(list, opened)),
  close: (...keys: readonly string[]) => useTabs.setState((list) => closeTabs(list, new Set(keys))),
  patch: (key: string, patch: Partial<Pick<Tab, 'search' | 'title' | 'dirty'>>) => useTabs.setState((list) => patchTab(list, key, patch)),
  clear: () => useTabs.setState(NO_TABS, true),
  dirty: (): readonly Tab[] => useTabs.getState().tabs.filter((tab) => tab.dirty),
};

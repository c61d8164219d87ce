import { createContext, use, useCallback, useEffect, useId, useMemo, useRef, useState, type ReactNode } from 'react';
import type { Param, ParamsOf, Search } from '../router/address.ts';
import { readParams, writeParams } from '../router/address.ts';
import { goTo } from '../router/navigate.ts';
import { closePages } from './close.ts';
import { forgetUnsaved, markUnsaved, tabs, useTabs } from './store.ts';
import { confirmLeaving } from './unsaved.ts';

/** The page that a component is rendered in: its own tab and address, also while another tab is shown. */
interface PageScope {
  tabKey: string;
  path: string;
  search: Search;
  /** Of a part with an address of its own, beside the page's: where its filters go. */
  change?(search: Search): void;
}

export const PageContext = createContext<PageScope>({ tabKey: '', path: '/', search: {} });

/** A part whose lists keep filters and page numbers to themselves: a panel within another page, a drawer over a list. */
export function PartOfPage({ children }: { children: ReactNode }) {
  const { tabKey, path } = use(PageContext);
  const [search, change] = useState<Search>({});
  const scope = useMemo(() => ({ tabKey, path, search, change }), [tabKey, path, search]);
  return <PageContext value={scope}>{children}</PageContext>;
}

/**
 * Says that the page holds edits that would be lost; closing its tab, reloading, switching the role and
 * logging out then ask first. Switching tabs does not: the edits stay.
 */
export function useUnsaved(dirty: boolean): void {
  const { tabKey } = use(PageContext);
  const token = useId();
  const known = useRef(false);
  useEffect(() => {
    if (known.current !== dirty) markUnsaved(tabKey, token, dirty);
    known.current = dirty;
  }, [tabKey, token, dirty]);
  useEffect(
    () => () => {
      // A hidden page keeps its edits; only what leaves the page that is shown (a closed drawer) is clean.
      if (useTabs.getState().active !== tabKey || !known.current) return;
      known.current = false;
      markUnsaved(tabKey, token, false);
    },
    [tabKey, token],
  );
}

/** `useUnsaved` for a wizard or dialog that is no `FormDrawer`: closing it asks too while it holds edits. */
export function useLeaving(dirty: boolean, onClose: () => void): () => void {
  useUnsaved(dirty);
  return () => {
    if (!dirty) return onClose();
    void confirmLeaving().then((yes) => yes && onClose());
  };
}

/** Title of the page's tab and of the window while it is shown: `入组申请 RZ20261121000001`. */
export function usePageTitle(title: string | undefined): void {
  const { tabKey } = use(PageContext);
  useEffect(() => {
    if (title) tabs.patch(tabKey, { title });
  }, [tabKey, title]);
}

/**
 * The page's typed address parameters and their setter.
 * `const [params, setParams] = useAddress(schema)`; declare the schema outside of the component.
 */
export function useAddress<S extends Record<string, Param<unknown>>>(schema: S) {
  const { tabKey, path, search, change } = use(PageContext);
  const params = useMemo(() => readParams(schema, search), [schema, search]);
  const set = useCallback(
    (patch: Partial<ParamsOf<S>>, options: { push?: boolean } = {}) => {
      if (change) return change(writeParams(schema, search, patch));
      const { active, tabs: open } = useTabs.getState();
      const current = open.find((tab) => tab.key === tabKey)?.search ?? search;
      const next = writeParams(schema, current, patch);
      // A hidden page must not move the visible one's address.
      if (active === tabKey) goTo(path, next, { replace: !options.push });
      tabs.patch(tabKey, { search: next });
    },
    [schema, tabKey, path, search, change],
  );
  return [params, set] as const;
}

/**
 * The page's own place: `close` closes its tab (asks when edits would be lost), `replaceWith` goes to another record of the same kind (asks
 * too), `mayLeave` asks alone, before the page shows something else in the place of what was edited.
 */
export function usePage() {
  const { tabKey, path, search } = use(PageContext);
  return useMemo(() => {
    const mayLeave = async () => !useTabs.getState().tabs.some((tab) => tab.key === tabKey && tab.dirty) || confirmLeaving();
    return {
      path,
      search,
      close: () => void closePages([tabKey]),
      /** After a save: closes the tab without asking and opens another page. */
      finish: (to: string, params: Readonly<Record<string, unknown>> = {}) => {
        tabs.close(tabKey);
        forgetUnsaved(tabKey);
        goTo(to, params, { replace: true });
      },
      mayLeave,
      replaceWith: async (next: Readonly<Record<string, unknown>>) => {
        if (!(await mayLeave())) return;
        tabs.close(tabKey);
        forgetUnsaved(tabKey);
        goTo(path, next, { replace: true });
      },
    };
  }, [tabKey, path, search]);
}

import { createContext, use, useCallback, useEffect, useId, useMemo, useRef } from 'react';
import type { Param, ParamsOf, Search } from '../router/address.ts';
import { readParams, writeParams } from '../router/address.ts';
import { goTo } from '../router/navigate.ts';
import { confirmLeaving } from './unsaved.ts';
import { tabs, useTabs } from './store.ts';

/** The page that a component stands in: its own tab and address, also while another tab is shown. */
interface PageScope {
  tabKey: string;
  path: string;
  search: Search;
}

export const PageContext = createContext<PageScope>({ tabKey: '', path: '/', search: {} });

const unsaved = new Map<string, Set<string>>();

function mark(tabKey: string, token: string, dirty: boolean): void {
  const tokens = unsaved.get(tabKey) ?? new Set();
  if (dirty) tokens.add(token);
  else tokens.delete(token);
  unsaved.set(tabKey, tokens);
  tabs.patch(tabKey, { dirty: tokens.size > 0 });
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
    if (known.current !== dirty) mark(tabKey, token, dirty);
    known.current = dirty;
  }, [tabKey, token, dirty]);
  useEffect(
    () => () => {
      // A hidden page keeps its edits; only what leaves the page that is shown (a closed drawer) is clean.
      if (useTabs.getState().active !== tabKey || !known.current) return;
      known.current = false;
      mark(tabKey, token, false);
    },
    [tabKey, token],
  );
}

/** Forgets the marks of closed tabs. */
export const forgetUnsaved = (tabKey: string): void => void unsaved.delete(tabKey);

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
  const { tabKey, path, search } = use(PageContext);
  const params = useMemo(() => readParams(schema, search), [schema, search]);
  const set = useCallback(
    (patch: Partial<ParamsOf<S>>, options: { push?: boolean } = {}) => {
      const { active, tabs: open } = useTabs.getState();
      const current = open.find((tab) => tab.key === tabKey)?.search ?? search;
      const next = writeParams(schema, current, patch);
      // A hidden page must not move the visible one's address.
      if (active === tabKey) goTo(path, next, { replace: !options.push });
      tabs.patch(tabKey, { search: next });
    },
    [schema, tabKey, path, search],
  );
  return [params, set] as const;
}

/** The page's own place; `replaceWith` goes to another record of the same kind (asks when edits would be lost). */
export function usePage() {
  const { tabKey, path, search } = use(PageContext);
  return useMemo(
    () => ({
      path,
      search,
      replaceWith: async (next: Readonly<Record<string, unknown>>) => {
        const dirty = useTabs.getState().tabs.some((tab) => tab.key === tabKey && tab.dirty);
        if (dirty && !(await confirmLeaving())) return;
        tabs.close(tabKey);
        forgetUnsaved(tabKey);
        goTo(path, next, { replace: true });
      },
    }),
    [tabKey, path, search],
  );
}

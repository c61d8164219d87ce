import { use, useCallback, useEffect, useMemo } from 'react';
import type { Call, InputOf, OutputOf } from '../../contract/call.ts';
import { FILTER_TEXT_LENGTH } from '../../contract/exporting.ts';
import { sortKeysOf, splitOrder } from '../../contract/sorting.ts';
import { useList } from '../http/queries.ts';
import { goTo } from '../router/navigate.ts';
import type { Search } from '../router/address.ts';
import { PageContext } from '../tabs/page.tsx';
import { tabs, useTabs } from '../tabs/store.ts';
import { describeFilters, inputOf, readFilters } from './filters.ts';
import type { Filter, FilterValue } from './filters.ts';
import { useViews, VIEW_PARAM } from './useViews.ts';

const DEFAULT_SIZE = 20;

/** The order in the address, if the call declares it. */
function orderOf(call: Call, given: unknown): string | undefined {
  if (typeof given !== 'string') return undefined;
  const { key, direction } = splitOrder(given);
  return sortKeysOf(call.input).has(key) ? `${key} ${direction}` : undefined;
}

interface ListPageOptions<C extends Call> {
  call: C;
  filters: readonly Filter<InputOf<C>>[];
  /** Always sent beside the filters. */
  fixed?: Partial<InputOf<C>>;
  /** Names the page's settings. */
  routeKey: string;
  /** Address parameters that are not filters stay when the list searches. */
  every?: number | false;
  changing?(rows: readonly OutputOf<C>[]): boolean;
}

/** The list of a page with its filters, page number and size in the address. */
export function useListPage<C extends Call>({ call, filters, fixed, routeKey, every, changing }: ListPageOptions<C>) {
  const { search, path, tabKey, change } = use(PageContext);
  const pageNo = Math.max(1, Number(search['pageNo']) || 1);
  const values = useMemo(() => readFilters(filters, search), [filters, search]);
  const filterInput = useMemo(() => ({ ...inputOf(filters, values), ...fixed }), [filters, values, fixed]);
  const orderBy = useMemo(() => orderOf(call, search['orderBy']), [call, search]);
  const sorted = orderBy === undefined ? {} : { orderBy };

  const goToSearch = useCallback(
    (next: Search) => {
      if (change) return change(next);
      if (useTabs.getState().active === tabKey) goTo(path, next, { replace: true });
      tabs.patch(tabKey, { search: next });
    },
    [path, tabKey, change],
  );
  const others = useMemo((): Search => {
    const own = new Set(['pageNo', ...filters.flatMap((filter) => ('names' in filter ? [...filter.names] : [filter.name]))]);
    return Object.fromEntries(Object.entries(search).filter(([name]) => !own.has(name)));
  }, [search, filters]);
  /** What a saved view keeps: the filters and the order. */
  const view = orderBy === undefined ? values : { ...values, orderBy };
  const views = useViews({
    routeKey,
    offered: filters.length > 0,
    search,
    values: view,
    go: (next, name) => {
      const { [VIEW_PARAM]: _view, orderBy: _order, ...rest } = others;
      goToSearch({ ...rest, ...next, ...(name !== undefined && { [VIEW_PARAM]: name }) });
    },
  });
  const pageSize = Number(search['pageSize']) || views.pageSize || DEFAULT_SIZE;
  const list = useList(call, { ...filterInput, ...sorted, pageNo, pageSize } as InputOf<C>, {
    ...(every !== undefined && { every }),
    ...(changing && { changing }),
  });
  const isPastEnd = list.rows?.length === 0 && pageNo > 1 && !list.fetching;
  useEffect(() => {
    // The last row of the last page was deleted, or a link names a page that is gone.
    if (isPastEnd) goToSearch({ ...search, pageNo: String(Math.max(1, Math.ceil(list.total / pageSize))) });
  }, [isPastEnd, search, goToSearch, list.total, pageSize]);

  const isPart = Object.values(fixed ?? {}).some((value) => value !== undefined);

  return {
    ...list,
    rows: list.rows,
    values,
    view,
    views,
    orderBy,
    /** A click on a header: up, down, then the list's own order again. */
    sortBy: (key: string) => {
      const { orderBy: _former, ...rest } = search;
      const next = orderBy === `${key} asc` ? `${key} desc` : orderBy === `${key} desc` ? undefined : `${key} asc`;
      goToSearch({ ...rest, pageNo: '1', ...(next !== undefined && { orderBy: next }) });
    },
    /** Filters as the calls for sums and exports take them. */
    filterInput: filterInput as InputOf<C>,
    /** The same in words. */
    filterText: () =>
      [describeFilters(filters, values), ...(isPart ? ['当前页签'] : [])].filter(Boolean).join('；').slice(0, FILTER_TEXT_LENGTH),
    pageNo,
    pageSize,
    searchWith: (next: Readonly<Record<string, FilterValue>>) => {
      goToSearch({ ...others, ...next });
      void list.refetch();
    },
    /** Every filter goes, and the view with them. */
    reset: () => goToSearch(Object.fromEntries(Object.entries(others).filter(([name]) => name !== VIEW_PARAM))),
    turnTo: (no: number, size: number) => {
      if (size !== pageSize) views.keepPageSize(size);
      goToSearch({ ...search, pageNo: String(size === pageSize ? no : 1), ...(size !== pageSize && { pageSize: String(size) }) });
    },
  };
}

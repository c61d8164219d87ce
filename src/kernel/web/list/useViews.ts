import { toast } from '../feedback/toast.ts';
import type { TableSetting } from '../kit/columns.ts';
import type { Search } from '../router/address.ts';
import { usePreference } from '../session/preference.ts';
import type { FilterValue } from './filters.ts';

type Values = Readonly<Record<string, FilterValue>>;

/** A named set of filters and an order, with the arrangement of the columns that goes with it. */
export interface SavedView {
  name: string;
  values: Values;
  table?: TableSetting;
}

/** Address parameter that names the view in use. */
export const VIEW_PARAM = 'savedView';
const NO_VIEWS: readonly SavedView[] = [];
const NO_SETTING: TableSetting = {};
const MOST = 20;

const written = (values: Values): string => JSON.stringify(Object.entries(values).toSorted(([a], [b]) => (a < b ? -1 : 1)));

export const sameValues = (one: Values, other: Values): boolean => written(one) === written(other);

/** What a view keeps of the arrangement: how many rows a page has is the operator's alone. */
function kept({ pageSize: _, ...table }: TableSetting): Pick<SavedView, 'table'> {
  return Object.keys(table).length === 0 ? {} : { table };
}

/** The same views with one kept under its name, the oldest given up beyond the most. */
export const withView = (views: readonly SavedView[], view: SavedView): readonly SavedView[] =>
  [...views.filter(({ name }) => name !== view.name), view].slice(-MOST);

interface ViewsOptions {
  /** Names the page's settings: `table:{routeKey}` and `views:{routeKey}`. */
  routeKey: string;
  /** False: the list has nothing to search by, so there are no views to read. */
  offered?: boolean;
  search: Search;
  /** Filters and order of the address. */
  values: Values;
  /** Goes to these filters and this order, with the view's name in the address. */
  go(values: Values, name: string | undefined): void;
}

/** The operator's views of one list, the one in use, and the arrangement of its columns: the view's, else the operator's own. */
export function useViews({ routeKey, offered = true, search, values, go }: ViewsOptions) {
  const own = usePreference<TableSetting>(`table:${routeKey}`, NO_SETTING);
  const { value: list, save } = usePreference<readonly SavedView[]>(`views:${routeKey}`, NO_VIEWS, offered);
  const current = list.find(({ name }) => name === search[VIEW_PARAM]);
  const setting = current ? (current.table ?? NO_SETTING) : own.value;
  return {
    list,
    current,
    /** The address asks for something else than the view keeps. */
    changed: current !== undefined && !sameValues(current.values, values),
    choose: (view: SavedView) => go(view.values, view.name),
    leave: () => go({}, undefined),
    keep: (name: string, asked: Values) => {
      save(withView(list, { name, values: asked, ...kept(setting) }));
      toast(`已保存视图“${name}”`);
      go(asked, name);
    },
    remove: (name: string) => save(list.filter((view) => view.name !== name)),
    pageSize: own.value.pageSize,
    keepPageSize: (pageSize: number) => own.save({ ...own.value, pageSize }),
    arrangement: {
      setting,
      onChange: (next: TableSetting) => {
        if (current) save(list.map((view) => (view === current ? { name: view.name, values: view.values, ...kept(next) } : view)));
        else own.save(next);
      },
    },
  };
}

export type Views = ReturnType<typeof useViews>;

import { Button } from 'antd';
import { useRef, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import type { Call, InputOf, OutputOf } from '../../contract/call.ts';
import { sortKeysOf } from '../../contract/sorting.ts';
import { useKeys } from '../keyboard/keys.ts';
import { ColumnSettings } from '../kit/ColumnSettings.tsx';
import type { Column, RowAction } from '../kit/columns.ts';
import { DataTable } from '../kit/DataTable.tsx';
import { RefreshButton } from '../kit/RefreshButton.tsx';
import { useToolPlace } from '../kit/PartLine.tsx';
import { useSelection } from '../kit/selection.ts';
import type { Selection } from '../kit/selection.ts';
import { useMay } from '../session/store.ts';
import { BatchBar } from './BatchBar.tsx';
import type { BatchAction } from './BatchBar.tsx';
import { columnsOf, type ColumnChoice } from './columnsOf.ts';
import type { Filter } from './filters.ts';
import { filtersOf, type FilterChoice } from './filtersOf.ts';
import { isJobAtWork } from './jobs.ts';
import { SearchForm } from './SearchForm.tsx';
import { useListPage } from './useListPage.ts';
import { useRowWalk } from './useRowWalk.ts';

/** A list page as a typed object, checked against the contract. */
export interface Resource<C extends Call, Row extends object = OutputOf<C> & object> {
  list: C;
  /** Key of the page in preferences: `userManagement`; a second list of the page adds `:sessions`. */
  routeKey: string;
  /** Field that names a row; default `id`. */
  rowKey?: keyof Row & string;
  columns: readonly Column<Row>[];
  /** Columns whose header sorts the list; the call declares them. */
  sortKeys: ReadonlySet<string>;
  filters?: readonly Filter<InputOf<C>>[];
  /** What the operator can do when there is nothing. */
  empty?: ReactNode;
}

interface ResourceSpec<C extends Call> extends Omit<Resource<C>, 'list' | 'columns' | 'filters' | 'sortKeys'> {
  /** Fields of the row by their keys; what the contract says of them need not be said again. */
  columns: readonly ColumnChoice<OutputOf<C> & object>[];
  /** Filters of the call by their names. */
  filters?: readonly FilterChoice<InputOf<C>>[];
}

/** Declares a list: `const users = resource(queryUserInfoList, { routeKey: 'userManagement', columns: ['opNo', …] })`. */
export const resource = <C extends Call>(list: C, { columns, filters, ...rest }: ResourceSpec<C>): Resource<C> => ({
  list,
  columns: columnsOf<OutputOf<C> & object>(list.output, columns),
  sortKeys: sortKeysOf(list.input),
  ...(filters && { filters: filtersOf<InputOf<C>>(list.input, filters) }),
  ...rest,
});

/** What a toolbar (export, import, addition) knows of the list beside it. */
export interface ListView<C extends Call> {
  /** Current filters, as the calls for sums and exports take them. */
  filters: InputOf<C>;
  /** The order in which the rows stand, where it is not the list's own; an export takes it too. */
  orderBy: string | undefined;
  /** The same in words. */
  filterText(): string;
  total: number;
  rows: readonly OutputOf<C>[];
  pageNo: number;
  pageSize: number;
  selection: Selection<OutputOf<C> & object>;
  refetch(): void;
}

interface ResourceListProps<C extends Call> {
  of: Resource<C>;
  /** Sent beside the filters; keep it stable (`useMemo`). */
  fixed?: Partial<InputOf<C>>;
  actions?: readonly RowAction<OutputOf<C> & object>[];
  batch?: readonly BatchAction<OutputOf<C> & object>[];
  toolbar?: ReactNode | ((view: ListView<C>) => ReactNode);
  /** Before the tools, on their line where there is room: counts, hints, views. */
  above?: ReactNode;
  onRowClick?(row: OutputOf<C> & object): void;
  expanded?(row: OutputOf<C> & object): ReactNode;
  /** The rows of these filters shown otherwise than as a table. */
  instead?: ((view: ListView<C>) => ReactNode) | undefined;
  /** The server does not count these rows: what is shown instead of their number. */
  uncounted?: ((filters: InputOf<C>) => string | undefined) | undefined;
  /** Asks again every so many ms while the page is shown; rows in a job's state (制卡中) are asked for again until it ends without it. */
  every?: number | false;
}

const NO_FILTERS: readonly never[] = [];

const UNMET = /^没有符合条件的[^，；]+/;
/** What an empty list says while conditions are set: its own sentence without the advice, which stands beside it as a button. */
const unmetText = (empty: ReactNode): string => UNMET.exec(typeof empty === 'string' ? empty : '')?.[0] ?? '没有符合条件的记录';

/** Search form, toolbar, table, batch actions of one resource. */
export function ResourceList<C extends Call>({
  of,
  fixed,
  actions,
  batch,
  toolbar,
  above,
  onRowClick,
  expanded,
  instead,
  uncounted,
  every,
}: ResourceListProps<C>) {
  type Row = OutputOf<C> & object;
  const filters: readonly Filter<InputOf<C>>[] = of.filters ?? NO_FILTERS;
  const list = useListPage({
    call: of.list,
    filters,
    routeKey: of.routeKey,
    ...(fixed && { fixed }),
    ...(every !== undefined && { every }),
    changing: (read) => isJobAtWork(of.columns, read as readonly Row[]),
  });
  const rows = list.rows as readonly Row[] | undefined;
  const selection = useSelection<Row>();
  const may = useMay();
  // Tick boxes are for who can do something with the ticked rows.
  const canBatch = batch?.some(({ permission }) => permission === undefined || may(permission)) ?? false;
  const refetch = () => void list.refetch();
  useKeys([{ keys: 'Alt+R', label: '刷新列表', act: refetch }]);
  const view: ListView<C> = {
    filters: list.filterInput,
    orderBy: list.orderBy,
    filterText: list.filterText,
    total: list.total,
    rows: rows ?? [],
    pageNo: list.pageNo,
    pageSize: list.pageSize,
    selection,
    refetch,
  };
  const box = useRef<HTMLDivElement>(null);
  useRowWalk(box);
  const place = useToolPlace(box);
  const tools = (
    <>
      <div className="kq-toolbar-main">{typeof toolbar === 'function' ? toolbar(view) : toolbar}</div>
      {batch && canBatch && (
        <BatchBar selection={selection} actions={batch} columns={of.columns} onDone={refetch} rowKey={of.rowKey ?? 'id'} />
      )}
      <div className="kq-toolbar-end">
        <RefreshButton busy={list.fetching} onRefresh={refetch} keys="Alt+R" />
        <ColumnSettings columns={of.columns} arrangement={list.views.arrangement} />
      </div>
    </>
  );
  const isFiltered = Object.keys(list.values).length > 0;
  return (
    <div className="kq-list" ref={box}>
      {filters.length > 0 && (
        <SearchForm filters={filters} values={list.view} onSearch={list.searchWith} onReset={list.reset} views={list.views} />
      )}
      {place && createPortal(tools, place)}
      {(above !== undefined || place === null) && (
        <div className="kq-toolbar">
          {above}
          {place === null && tools}
        </div>
      )}
      {instead ? (
        instead(view)
      ) : (
        <DataTable<Row>
          columns={of.columns}
          rows={rows}
          {...(of.rowKey && { rowKey: of.rowKey })}
          loading={list.fetching}
          error={list.error}
          onRetry={refetch}
          empty={
            isFiltered ? (
              <>
                <p>{unmetText(of.empty)}</p>
                <Button size="small" onClick={list.reset}>
                  清除条件
                </Button>
              </>
            ) : (
              of.empty
            )
          }
          arrangement={list.views.arrangement}
          {...(actions && { actions })}
          {...(canBatch && { selection })}
          {...(onRowClick && { onRowClick })}
          {...(expanded && { expanded })}
          {...(of.sortKeys.size > 0 && { sorting: { keys: of.sortKeys, orderBy: list.orderBy, onSort: list.sortBy } })}
          paging={{
            pageNo: list.pageNo,
            pageSize: list.pageSize,
            total: list.total,
            onChange: list.turnTo,
            uncounted: uncounted?.(list.filterInput),
          }}
        />
      )}
    </div>
  );
}

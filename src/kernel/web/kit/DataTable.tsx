import { useMemo, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { EXACT_COUNT_LIMIT } from '../../contract/envelope.ts';
import { grouped } from '../../contract/money.ts';
import { usePreference } from '../session/preference.ts';
import { useSession } from '../session/store.ts';
import { Cell } from './Cell.tsx';
import { actionsOf, arrange, mostFixed, stateColumnsOf, vitalColumnsOf } from './columns.ts';
import { fitOf } from './columnWidths.ts';
import type { Column, RowAction, TableSetting } from './columns.ts';
import { Grid } from './Grid.tsx';
import type { GridColumn } from './Grid.tsx';
import { ColumnTitle } from './ColumnTitle.tsx';
import { Pager } from './Pager.tsx';
import { RowActions } from './RowActions.tsx';
import { SelectAll, SelectBox } from './SelectBox.tsx';
import type { Selection } from './selection.ts';
import { TableEmpty, TableFailure, TableOld } from './TableState.tsx';

const SELECT_WIDTH = 40;
/** Columns that say which row it is. */
const NAMES = 2;
/** Most of a column that keeps its place. */
const MOST_STATE = 136;
const NO_SETTING: TableSetting = {};
const AT_RIGHT = new Set(['money', 'number', 'rate']);

export interface DataTableProps<Row extends object> {
  columns: readonly Column<Row>[];
  /** Undefined until the first answer. */
  rows: readonly Row[] | undefined;
  /** Field that names a row; default `id`. */
  rowKey?: keyof Row & string;
  loading?: boolean;
  error?: unknown;
  onRetry?(): void;
  /** What to do when there is nothing: `暂无用户，点击“新增”创建`. */
  empty?: ReactNode;
  actions?: readonly RowAction<Row>[];
  selection?: Selection<Row>;
  /** One row is to be chosen: a column of radio buttons; a click on the row chooses it too. */
  choice?: { chosen: string | undefined; onChoose(row: Row): void };
  /** Column settings are kept under `table:{settingKey}`; absent: not kept. */
  settingKey?: string;
  /** The page keeps order and widths itself, where they are part of what it shows. */
  arrangement?: { setting: TableSetting; onChange(setting: TableSetting): void };
  /** Headers of these columns sort the list; `orderBy` is `key asc` or `key desc`. */
  sorting?: { keys: ReadonlySet<string>; orderBy: string | undefined; onSort(key: string): void };
  paging?: {
    pageNo: number;
    pageSize: number;
    total: number;
    onChange(pageNo: number, pageSize: number): void;
    /** Pages only, for dialogs. */ simple?: boolean;
    /** The total is not shown: the text shown instead. */ uncounted?: string | undefined;
  };
  onRowClick?(row: Row): void;
  expanded?(row: Row): ReactNode;
  /** `fill` takes the rest of the page's height and scrolls inside; `auto` grows with its rows; a number is the most. */
  height?: 'fill' | 'auto' | number;
}

/** Count as shown under a table: exact to 10,000, then 10000+; nothing as long as nobody knows. */
export const showTotal = (total: number | undefined): string =>
  total === undefined ? '' : `共 ${grouped(Math.min(total, EXACT_COUNT_LIMIT))}${total > EXACT_COUNT_LIMIT ? '+' : ''} 条`;

/** The product's table: cells cut by CSS, selection outside its state, remembered columns, fixed actions. */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const {
    columns,
    rows,
    loading = false,
    error,
    onRetry,
    empty,
    actions,
    selection,
    choice,
    settingKey,
    sorting,
    paging,
    onRowClick = choice?.onChoose,
    expanded,
    height = 'fill',
  } = props;
  const rowKey = props.rowKey ?? ('id' as keyof Row & string);
  const preference = usePreference<TableSetting>(settingKey ? `table:${settingKey}` : 'table:', NO_SETTING, settingKey !== undefined);
  const setting = props.arrangement?.setting ?? preference.value;
  const save = props.arrangement?.onChange ?? preference.save;
  const resizes = settingKey !== undefined || props.arrangement !== undefined;
  const latest = useRef({ save, setting, sorting });
  latest.current = { save, setting, sorting };
  const sortKeys = sorting?.keys;
  const orderBy = sorting?.orderBy;

  const pageRows = useMemo(() => (rows ?? []).map((row) => [String(row[rowKey]), row] as const), [rows, rowKey]);
  const dataColumns = useMemo(() => {
    const resize = (key: string, width: number) =>
      latest.current.save({ ...latest.current.setting, widths: { ...latest.current.setting.widths, [key]: width } });
    const directionOf = (key: string) => (orderBy === `${key} asc` ? 'ascending' : orderBy === `${key} desc` ? 'descending' : null);
    const shown = arrange(columns, setting).filter((one) => one.shown);
    const vital = vitalColumnsOf(columns);
    const values = pageRows.map(([, row]) => row);
    // In their place beside the actions states stay in sight, however far the rest is scrolled.
    const states = stateColumnsOf(columns);
    const others = shown.findLastIndex(({ column }) => !states.includes(column));
    return shown.map(({ column, width: wish }, index): GridColumn<Row> => {
      const sorts = sortKeys?.has(column.key) ?? false;
      const stays = others !== -1 && index > others;
      const fit = fitOf(column, {
        rows: values,
        wish,
        own: setting.widths?.[column.key],
        sorts,
        vital: vital.includes(column),
      });
      const width = stays ? Math.min(fit.width, MOST_STATE) : fit.width;
      return {
        key: column.key,
        title: (
          <ColumnTitle
            title={column.title}
            width={width}
            {...(resizes && { onResize: (next: number) => resize(column.key, next) })}
            {...(sortKeys?.has(column.key) && {
              direction: directionOf(column.key),
              onSort: () => latest.current.sorting?.onSort(column.key),
            })}
          />
        ),
        ...(sortKeys?.has(column.key) && { sorted: directionOf(column.key) ?? 'none' }),
        width,
        least: Math.min(fit.least, width),
        vital: vital.includes(column),
        align: column.align ?? (AT_RIGHT.has(column.kind ?? '') ? 'right' : 'left'),
        ...(stays && { fixed: 'right' as const }),
        render: (row) => <Cell column={column} row={row} />,
      };
    });
  }, [columns, setting, resizes, sortKeys, orderBy, pageRows]);
  const permissions = useSession((state) => state.permissions);
  const [width, setWidth] = useState(0);
  const gridColumns = useMemo(() => {
    const list = [...dataColumns];
    if (selection) {
      list.unshift({
        key: 'kq-select',
        width: SELECT_WIDTH,
        fixed: 'left',
        align: 'center',
        title: <SelectAll selection={selection} rows={pageRows} />,
        render: (row) => <SelectBox selection={selection} rowKey={String(row[rowKey])} row={row} />,
      });
    }
    if (choice) {
      list.unshift({
        key: 'kq-choice',
        width: SELECT_WIDTH,
        fixed: 'left',
        align: 'center',
        title: <span className="kq-spoken">选择</span>,
        render: (row) => (
          <input
            type="radio"
            className="kq-check"
            aria-label="选择此行"
            checked={choice.chosen === String(row[rowKey])}
            onChange={() => choice.onChoose(row)}
          />
        ),
      });
    }
    if (actions?.length) {
      // No row's actions are cut off.
      const may = (permission: string | { code: string } | undefined) =>
        permission === undefined || permissions.has(typeof permission === 'string' ? permission : permission.code);
      const labels = pageRows.map(([, row]) =>
        actions.filter(({ permission, when }) => may(permission) && (when?.(row) ?? true)).map(({ label }) => label),
      );
      const fit = () => actionsOf(labels, mostFixed(width) - list.reduce((sum, { fixed, width }) => (fixed ? sum + width : sum), 0));
      // States and actions may be too much of a small screen: states go to the names until one action at least is seen, the row's own last.
      for (const state of list.filter(({ fixed }) => fixed === 'right')) {
        if (fit().shown > 0) break;
        const { fixed: _, ...free } = state;
        list.splice(list.indexOf(state), 1);
        list.splice(list.findIndex(({ fixed }) => fixed !== 'left') + NAMES, 0, free);
      }
      const { shown, width: needed } = fit();
      list.push({
        key: 'kq-actions',
        title: '操作',
        fixed: 'right',
        width: needed,
        render: (row) => <RowActions row={row} actions={actions} shown={shown} />,
      });
    }
    return list;
  }, [dataColumns, selection, choice, actions, pageRows, rowKey, permissions, width]);

  return (
    <div className={height === 'fill' ? 'kq-table kq-table-fill' : 'kq-table'}>
      {error !== undefined && error !== null && pageRows.length > 0 && <TableOld error={error} onRetry={onRetry} />}
      <Grid<Row>
        label="数据列表"
        columns={gridColumns}
        rows={rows ?? []}
        keyOf={(row) => String(row[rowKey])}
        onWidth={setWidth}
        busy={loading}
        empty={error ? <TableFailure error={error} onRetry={onRetry} /> : <TableEmpty loading={rows === undefined}>{empty}</TableEmpty>}
        {...(typeof height === 'number' && { style: { maxHeight: height } })}
        {...(onRowClick && { onRowClick })}
        {...(expanded && { expanded })}
      />
      {paging && (
        <div className="kq-table-foot">
          <span className="kq-table-total">{paging.uncounted ?? showTotal(rows ? paging.total : undefined)}</span>
          <Pager
            current={paging.pageNo}
            pageSize={paging.pageSize}
            total={Math.min(paging.total, EXACT_COUNT_LIMIT)}
            pageSizeOptions={[10, 20, 50, 100]}
            showSizeChanger={!paging.simple}
            showQuickJumper={!paging.simple}
            onChange={paging.onChange}
          />
        </div>
      )}
    </div>
  );
}

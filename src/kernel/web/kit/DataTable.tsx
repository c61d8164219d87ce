import { Pagination, Table } from 'antd';
import type { TableColumnType } from 'antd';
import { useMemo, useRef } from 'react';
import type { ReactNode } from 'react';
import { EXACT_COUNT_LIMIT } from '../../contract/envelope.ts';
import { usePreference } from '../session/preference.ts';
import { Cell } from './Cell.tsx';
import { actionsWidth, arrange } from './columns.ts';
import type { Column, RowAction, TableSetting } from './columns.ts';
import { ResizableTitle } from './ResizableTitle.tsx';
import { RowActions } from './RowActions.tsx';
import { SelectAll, SelectBox } from './SelectBox.tsx';
import type { Selection } from './selection.ts';
import { TableEmpty, TableFailure } from './TableState.tsx';
import { useFillHeight } from './useFillHeight.ts';

/** Rows above which only the visible ones are in the document. */
const VIRTUAL_ABOVE = 60;
const SELECT_WIDTH = 40;
const NO_SETTING: TableSetting = {};

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
  /** Pixels of the action column; default: what its longest labels need. */
  actionWidth?: number;
  selection?: Selection<Row>;
  /** Column settings are kept under `table:{settingKey}`; absent: not kept. */
  settingKey?: string;
  paging?: { pageNo: number; pageSize: number; total: number; onChange(pageNo: number, pageSize: number): void };
  onRowClick?(row: Row): void;
  expanded?(row: Row): ReactNode;
  /** `fill` takes the rest of the page's height and scrolls inside; `auto` grows with its rows. */
  height?: 'fill' | 'auto' | number;
}

/** Count as shown under a table: exact to 10,000, then 10000+. */
export const showTotal = (total: number): string => `共 ${total > EXACT_COUNT_LIMIT ? `${EXACT_COUNT_LIMIT}+` : total} 条`;

/** The product's table: CSS-only ellipsis, selection outside its state, remembered columns, fixed actions. */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { columns, rows, loading, error, onRetry, empty, actions, selection, settingKey, paging, onRowClick, expanded, height = 'fill' } = props;
  const rowKey = props.rowKey ?? ('id' as keyof Row & string);
  const { value: setting, save } = usePreference<TableSetting>(settingKey ? `table:${settingKey}` : 'table:', NO_SETTING);
  const box = useRef<HTMLDivElement>(null);
  const filled = useFillHeight(box, height === 'fill');
  const keyOf = (row: Row) => String(row[rowKey]);

  const latest = useRef(save);
  latest.current = save;
  const shown = useMemo(() => arrange(columns, setting).filter((entry) => entry.shown), [columns, setting]);
  const pageRows = useMemo(() => (rows ?? []).map((row) => [String(row[rowKey]), row] as const), [rows, rowKey]);
  const tableColumns = useMemo(() => {
    const list: TableColumnType<Row>[] = shown.map(({ column, width }) => ({
      key: column.key,
      title: settingKey ? (
        <ResizableTitle title={column.title} width={width} onResize={(next) => latest.current({ ...setting, widths: { ...setting.widths, [column.key]: next } })} />
      ) : (
        column.title
      ),
      width,
      align: column.align ?? (column.kind === 'money' || column.kind === 'number' || column.kind === 'rate' ? 'right' : 'left'),
      render: (_: unknown, row: Row) => <Cell column={column} row={row} />,
    }));
    if (selection) {
      list.unshift({
        key: 'kq-select',
        width: SELECT_WIDTH,
        fixed: 'left',
        align: 'center',
        title: <SelectAll selection={selection} rows={pageRows} />,
        render: (_: unknown, row: Row) => <SelectBox selection={selection} rowKey={String(row[rowKey])} row={row} />,
      });
    }
    if (actions?.length) {
      list.push({ key: 'kq-actions', title: '操作', fixed: 'right', width: props.actionWidth ?? actionsWidth(actions.map(({ label }) => label)), render: (_: unknown, row: Row) => <RowActions row={row} actions={actions} /> });
    }
    return list;
  }, [shown, selection, actions, pageRows, rowKey, setting, settingKey, props.actionWidth]);

  const totalWidth = tableColumns.reduce((sum, column) => sum + Number(column.width ?? 0), 0);
  const bodyHeight = typeof height === 'number' ? height : filled;
  const virtual = (rows?.length ?? 0) > VIRTUAL_ABOVE && bodyHeight !== undefined;
  return (
    <div className={height === 'fill' ? 'kq-table kq-table-fill' : 'kq-table'}>
      <div className="kq-table-box" ref={box}>
        <Table<Row>
          size="small"
          rowKey={keyOf}
          columns={tableColumns}
          dataSource={rows as Row[] | undefined}
          loading={loading ? { delay: 150 } : false}
          pagination={false}
          tableLayout="fixed"
          virtual={virtual}
          scroll={{ x: totalWidth, ...(bodyHeight !== undefined && { y: bodyHeight }) }}
          locale={{ emptyText: error ? <TableFailure error={error} onRetry={onRetry} /> : <TableEmpty loading={rows === undefined}>{empty}</TableEmpty> }}
          {...(onRowClick && { onRow: (row: Row) => ({ onClick: () => onRowClick(row), className: 'kq-clickable' }) })}
          {...(expanded && { expandable: { expandedRowRender: expanded } })}
        />
      </div>
      {paging && (
        <div className="kq-table-foot">
          <span className="kq-table-total">{showTotal(paging.total)}</span>
          <Pagination
            size="small"
            current={paging.pageNo}
            pageSize={paging.pageSize}
            total={Math.min(paging.total, EXACT_COUNT_LIMIT)}
            pageSizeOptions={[10, 20, 50, 100]}
            showSizeChanger
            showQuickJumper
            onChange={paging.onChange}
          />
        </div>
      )}
    </div>
  );
}

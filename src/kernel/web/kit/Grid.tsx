import { memo, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { CSSProperties, PointerEvent, ReactNode, UIEvent } from 'react';
import { columnRange, fitted, ROW_HEIGHT, rowRange, sumOf, VIRTUAL_ABOVE } from './gridLayout.ts';
import type { Range } from './gridLayout.ts';

export interface GridColumn<Row> {
  key: string;
  title: ReactNode;
  width: number;
  /** With less it says nothing; absent: it gives way to nobody. */
  least?: number;
  /** Seen and uncut on every screen. */
  vital?: boolean;
  align?: 'left' | 'right' | 'center';
  fixed?: 'left' | 'right';
  /** Whether the rows come in this column's order; absent where they cannot. */
  sorted?: 'ascending' | 'descending' | 'none';
  render(row: Row): ReactNode;
}

interface GridProps<Row> {
  columns: readonly GridColumn<Row>[];
  rows: readonly Row[];
  keyOf(row: Row): string;
  label: string;
  /** What is shown in place of rows when there are none. */
  empty: ReactNode;
  busy: boolean;
  onRowClick?(row: Row): void;
  /** Told of the width that it has, in pixels. */
  onWidth?(width: number): void;
  expanded?(row: Row): ReactNode;
  className?: string;
  style?: CSSProperties;
}

interface Parts<Row> {
  left: readonly GridColumn<Row>[];
  middle: readonly GridColumn<Row>[];
  right: readonly GridColumn<Row>[];
  widths: readonly number[];
  shown: Range;
  total: number;
  /** Where the fixed columns begin. */
  start: number;
}

const EXPAND_WIDTH = 34;
/** What Enter does on a row that does nothing by itself: its first link. */
const OPENING = '.kq-link, a[href]';

/**
 * Rows and columns in one scrolling box. Only the columns that are seen, and above 60 rows only the rows that are
 * seen, are in the document: that is what keeps wide tables quick.
 */
export function Grid<Row>(props: GridProps<Row>) {
  const { columns, rows, keyOf, label, empty, busy, onRowClick, onWidth, expanded, className = '', style } = props;
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, left: 0, width: 1200, height: 600 });
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());

  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const measure = () => {
      // A hidden tab measures nothing; its last size stays.
      if (element.clientWidth > 0)
        setView((old) =>
          old.width === element.clientWidth && old.height === element.clientHeight
            ? old
            : { ...old, width: element.clientWidth, height: element.clientHeight },
        );
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  useLayoutEffect(() => onWidth?.(view.width), [onWidth, view.width]);

  const virtual = rows.length > VIRTUAL_ABOVE && !expanded;
  const fixedParts = useMemo(() => {
    const of = (side: 'left' | 'right' | undefined) => columns.filter((column) => column.fixed === side);
    return { left: of('left'), middle: of(undefined), right: of('right') };
  }, [columns]);
  const start = expanded ? EXPAND_WIDTH : 0;
  const edge = [...fixedParts.left, ...fixedParts.right].reduce((sum, column) => sum + column.width, start);
  const widths = useMemo(
    () =>
      fitted(
        fixedParts.middle.map(({ width, least = width }) => ({ width, least })),
        view.width - edge,
      ),
    [fixedParts, view.width, edge],
  );
  const range = columnRange(widths, view.left, view.width);
  const total = edge + sumOf(widths, 0, widths.length);
  const parts = useMemo<Parts<Row>>(
    () => ({ ...fixedParts, widths, shown: { from: range.from, to: range.to }, total, start }),
    [fixedParts, widths, range.from, range.to, total, start],
  );
  const drawn = virtual ? rowRange(rows.length, view.top, view.height) : { from: 0, to: rows.length };

  const onScroll = (event: UIEvent<HTMLDivElement>) => {
    const { scrollTop, scrollLeft } = event.currentTarget;
    const rowsNow = virtual ? rowRange(rows.length, scrollTop, view.height) : drawn;
    const columnsNow = columnRange(widths, scrollLeft, view.width);
    if (rowsNow.from !== drawn.from || rowsNow.to !== drawn.to || columnsNow.from !== range.from || columnsNow.to !== range.to)
      setView({ ...view, top: scrollTop, left: scrollLeft });
  };
  const toggle = (key: string) =>
    setOpen((current) => {
      const next = new Set(current);
      if (!next.delete(key)) next.add(key);
      return next;
    });

  return (
    <div
      className={`kq-grid ${busy ? 'kq-busy' : ''} ${className}`}
      style={style}
      ref={box}
      onScroll={onScroll}
      onPointerOver={titleCutText}
      role="table"
      aria-label={label}
      data-vital={columns.flatMap(({ key, vital }) => (vital ? [key] : [])).join(' ')}
      aria-rowcount={rows.length}
      aria-busy={busy}
      // Whoever has no mouse scrolls it by its keys.
      {...((total > view.width || rows.length * ROW_HEIGHT > view.height) && { tabIndex: 0 })}
    >
      <div className="kq-tr kq-grid-head" role="row" style={{ width: total }}>
        {expanded && (
          <div role="columnheader" className="kq-td kq-td-left" style={{ width: EXPAND_WIDTH }}>
            <span className="kq-spoken">展开</span>
          </div>
        )}
        <Line parts={parts} role="columnheader" show={(column) => column.title} />
      </div>
      {rows.length === 0 ? (
        <div className="kq-grid-empty">{empty}</div>
      ) : (
        <div
          role="rowgroup"
          className={virtual ? 'kq-grid-virtual' : ''}
          style={virtual ? { height: rows.length * ROW_HEIGHT, width: total } : { width: total }}
        >
          {rows.slice(drawn.from, drawn.to).map((row, index) => {
            const key = keyOf(row);
            const at = drawn.from + index;
            return (
              <GridRow<Row>
                key={key}
                row={row}
                parts={parts}
                {...(virtual && { top: at * ROW_HEIGHT })}
                {...(onRowClick && { onRowClick })}
                {...(expanded && { expansion: { open: open.has(key), toggle: () => toggle(key), show: expanded, width: view.width } })}
              />
            );
          })}
        </div>
      )}
    </div>
  );
}

const isCut = (element: Element): boolean => element.scrollWidth > element.clientWidth && getComputedStyle(element).overflowX === 'hidden';

/** What a cell is too narrow to show appears on hovering over it, whatever draws the cell. */
function titleCutText({ target }: PointerEvent<HTMLElement>): void {
  const cell = target instanceof Element ? target.closest<HTMLElement>('.kq-td') : null;
  if (!cell) return;
  if ([cell, ...cell.querySelectorAll('*')].some(isCut)) cell.title = cell.innerText.replaceAll(/\s+/g, ' ').trim();
  else cell.removeAttribute('title');
}

interface RowProps<Row> {
  row: Row;
  parts: Parts<Row>;
  top?: number;
  onRowClick?(row: Row): void;
  expansion?: { open: boolean; toggle(): void; show(row: Row): ReactNode; width: number };
}

function PlainRow<Row>({ row, parts, top, onRowClick, expansion }: RowProps<Row>) {
  return (
    <>
      <div
        className={onRowClick ? 'kq-tr kq-clickable' : 'kq-tr'}
        role="row"
        style={{ width: parts.total, ...(top !== undefined && { transform: `translateY(${top}px)` }) }}
        tabIndex={onRowClick ? 0 : -1}
        {...(onRowClick && { onClick: () => onRowClick(row) })}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.target !== event.currentTarget) return;
          event.preventDefault();
          if (onRowClick) onRowClick(row);
          else event.currentTarget.querySelector<HTMLElement>(OPENING)?.click();
        }}
      >
        {expansion && (
          <div role="cell" className="kq-td kq-td-left" style={{ width: EXPAND_WIDTH }}>
            <button
              type="button"
              className="kq-expand"
              aria-expanded={expansion.open}
              aria-label={expansion.open ? '收起' : '展开'}
              onClick={(event) => {
                event.stopPropagation();
                expansion.toggle();
              }}
            >
              <i className="kq-caret" aria-hidden />
            </button>
          </div>
        )}
        <Line parts={parts} role="cell" show={(column) => column.render(row)} />
      </div>
      {expansion?.open && (
        <div role="row" className="kq-expanded" style={{ width: expansion.width }}>
          <div role="cell">{expansion.show(row)}</div>
        </div>
      )}
    </>
  );
}

// `memo` forgets the type parameter; the rows of one grid all have the same.
const GridRow = memo(PlainRow) as typeof PlainRow;

interface LineProps<Row> {
  parts: Parts<Row>;
  role: 'cell' | 'columnheader';
  show(column: GridColumn<Row>): ReactNode;
}

const sumWidths = (columns: readonly { width: number }[]): number => columns.reduce((sum, { width }) => sum + width, 0);

/** The cells of one line: fixed ones at both ends, between them those that are seen. */
function Line<Row>({ parts, role, show }: LineProps<Row>) {
  const { left, middle, right, widths, shown, start } = parts;
  const before = sumOf(widths, 0, shown.from);
  const after = sumOf(widths, shown.to, widths.length);
  const cell = (column: GridColumn<Row>, width: number, className: string, at?: Pick<CSSProperties, 'left' | 'right'>) => (
    <div
      key={column.key}
      role={role}
      {...(role === 'columnheader' && column.sorted && { 'aria-sort': column.sorted })}
      className={className}
      data-column={column.key}
      style={{ width, ...at, ...(column.align && column.align !== 'left' && { textAlign: column.align }) }}
    >
      {show(column)}
    </div>
  );
  return (
    <>
      {left.map((column, index) => cell(column, column.width, 'kq-td kq-td-left', { left: start + sumWidths(left.slice(0, index)) }))}
      {before > 0 && <i className="kq-gap" style={{ width: before }} />}
      {middle.slice(shown.from, shown.to).map((column, index) => cell(column, widths[shown.from + index] ?? column.width, 'kq-td'))}
      {after > 0 && <i className="kq-gap" style={{ width: after }} />}
      {right.map((column, index) =>
        cell(column, column.width, index === 0 ? 'kq-td kq-td-right kq-td-edge' : 'kq-td kq-td-right', {
          right: sumWidths(right.slice(index + 1)),
        }),
      )}
    </>
  );
}

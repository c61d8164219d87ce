import type { ReactNode } from 'react';
import type { Dictionary } from '../../contract/dictionary.ts';

interface ColumnBase<Row> {
  /** Field of the row; with `value` or `render` any unique name. */
  key: (keyof Row & string) | (string & {});
  title: string;
  /** Pixels; default by kind. */
  width?: number;
  /** Left out until the operator shows it. */
  hidden?: boolean;
  /** Cannot be hidden. */
  required?: boolean;
  /** What the list is about, beside its first column, its amounts, ends and states, which are so by themselves. */
  vital?: boolean;
  align?: 'left' | 'right' | 'center';
  /** What the cell shows, when it is not the field `key` itself. */
  value?(row: Row): unknown;
}

interface Revealing<Row> {
  permission: string | { code: string };
  reveal(row: Row, reason: string): Promise<string>;
  withReason?: boolean;
}

/** A column of a list; `kind` decides how the value is shown. */
export type Column<Row> = ColumnBase<Row> &
  (
    | { kind?: 'text' | 'number' | 'money' | 'rate' | 'day' | 'month' | 'time' | 'flag' | 'image' }
    | { kind: 'dict'; dictionary: Pick<Dictionary, 'label' | 'tone'> & Partial<Pick<Dictionary, 'isJob'>>; plain?: boolean }
    | { kind: 'masked'; masked: Revealing<Row> }
    | { kind: 'link'; to(row: Row): { path: string; search?: Readonly<Record<string, unknown>> } | (() => void) | null }
    | { kind: 'custom'; render(row: Row): ReactNode }
  );

/** What an operator may do with one row; shown when the role and the row's state allow it. */
export interface RowAction<Row> {
  label: string;
  permission?: string | { code: string };
  when?(row: Row): boolean;
  danger?: boolean;
  act(row: Row): unknown;
}

/** The operator's own arrangement of a table, kept on the server per user. */
export interface TableSetting {
  order?: readonly string[];
  hidden?: readonly string[];
  shown?: readonly string[];
  widths?: Readonly<Record<string, number>>;
  /** Columns that stay at the left edge, however far the rest is scrolled. */
  pinned?: readonly string[];
  pageSize?: number;
}

/** Order, widths and choice of columns that a page keeps, and where a change of them goes. */
export interface Arrangement {
  setting: TableSetting;
  onChange(setting: TableSetting): void;
}

const defaultWidths: Record<string, number> = {
  number: 100,
  money: 120,
  rate: 90,
  day: 110,
  time: 168,
  flag: 72,
  image: 72,
  dict: 100,
  masked: 150,
  link: 160,
};

const widthOf = (column: { kind?: string; width?: number }): number => column.width ?? defaultWidths[column.kind ?? 'text'] ?? 140;

const isHidden = <Row>(column: Column<Row>, setting: TableSetting): boolean =>
  !column.required && (setting.hidden?.includes(column.key) || (column.hidden === true && !setting.shown?.includes(column.key)));

/** Most columns of state that are kept in sight. */
const MOST_STATES = 2;

/** The columns that show the state of a record; operators read them first. `状态` itself comes last. */
export function stateColumnsOf<Row>(columns: readonly Column<Row>[]): readonly Column<Row>[] {
  const own = columns.filter(({ title }) => title === '状态');
  return [...columns.filter(({ title }) => title.endsWith('状态') && title !== '状态'), ...own].slice(-MOST_STATES);
}

const AMOUNTS = new Set(['money', 'number', 'rate']);
/** Heads of days on which something ends. */
const ENDS = /到期|截止|失效|结束|有效|止|终/;
const MOST_AMOUNTS = 3;

const isEnd = ({ kind, title }: { kind?: string; title: string }): boolean => kind === 'day' && ENDS.test(title);

/** Columns that say what the list is about: they are seen and uncut on every screen. */
export function vitalColumnsOf<Row>(columns: readonly Column<Row>[]): readonly Column<Row>[] {
  const seen = columns.filter(({ hidden }) => hidden !== true);
  const vital = [
    ...seen.slice(0, 1),
    ...seen.filter((column) => column.vital),
    ...seen.filter(({ kind }) => kind === 'money').slice(0, MOST_AMOUNTS),
    ...seen.filter(isEnd).slice(0, 1),
    ...stateColumnsOf(seen),
  ];
  return columns.filter((column) => vital.includes(column));
}

/** Number and name first, then what the list is about, other amounts and ends, and what describes; each group as it is declared. */
function byWeight<Row>(columns: readonly Column<Row>[]): readonly Column<Row>[] {
  const names = columns.filter(({ hidden }) => hidden !== true).slice(0, 2);
  const vital = vitalColumnsOf(columns);
  const rank = (column: Column<Row>) => {
    if (names.includes(column)) return 0;
    if (vital.includes(column)) return 1;
    return AMOUNTS.has(column.kind ?? '') || isEnd(column) ? 2 : 3;
  };
  return columns.toSorted((a, b) => rank(a) - rank(b));
}

/**
 * All columns in the operator's order, each with whether it is shown, pinned, and how wide it is. States stand last, beside the
 * actions that they allow, unless the operator has put them elsewhere; pinned ones stand first.
 */
export function arrange<Row>(
  columns: readonly Column<Row>[],
  setting: TableSetting,
): { column: Column<Row>; shown: boolean; pinned: boolean; width: number }[] {
  const states = stateColumnsOf(columns);
  const declared = byWeight(columns);
  const isPinned = ({ key }: Column<Row>) => setting.pinned?.includes(key) ?? false;
  const place = (column: Column<Row>) => {
    const at = setting.order?.indexOf(column.key) ?? -1;
    if (at === -1 && states.includes(column)) return columns.length + states.indexOf(column);
    // A column that is newer than the saved order keeps its declared place.
    return at === -1 ? declared.indexOf(column) : at;
  };
  return declared
    .toSorted((a, b) => Number(isPinned(b)) - Number(isPinned(a)) || place(a) - place(b))
    .map((column) => ({
      column,
      shown: !isHidden(column, setting),
      pinned: isPinned(column),
      width: setting.widths?.[column.key] ?? widthOf(column),
    }));
}

/** Actions shown as they are in a row; of more than one beyond it, the others stand under 更多. */
export const SHOWN_ACTIONS = 3;

const [LETTER, GAP, PADDING, MORE] = [13, 12, 22, 26];

/** Pixels that one row's actions need, in the order in which they are shown, `shown` of them as they are. */
export function rowActionsWidth(labels: readonly string[], shown = SHOWN_ACTIONS): number {
  if (labels.length === 0) return 0;
  const widths = labels.map((label) => label.length * LETTER);
  const parts = labels.length > shown + 1 ? [...widths.slice(0, shown), MORE] : widths;
  return parts.reduce((sum, part) => sum + part, 0) + GAP * (parts.length - 1) + PADDING;
}

/** A quarter of a small screen's list; one within a part of a page may take as much. */
const LEAST_ROOM = 255;

/** Most pixels that the fixed columns of a table of so many take. */
export const mostFixed = (width: number): number => Math.max(LEAST_ROOM, Math.floor(width / 4));

/**
 * The action column of these rows: as wide as the longest of them, and so many actions shown as they are that the fixed columns leave the
 * rest of the list in sight.
 */
export function actionsOf(rows: readonly (readonly string[])[], room: number): { shown: number; width: number } {
  const widest = (shown: number) => Math.max(actionsTitle, ...rows.map((labels) => rowActionsWidth(labels, shown)));
  const shown = [SHOWN_ACTIONS, 2, 1].find((count) => widest(count) <= room) ?? 0;
  return { shown, width: widest(shown) };
}

/** The head alone. */
const actionsTitle = 2 * LETTER + PADDING;

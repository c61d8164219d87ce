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
    | { kind?: 'text' | 'number' | 'money' | 'rate' | 'day' | 'time' | 'flag' | 'image' }
    | { kind: 'dict'; dictionary: Pick<Dictionary, 'label' | 'tone'>; plain?: boolean }
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
  pageSize?: number;
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

/**
 * All columns in the operator's order, each with whether it is shown and how wide it is. States stand last, beside the
 * actions that they allow, unless the operator has put them elsewhere.
 */
export function arrange<Row>(
  columns: readonly Column<Row>[],
  setting: TableSetting,
): { column: Column<Row>; shown: boolean; width: number }[] {
  const states = stateColumnsOf(columns);
  const place = (column: Column<Row>) => {
    const at = setting.order?.indexOf(column.key) ?? -1;
    if (at === -1 && states.includes(column)) return columns.length + states.indexOf(column);
    // A column that is newer than the saved order keeps its declared place.
    return at === -1 ? columns.indexOf(column) : at;
  };
  return [...columns]
    .sort((a, b) => place(a) - place(b))
    .map((column) => ({ column, shown: !isHidden(column, setting), width: setting.widths?.[column.key] ?? widthOf(column) }));
}

/** Actions shown as they are in a row; of more than one beyond it, the others stand under 更多. */
export const SHOWN_ACTIONS = 3;

const [LETTER, GAP, PADDING, MORE] = [13, 12, 22, 26];

/** Pixels that one row's actions need, in the order in which they are shown. */
export function rowActionsWidth(labels: readonly string[]): number {
  if (labels.length === 0) return 0;
  const widths = labels.map((label) => label.length * LETTER);
  const parts = labels.length > SHOWN_ACTIONS + 1 ? [...widths.slice(0, SHOWN_ACTIONS), MORE] : widths;
  return parts.reduce((sum, part) => sum + part, 0) + GAP * (parts.length - 1) + PADDING;
}

/** Pixels that the action column needs for its longest labels, before its rows are known. */
export function actionsWidth(labels: readonly string[]): number {
  const all = labels.length <= SHOWN_ACTIONS + 1;
  const widest = labels
    .map((label) => label.length * LETTER)
    .sort((a, b) => b - a)
    .slice(0, all ? SHOWN_ACTIONS + 1 : SHOWN_ACTIONS);
  const parts = all ? widest : [...widest, MORE];
  return parts.reduce((sum, part) => sum + part, 0) + GAP * (parts.length - 1) + PADDING;
}

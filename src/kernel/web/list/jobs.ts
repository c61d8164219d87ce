import type { Column } from '../kit/columns.ts';
import { plainText } from '../kit/plainText.ts';

/** Whether one of the rows is in a state that a job ends by itself, by any of the list's columns. */
export const isJobAtWork = <Row extends object>(columns: readonly Column<Row>[], rows: readonly Row[]): boolean =>
  columns.some(
    (column) =>
      column.kind === 'dict' &&
      rows.some((row) => column.dictionary.isJob?.(plainText((row as Readonly<Record<string, unknown>>)[column.key])) ?? false),
  );

import type { Dictionary } from '../../contract/dictionary.ts';
import type { ImportFault, ParsedRow } from './importer.ts';

type Cells = Pick<ParsedRow, 'record'>;

/** What a cell says, trimmed; an empty one says ''. */
export const textOf = (row: Cells, key: string): string => String(row.record[key] ?? '').trim();
/**
 * The code of a cell whose column has this dictionary; the reader of the table refuses any other.
 * @throws Error for a column that was never checked against the dictionary.
 */
export function codeOf<Code extends string>(row: Cells, key: string, { name, codes }: Pick<Dictionary<Code>, 'name' | 'codes'>): Code {
  const text = textOf(row, key);
  const code = codes.find((one) => one === text);
  if (code === undefined) throw new Error(`A cell of ${key} holds no code of ${name}`);
  return code;
}

export const textOrNull = (row: Cells, key: string): string | null => textOf(row, key) || null;

/** A cell that keeps its row from being written. */
export const fault = (row: Pick<ParsedRow, 'rowNo'>, columnKey: string, message: string): ImportFault => ({
  rowNo: row.rowNo,
  columnKey,
  severity: 'ERROR',
  message,
});

/** Rows whose key occurs earlier in the file; an empty key repeats nothing. */
export function repeated<Row extends Pick<ParsedRow, 'rowNo'>>(
  rows: readonly Row[],
  columnKey: string,
  label: string,
  keyOf: (row: Row) => string,
): ImportFault[] {
  const first = new Map<string, number>();
  return rows.flatMap((row) => {
    const key = keyOf(row);
    const earlier = first.get(key);
    if (earlier === undefined && key !== '') first.set(key, row.rowNo);
    return earlier === undefined ? [] : [fault(row, columnKey, `${label}与第${earlier}行重复`)];
  });
}

import type { ImportFault, ParsedRow } from '../../../../kernel/server/importing/importer.ts';

export const textOf = (row: Pick<ParsedRow, 'record'>, key: string): string => String(row.record[key] ?? '').trim();
export const textOrNull = (row: Pick<ParsedRow, 'record'>, key: string): string | null => textOf(row, key) || null;
export const intOrNull = (row: Pick<ParsedRow, 'record'>, key: string): number | null => (row.record[key] === null || row.record[key] === undefined ? null : Number(row.record[key]));

export const fault = (row: Pick<ParsedRow, 'rowNo'>, columnKey: string, message: string): ImportFault => ({ rowNo: row.rowNo, columnKey, severity: 'ERROR', message });

/** Rows whose key stands in the file before. */
export function repeated(rows: readonly ParsedRow[], columnKey: string, label: string, keyOf: (row: ParsedRow) => string): ImportFault[] {
  const first = new Map<string, number>();
  const faults: ImportFault[] = [];
  for (const row of rows) {
    const key = keyOf(row);
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, row.rowNo);
    else faults.push(fault(row, columnKey, `${label}与第${earlier}行重复`));
  }
  return faults;
}

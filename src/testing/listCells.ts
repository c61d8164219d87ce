import type { Call } from '#kernel/contract/call.ts';
import { fieldFacts, shapeOf } from '#kernel/contract/field.ts';
import type { ExportSource } from '#kernel/server/exporting/source.ts';

export type Row = Readonly<Record<string, unknown>>;

/** Columns that stand in the sheet as they come over the wire. */
export function plainKeys(source: ExportSource & { list: Call }, first: Row): string[] {
  const row = cellsOf(first);
  const fields = shapeOf(source.list.output);
  const inWords = (key: string) => fields[key] !== undefined && fieldFacts(fields[key])?.text !== undefined;
  return source.columns
    .filter(({ key, kind = 'text', dictionary, sensitive }) =>
      kind === 'int'
        ? typeof row[key] === 'number'
        : kind === 'text' && !dictionary && !sensitive && typeof row[key] === 'string' && !inWords(key),
    )
    .map(({ key }) => key);
}

const asText = (cell: unknown) => (typeof cell === 'string' || typeof cell === 'number' ? String(cell).trim() : '');
export const shown = (rows: readonly Row[], keys: readonly string[]) => rows.map((row) => keys.map((key) => asText(cellsOf(row)[key])));

/** A row with what stands in records inside it: the patient of a case, under his fields' own names and under `patient.name`. */
function cellsOf(row: Row): Row {
  const inner = Object.entries(row).filter((entry): entry is [string, Row] => typeof entry[1] === 'object' && entry[1] !== null);
  const fields = inner.flatMap(([key, record]) =>
    Object.entries(record).flatMap(([name, value]) => [
      [name, value],
      [`${key}.${name}`, value],
    ]),
  );
  return { ...Object.fromEntries(fields), ...row };
}

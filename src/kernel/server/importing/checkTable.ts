import type { ImportCell, ImportFault, ImportReading, ImportRecord, Importer, ParsedRow, PlannedRow, RowAction } from './importer.ts';
import { cellText } from './normalise.ts';
import { parseCell } from './parseCell.ts';
import type { RawRow } from './readTable.ts';
import { encodeRecord, rowsHash } from './records.ts';

/** Rows that a set-based check gets at once. */
const CHECK_ROWS = 1_000;

export interface CheckedRow {
  rowNo: number;
  /** Texts as they stood in the file, trimmed. */
  raw: Readonly<Record<string, string>>;
  record: ImportRecord;
  action: RowAction | 'ERROR';
  plan: PlannedRow | null;
}

export interface CheckedTable {
  rows: CheckedRow[];
  faults: ImportFault[];
  rowsHash: string;
  counts: { total: number; ok: number; error: number; warn: number; new: number; changed: number; same: number };
}

function readRow(importer: Importer, row: RawRow): { parsed: ParsedRow; raw: Record<string, string>; faults: ImportFault[] } {
  const faults: ImportFault[] = [];
  const record: Record<string, ImportCell> = {};
  const raw: Record<string, string> = {};
  for (const column of importer.columns) {
    const cell = row.cells[column.key];
    raw[column.key] = cellText(cell);
    const parsed = parseCell(column, cell);
    if ('fault' in parsed) {
      faults.push({ rowNo: row.rowNo, columnKey: column.key, severity: 'ERROR', message: parsed.fault });
      record[column.key] = null;
    } else {
      record[column.key] = parsed.value;
    }
  }
  return { parsed: { rowNo: row.rowNo, record }, raw, faults };
}

/** Unreadable cells count with their text, so that a corrected table is another content. */
const hashOf = (importer: Importer, read: readonly ReturnType<typeof readRow>[]): string =>
  rowsHash(read.map(({ parsed, raw, faults }) => (faults.length > 0 ? JSON.stringify(raw) : encodeRecord(importer.columns, parsed.record))));

/** Fingerprint of a table (lower-case hex), known before its rows are checked against anything. */
export const contentHash = (importer: Importer, rows: readonly RawRow[]): string => hashOf(importer, rows.map((row) => readRow(importer, row)));

/** The first fault of each cell, in row order: a second one seldom says more. */
function oneACell(faults: readonly ImportFault[]): ImportFault[] {
  const seen = new Set<string>();
  return faults
    .filter(({ rowNo, columnKey, severity }) => {
      const cell = `${rowNo}:${columnKey}:${severity}`;
      return !seen.has(cell) && Boolean(seen.add(cell));
    })
    .toSorted((left, right) => left.rowNo - right.rowNo);
}

const chunked = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.slice(index * size, (index + 1) * size));

/**
 * Checks every row of a table and plans what each correct one will do. A faulty row never stops the others.
 * @param onProgress rows done so far
 */
export async function checkTable(
  importer: Importer,
  rows: readonly RawRow[],
  reading: ImportReading,
  onProgress: (rowsDone: number) => void | Promise<void> = () => {},
): Promise<CheckedTable> {
  const read = rows.map((row) => readRow(importer, row));
  const faults = read.flatMap((row) => row.faults);
  // A row whose cells cannot be read is not shown to the importer: it could not rely on their types.
  const broken = new Set(faults.map(({ rowNo }) => rowNo));
  const readable = read.filter(({ parsed }) => !broken.has(parsed.rowNo)).map(({ parsed }) => parsed);
  if (importer.validateRow) faults.push(...readable.flatMap((row) => importer.validateRow!(row)));
  if (importer.validateAll) faults.push(...(await importer.validateAll(readable, reading)));
  const wrong = new Set(faults.filter(({ severity }) => severity === 'ERROR').map(({ rowNo }) => rowNo));
  const correct = readable.filter(({ rowNo }) => !wrong.has(rowNo));
  const plans = new Map<number, PlannedRow>();
  let done = rows.length - correct.length;
  for (const chunk of chunked(correct, CHECK_ROWS)) {
    for (const plan of await importer.plan(chunk, reading)) plans.set(plan.rowNo, plan);
    done += chunk.length;
    await onProgress(done);
  }
  const checked = read.map(({ parsed, raw }): CheckedRow => {
    const plan = plans.get(parsed.rowNo) ?? null;
    return { rowNo: parsed.rowNo, raw, record: parsed.record, action: plan?.action ?? 'ERROR', plan };
  });
  const count = (action: CheckedRow['action']) => checked.filter((row) => row.action === action).length;
  const error = count('ERROR');
  return {
    rows: checked,
    faults: oneACell(faults),
    rowsHash: hashOf(importer, read),
    counts: {
      total: checked.length,
      ok: checked.length - error,
      error,
      warn: new Set(faults.filter(({ severity, rowNo }) => severity === 'WARN' && !wrong.has(rowNo)).map(({ rowNo }) => rowNo)).size,
      new: count('NEW'),
      changed: count('CHANGE'),
      same: count('SAME'),
    },
  };
}

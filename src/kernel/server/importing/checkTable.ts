import { dayOf, type Day } from '../../contract/time.ts';
import type { ImportCell, ImportFault, ImportReading, ImportRecord, Importer, ParsedRow, PlannedRow, RowAction } from './importer.ts';
import { cellText } from './normalise.ts';
import { parseCell } from './parseCell.ts';
import type { RawRow } from './readTable.ts';
import { encodeRecord, rowsHash } from './records.ts';

/** Rows that a set-based check gets at once. */
const CHECK_ROWS = 1_000;

/** What a row says that nobody saw who looked at the table. */
export const HIDDEN_ROW = '该行在表格中是隐藏的，请确认是否要导入';

const UNPLANNED = '该行无法处理，请核对后重新上传';

export interface CheckedRow {
  rowNo: number;
  /** Texts as they are in the file, trimmed. */
  readonly raw: Readonly<Record<string, string>>;
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

/** Its texts are made when they are asked for: thousands of rows wait here for their check. */
class ReadRow implements CheckedRow {
  readonly rowNo: number;
  record: ImportRecord;
  action: CheckedRow['action'] = 'ERROR';
  plan: PlannedRow | null = null;
  /** Whether some cell cannot be read. */
  broken = false;
  readonly #importer: Importer;
  readonly #cells: RawRow['cells'];

  constructor(importer: Importer, row: RawRow, faults: ImportFault[], today?: Day) {
    this.rowNo = row.rowNo;
    this.#importer = importer;
    this.#cells = row.cells;
    const record: Record<string, ImportCell> = {};
    for (const column of importer.columns) {
      const parsed = parseCell(column, row.cells[column.key], today);
      record[column.key] = 'fault' in parsed ? null : parsed.value;
      if (!('fault' in parsed)) continue;
      this.broken = true;
      faults.push({ rowNo: row.rowNo, columnKey: column.key, severity: 'ERROR', message: parsed.fault });
    }
    this.record = record;
    const [first] = importer.columns;
    if (row.hidden && first) faults.push({ rowNo: row.rowNo, columnKey: first.key, severity: 'WARN', message: HIDDEN_ROW });
  }

  get raw(): Record<string, string> {
    return Object.fromEntries(this.#importer.columns.map(({ key }) => [key, cellText(this.#cells[key])]));
  }

  /** Unreadable cells count with their text, so that a corrected table is another content. */
  get line(): string {
    return this.broken ? JSON.stringify(this.raw) : encodeRecord(this.#importer.columns, this.record);
  }
}

function* linesOf(rows: Iterable<ReadRow>): Generator<string> {
  for (const row of rows) yield row.line;
}

function* readOneByOne(importer: Importer, rows: Iterable<RawRow>): Generator<ReadRow> {
  for (const row of rows) yield new ReadRow(importer, row, []);
}

/** Fingerprint of a table (lower-case hex), known before its rows are checked against anything. */
export const contentHash = (importer: Importer, rows: Iterable<RawRow>): string => rowsHash(linesOf(readOneByOne(importer, rows)));

const cellOf = ({ rowNo, columnKey }: Pick<ImportFault, 'rowNo' | 'columnKey'>) => `${rowNo}:${columnKey}`;

/** The first fault of each cell, in row order: a second one seldom says more. */
function oneACell(faults: readonly ImportFault[]): ImportFault[] {
  const seen = new Set<string>();
  return faults
    .filter((fault) => {
      const cell = `${cellOf(fault)}:${fault.severity}`;
      return !seen.has(cell) && Boolean(seen.add(cell));
    })
    .toSorted((left, right) => left.rowNo - right.rowNo);
}

/** What the importer's own rules say; of a cell that cannot be read they know nothing. */
async function ruleFaults(
  importer: Importer,
  read: readonly ReadRow[],
  unreadable: readonly ImportFault[],
  reading: ImportReading,
): Promise<ImportFault[]> {
  const rows: readonly ParsedRow[] = importer.checksBrokenRows ? read : read.filter(({ broken }) => !broken);
  const faults = importer.validateRow ? rows.flatMap((row) => importer.validateRow!(row)) : [];
  if (importer.validateAll && rows.length > 0) faults.push(...(await importer.validateAll(rows, reading)));
  const cells = new Set(unreadable.map(cellOf));
  return faults.filter((fault) => !cells.has(cellOf(fault)));
}

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
  const faults: ImportFault[] = [];
  const today = dayOf(reading.now);
  const read = rows.map((row) => new ReadRow(importer, row, faults, today));
  faults.push(...(await ruleFaults(importer, read, faults, reading)));
  const wrong = new Set(faults.filter(({ severity }) => severity === 'ERROR').map(({ rowNo }) => rowNo));
  const correct = read.filter(({ rowNo }) => !wrong.has(rowNo));
  let done = rows.length - correct.length;
  for (let at = 0; at < correct.length; at += CHECK_ROWS) {
    const chunk = correct.slice(at, at + CHECK_ROWS);
    const plans = new Map(
      (
        await importer.plan(
          chunk.map(({ rowNo, record }) => ({ rowNo, record })),
          reading,
        )
      ).map((plan) => [plan.rowNo, plan]),
    );
    for (const row of chunk) {
      row.plan = plans.get(row.rowNo) ?? null;
      row.action = row.plan?.action ?? 'ERROR';
      // A row that an importer says nothing of is not left out in silence.
      if (!row.plan) faults.push({ rowNo: row.rowNo, columnKey: importer.columns[0]?.key ?? '', severity: 'ERROR', message: UNPLANNED });
    }
    done += chunk.length;
    await onProgress(done);
  }
  const count = (action: CheckedRow['action']) => read.reduce((sum, row) => sum + Number(row.action === action), 0);
  const error = count('ERROR');
  return {
    rows: read,
    faults: oneACell(faults),
    rowsHash: rowsHash(linesOf(read)),
    counts: {
      total: read.length,
      ok: read.length - error,
      error,
      warn: new Set(faults.filter(({ severity, rowNo }) => severity === 'WARN' && !wrong.has(rowNo)).map(({ rowNo }) => rowNo)).size,
      new: count('NEW'),
      changed: count('CHANGE'),
      same: count('SAME'),
    },
  };
}

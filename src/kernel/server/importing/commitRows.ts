import { refuse, type Refusal } from '../../contract/errors.ts';
import { fileErrors } from '../../contract/fileErrors.ts';
import type { Instant } from '../../contract/time.ts';
import type { Staff, Writing } from '../context.ts';
import type { Importer, PlannedRow } from './importer.ts';

/** Rows written at once: what is made for them is gone before the next collection of short-lived memory keeps it. */
const WRITE_ROWS = 200;
const NAMED_ROWS = 10;

interface Committing {
  importer: Importer;
  /** NEW and CHANGE rows of the check in order, some at a time; read twice, so that never all of them are held. */
  rows(): AsyncIterable<readonly PlannedRow[]>;
  batchNo: string;
  params: Readonly<Record<string, unknown>>;
  writing: Writing & { staff: Staff; now: Instant };
  /** Reports over another connection: this transaction is not visible yet. */
  onProgress(rowsDone: number): Promise<void>;
}

/** @throws Refusal SCM02037 naming the rows whose targets are not what they were when checked. */
async function requireUnchanged({ importer, rows, params, writing }: Committing): Promise<void> {
  const moved: number[] = [];
  const reading = { db: writing.tx, staff: writing.staff, params, now: writing.now };
  for await (const chunk of rows()) {
    const again = new Map((await importer.plan(chunk, reading)).map((row) => [row.rowNo, row]));
    for (const row of chunk) {
      const now = again.get(row.rowNo);
      if (now?.action !== row.action || now.targetId !== row.targetId || now.targetVersion !== row.targetVersion) moved.push(row.rowNo);
    }
  }
  if (moved.length > 0) throw rowsChanged(moved);
}

function rowsChanged(moved: readonly number[]): Refusal {
  const shown = moved.slice(0, NAMED_ROWS).join('、');
  return refuse(fileErrors.ROWS_CHANGED, { rows: moved.length > NAMED_ROWS ? `${shown}等${moved.length}` : shown });
}

/**
 * Writes the planned rows of a checked table within the caller's transaction: all of them or, with any error, none.
 * @returns the id written for each row number.
 */
export async function commitRows(work: Committing): Promise<Map<number, string>> {
  await requireUnchanged(work);
  const written = new Map<number, string>();
  // One object for all pieces: an importer may keep what it looked up by it.
  const writing = { ...work.writing, params: work.params };
  let done = 0;
  for await (const rows of work.rows()) {
    for (let at = 0; at < rows.length; at += WRITE_ROWS) {
      const chunk = rows.slice(at, at + WRITE_ROWS);
      for (const [rowNo, id] of await work.importer.commitChunk(chunk, work.batchNo, writing)) written.set(rowNo, id);
      // What an importer leaves out has lost its target since the check: no row is lost in silence.
      const left = chunk.filter(({ rowNo }) => !written.has(rowNo));
      if (left.length > 0) throw rowsChanged(left.map(({ rowNo }) => rowNo));
      await work.onProgress((done += chunk.length));
    }
  }
  return written;
}

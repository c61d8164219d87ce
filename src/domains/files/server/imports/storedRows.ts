import type { Selectable } from 'kysely';
import { firstCharacters } from '#kernel/contract/plainText.ts';
import type { Tx, Db } from '#kernel/server/context.ts';
import { insertRecords } from '#kernel/server/database/insertRecords.ts';
import { columnLetter } from '#kernel/server/documents/xlsxParts.ts';
import type { CheckedRow, CheckedTable } from '#kernel/server/importing/checkTable.ts';
import type { ImportFault, Importer, PlannedRow } from '#kernel/server/importing/importer.ts';
import { decodeRecord, encodeRecord } from '#kernel/server/importing/records.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { own } from '../database.ts';
import type { FilesImportRow } from '../tables.ts';

type StoredRow = Selectable<FilesImportRow>;

const ROWS_A_STATEMENT = 200;
/** Cell errors that are kept; the count stays exact. */
const MAX_ERRORS = 5_000;
export const VALUE_LENGTH = 80;

const slices = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / ROWS_A_STATEMENT) }, (_, index) =>
    all.slice(index * ROWS_A_STATEMENT, (index + 1) * ROWS_A_STATEMENT),
  );

function storedRow(kernel: Kernel, importer: Importer, taskId: string, row: CheckedRow, warned: ReadonlySet<number>) {
  const { encrypt } = kernel.secrets;
  return {
    taskId,
    rowNo: row.rowNo,
    rawCipher: encrypt(JSON.stringify(row.raw)),
    parsedCipher: encrypt(encodeRecord(importer.columns, row.record)),
    beforeCipher: row.plan?.before ? encrypt(encodeRecord(importer.columns, row.plan.before)) : null,
    action: row.action,
    hasWarning: warned.has(row.rowNo),
    targetId: row.plan?.targetId ?? null,
    targetVersion: row.plan?.targetVersion ?? null,
  };
}

function storedFault(importer: Importer, taskId: string, fault: ImportFault, raw: Readonly<Record<string, string>>) {
  const index = importer.columns.findIndex(({ key }) => key === fault.columnKey);
  const column = importer.columns[index];
  const value = raw[fault.columnKey] ?? '';
  return {
    taskId,
    rowNo: fault.rowNo,
    columnKey: fault.columnKey,
    columnLetter: columnLetter(Math.max(0, index)),
    columnLabel: column?.label ?? '',
    // What is sensitive stands in its row, encrypted.
    value: column?.sensitive && value !== '' ? '****' : firstCharacters(value, VALUE_LENGTH),
    severity: fault.severity,
    message: fault.message,
  };
}

/** Replaces the rows and faults of a task by those of a new check. */
export async function storeChecked(kernel: Kernel, tx: Tx, importer: Importer, taskId: string, checked: CheckedTable): Promise<void> {
  await own(tx).deleteFrom('filesImportCellError').where('taskId', '=', taskId).execute();
  await own(tx).deleteFrom('filesImportRow').where('taskId', '=', taskId).execute();
  const warned = new Set(checked.faults.filter(({ severity }) => severity === 'WARN').map(({ rowNo }) => rowNo));
  for (const rows of slices(checked.rows)) {
    await insertRecords(
      tx,
      'files_import_row',
      rows.map((row) => storedRow(kernel, importer, taskId, row, warned)),
    );
  }
  const named = new Set(checked.faults.map(({ rowNo }) => rowNo));
  const faulty = new Map(checked.rows.filter(({ rowNo }) => named.has(rowNo)).map((row) => [row.rowNo, row]));
  for (const faults of slices(checked.faults.slice(0, MAX_ERRORS))) {
    await insertRecords(
      tx,
      'files_import_cell_error',
      faults.map((fault) => storedFault(importer, taskId, fault, faulty.get(fault.rowNo)?.raw ?? {})),
    );
  }
}

/** Texts of a row as they stood in the file. */
export const rawOf = (kernel: Kernel, row: Pick<StoredRow, 'rawCipher'>): Record<string, string> =>
  JSON.parse(kernel.secrets.decrypt(row.rawCipher)) as Record<string, string>;

/** A stored row as it was planned. */
export function plannedOf(kernel: Kernel, importer: Importer, row: Omit<StoredRow, 'taskId' | 'rawCipher' | 'hasWarning'>): PlannedRow {
  const record = decodeRecord(importer.columns, kernel.secrets.decrypt(row.parsedCipher));
  const before = row.beforeCipher === null ? undefined : decodeRecord(importer.columns, kernel.secrets.decrypt(row.beforeCipher));
  return {
    rowNo: row.rowNo,
    record,
    action: row.action === 'CHANGE' ? 'CHANGE' : row.action === 'SAME' ? 'SAME' : 'NEW',
    ...(before ? { before } : {}),
    ...(row.targetId === null ? {} : { targetId: row.targetId }),
    ...(row.targetVersion === null ? {} : { targetVersion: row.targetVersion }),
  };
}

/** Rows that are read back at once: as many as a commit writes. */
const READ_ROWS = 200;

/** Rows that a commit writes, or has written, some at a time. */
export async function* plannedChunks(kernel: Kernel, db: Db | Tx, importer: Importer, taskId: string): AsyncGenerator<PlannedRow[]> {
  for (let after = 0; ;) {
    const rows = await own(db)
      .selectFrom('filesImportRow')
      .select(['rowNo', 'parsedCipher', 'beforeCipher', 'action', 'targetId', 'targetVersion'])
      .where('taskId', '=', taskId)
      .where('action', 'in', ['NEW', 'CHANGE'])
      .where('rowNo', '>', after)
      .orderBy('rowNo')
      .limit(READ_ROWS)
      .execute();
    if (rows.length > 0) yield rows.map((row) => plannedOf(kernel, importer, row));
    if (rows.length < READ_ROWS) return;
    after = rows.at(-1)!.rowNo;
  }
}

export async function plannedRows(kernel: Kernel, db: Db | Tx, importer: Importer, taskId: string): Promise<PlannedRow[]> {
  const all: PlannedRow[] = [];
  for await (const rows of plannedChunks(kernel, db, importer, taskId)) all.push(...rows);
  return all;
}

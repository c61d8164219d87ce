import { refuse } from '../../contract/errors.ts';
import { fileErrors } from '../../contract/fileErrors.ts';
import type { Instant } from '../../contract/time.ts';
import type { Db, Staff, Tx, Writing } from '../context.ts';
import type { ImportCell, Importer, ImportFault, ImportReading, ImportRecord, ParsedRow, PlannedRow } from './importer.ts';

interface StoredRow {
  id: string;
  /** Absent: such records have none, and what was said last holds. */
  version?: number;
}

/** Who imports, where and when; a batch knows its number. */
type Importing = Writing & { staff: Staff; now: Instant; params: Readonly<Record<string, unknown>>; batchNo: string };

/** A row that is written, with what it says of the record. */
interface UpsertRow<Values> {
  row: PlannedRow;
  values: Values;
}

type ImporterFacts = Pick<
  Importer,
  | 'code'
  | 'label'
  | 'call'
  | 'admit'
  | 'templateVersion'
  | 'columns'
  | 'permission'
  | 'undoPermission'
  | 'maxRows'
  | 'undoDays'
  | 'allowValidOnly'
  | 'scopeKey'
  | 'checksBrokenRows'
  | 'validateRow'
  | 'undo'
>;

interface UpsertSpec<Known, Stored extends StoredRow, Values extends object> extends ImporterFacts {
  /**
   * What the rows refer to, in few statements; asked again in the transaction that writes. `reading` is one object for all pieces of a
   * check or a commit. `writing`: what a new row may mean was looked for just before, in the same transaction.
   */
  lookUp(
    db: Db | Tx,
    rows: readonly (ParsedRow | PlannedRow)[],
    reading: Pick<ImportReading, 'staff' | 'params' | 'now'>,
    step: 'checking' | 'writing',
  ): Promise<Known>;
  /** Faults beyond the columns' own: references, doubles in the file. */
  validate?(rows: readonly ParsedRow[], known: Known, reading: ImportReading): ImportFault[] | Promise<ImportFault[]>;
  /** The record that a row means; undefined: there is none yet. */
  match(row: ParsedRow, known: Known): Stored | undefined;
  /** What a row says of the record, under the names that the record stores it by. */
  facts(row: ParsedRow, known: Known): Values;
  /** Values that a change replaces, for the preview; default: those of the columns that are stored under their own key. */
  before?(stored: Stored, row: ParsedRow): ImportRecord;
  /** Rows whose record is there already are left as they are. */
  addOnly?(params: Readonly<Record<string, unknown>>): boolean;
  /** Whether a stored record already says what the row says; default: every fact is equal. */
  same?(stored: Stored, values: Values): boolean;
  /** Writes new records. @returns their ids in the order of the rows. */
  insert(rows: readonly UpsertRow<Values>[], known: Known, writing: Importing): Promise<readonly string[]>;
  /** Replaces the facts of one record where it still has `stored.version`. @returns whether it had. */
  update(change: UpsertRow<Values> & { stored: Stored }, known: Known, writing: Importing): Promise<boolean>;
  /** After the rows of a piece are written: what follows from all of them. `ids` are those of the records by the numbers of the rows. */
  written?(rows: readonly PlannedRow[], known: Known, writing: Importing, ids: ReadonlyMap<number, string>): Promise<void>;
}

/** A stored value as a cell shows it. */
function cellOf(stored: object, key: string): ImportCell {
  const value: unknown = (stored as Readonly<Record<string, unknown>>)[key];
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean' ? value : null;
}

const equal = (left: unknown, right: unknown): boolean =>
  (left ?? null) === (right ?? null) || JSON.stringify(left) === JSON.stringify(right);

/** An importer whose rows each stand for one record: new ones are inserted, others changed where the row says something else. */
export function upsertImporter<Known, Stored extends StoredRow, Values extends object>(spec: UpsertSpec<Known, Stored, Values>): Importer {
  const { lookUp, validate, match, facts, before, addOnly, same, insert, update, written: after, ...rest } = spec;
  const isSame =
    same ??
    ((stored: Stored, values: Values) =>
      Object.entries(values).every(([key, value]) => equal((stored as Readonly<Record<string, unknown>>)[key], value)));
  const replaced = (stored: Stored, row: ParsedRow): ImportRecord =>
    before?.(stored, row) ?? Object.fromEntries(rest.columns.flatMap(({ key }) => (key in stored ? [[key, cellOf(stored, key)]] : [])));
  return {
    ...rest,
    ...(validate && {
      validateAll: async (rows: readonly ParsedRow[], reading: ImportReading) =>
        validate(rows, await lookUp(reading.db, rows, reading, 'checking'), reading),
    }),
    async plan(rows, reading) {
      const known = await lookUp(reading.db, rows, reading, 'checking');
      return rows.map((row): PlannedRow => {
        const stored = match(row, known);
        if (!stored) return { ...row, action: 'NEW' };
        const unchanged = (addOnly?.(reading.params) ?? false) || isSame(stored, facts(row, known));
        return {
          ...row,
          action: unchanged ? 'SAME' : 'CHANGE',
          targetId: stored.id,
          ...(stored.version !== undefined && { targetVersion: stored.version }),
          before: replaced(stored, row),
        };
      });
    },
    async commitChunk(rows, batchNo, given) {
      const writing: Importing = { ...given, batchNo };
      const known = await lookUp(given.tx, rows, given, 'writing');
      const ids = new Map<number, string>(rows.flatMap((row) => (row.targetId === undefined ? [] : [[row.rowNo, row.targetId]])));
      const fresh = rows.filter(({ action }) => action === 'NEW').map((row) => ({ row, values: facts(row, known) }));
      const made = fresh.length > 0 ? await insert(fresh, known, writing) : [];
      fresh.forEach(({ row }, at) => ids.set(row.rowNo, made[at]!));
      for (const row of rows.filter(({ action }) => action === 'CHANGE')) {
        const stored = match(row, known);
        if (!stored || !(await update({ row, values: facts(row, known), stored }, known, writing)))
          throw refuse(fileErrors.ROWS_CHANGED, { rows: String(row.rowNo) });
      }
      await after?.(rows, known, writing, ids);
      return ids;
    },
  };
}

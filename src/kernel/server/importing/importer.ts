import type { Call } from '../../contract/call.ts';
import type { AnyDictionary } from '../../contract/dictionary.ts';
import type { Refusal } from '../../contract/errors.ts';
import type { Instant } from '../../contract/time.ts';
import type { CommandContext, Db, Staff, Writing } from '../context.ts';

export type ImportCell = string | number | bigint | boolean | null;
export type ImportCellType = 'text' | 'int' | 'money' | 'bp' | 'day' | 'dict' | 'adcode' | 'mobile' | 'idNo';

export interface ImportColumn {
  key: string;
  label: string;
  /** Other heads under which tables of others have it. */
  aliases?: readonly string[];
  type: ImportCellType;
  required?: boolean;
  maxLength?: number;
  dictionary?: Pick<AnyDictionary, 'options'>;
  example?: string;
  note?: string;
  sensitive?: boolean;
  /** A text as the field keeps it: names in their one form. */
  form?(text: string): string;
  /** Rule of the field beyond its type; null: the value is right. */
  check?(value: ImportCell): string | null;
}

export type ImportRecord = Readonly<Record<string, ImportCell>>;

export interface ImportFault {
  /** Row of the sheet; the header is row 1. */
  rowNo: number;
  columnKey: string;
  severity: 'ERROR' | 'WARN';
  message: string;
}

export interface ParsedRow {
  rowNo: number;
  record: ImportRecord;
}

export type RowAction = 'NEW' | 'CHANGE' | 'SAME';

export interface PlannedRow extends ParsedRow {
  action: RowAction;
  /** Values that a CHANGE row replaces. */
  before?: ImportRecord;
  targetId?: string;
  /** Version of the row to be changed; compared again on commit. */
  targetVersion?: number;
}

export interface ImportReading {
  db: Db;
  staff: Staff;
  params: Readonly<Record<string, unknown>>;
  now: Instant;
}

/** One kind of table that can be imported: its template, checks, plan, writing and undoing. */
export interface Importer {
  code: string;
  label: string;
  /**
   * The domain's own call that starts it; what it takes beside file and mode are the importer's parameters. Its handler is made of
   * this.
   */
  call?: Call;
  /** Refuses such a call for what its parameters name, before the file is taken. */
  admit?(ctx: CommandContext, params: Readonly<Record<string, unknown>>): Promise<unknown>;
  templateVersion: string;
  columns: readonly ImportColumn[];
  permission: string;
  undoPermission?: string;
  /** Default 20,000; 100,000 at most. */
  maxRows?: number;
  /** Days within which a batch can be undone; default 7. */
  undoDays?: number;
  allowValidOnly?: boolean;
  /** Rows of the table that are none of its own: a line of totals. */
  isLeftOut?(texts: readonly string[]): boolean;
  /** Refusal of the same content again; default SCM02038. */
  sameContent?(told: { time: string; batchNo: string }): Refusal;
  /** What "the same content again" is limited to; default `*`. */
  scopeKey?(params: Readonly<Record<string, unknown>>): string;
  /**
   * The rules below also take rows with unreadable cells, which are null to them: the operator sees all faults at once.
   * Only for rules that look at one cell at a time; what they say of an unreadable cell is left out.
   */
  checksBrokenRows?: boolean;
  /** Checks one row beyond the types of its cells. */
  validateRow?(row: ParsedRow): ImportFault[];
  /** Checks rows together (duplicates in the file, references), at least one; one query per 1,000 rows. */
  validateAll?(rows: readonly ParsedRow[], reading: ImportReading): Promise<ImportFault[]>;
  /** Decides what each correct row will do. */
  plan(rows: readonly ParsedRow[], reading: ImportReading): Promise<PlannedRow[]>;
  /** Writes at most 500 rows; answers the id written for each row number. */
  commitChunk(
    rows: readonly PlannedRow[],
    batchNo: string,
    writing: Writing & { staff: Staff; now: Instant; params: Readonly<Record<string, unknown>> },
  ): Promise<ReadonlyMap<number, string>>;
  /**
   * Takes a whole batch back.
   * @returns the first row that is used elsewhere (then nothing may have been written), or null.
   */
  undo?(
    rows: readonly PlannedRow[],
    batchNo: string,
    writing: Writing & { staff: Staff; now: Instant },
  ): Promise<{ rowNo: number; no: string } | null>;
}

import type { Call, CheckedInputOf } from '../../contract/call.ts';
import type { Dictionary } from '../../contract/dictionary.ts';
import { filtersOf } from '../../contract/exporting.ts';
import { mask, type SensitiveKind } from '../../contract/masking.ts';
import type { Db, ProcedureContext, Staff } from '../context.ts';
import type { Instant } from '../../contract/time.ts';
import type { Ports } from '../ports.ts';

/** `money` takes fen, `bp` basis points (shown as percent), `instant` ISO text, `day` `YYYY-MM-DD`. */
export type CellKind = 'text' | 'int' | 'money' | 'bp' | 'day' | 'instant' | 'flag';
export type Cell = string | number | bigint | boolean | Shown | Unreadable | null | undefined;

/** A value that is shown in full in a sensitive column, as the list shows it (a doctor's name among patients'). */
export class Shown {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** A value that a row does not give away: something in it is not as the product keeps it. The export goes on, its cell is marked. */
export class Unreadable {
  readonly error: unknown;
  constructor(error: unknown) {
    this.error = error;
  }
}

/** What is known of a column without its rows. */
export interface ExportColumnFacts {
  key: string;
  label: string;
  /** Default `text`. */
  kind?: CellKind;
  /** Width in characters. */
  width?: number;
  /** Masked unless the export is plain. */
  sensitive?: SensitiveKind;
  /** The value is a code of this dictionary; its Chinese label is written. */
  dictionary?: Pick<Dictionary, 'label'>;
}

export interface ExportColumn<Row> extends ExportColumnFacts {
  value(row: Row): Cell;
}

/** `db` is one snapshot of the data: a transaction. */
export interface ExportReading<Filter = unknown> {
  db: Db;
  staff: Staff;
  filter: Filter;
  now: Instant;
}

/** One page of the list, as it is shown on the screen. */
export interface ExportPage {
  pageNo: number;
  pageSize: number;
}

interface ExportFacts<C extends Call> {
  /** The export call; its input holds the list's filters beside `exportFields`. */
  call: C;
  title: string;
  routeKey: string;
  permission: string;
  /** Right to its sensitive columns in plain; default: the right to plain exports of any list. */
  plainPermission?: string;
}

/** What is chosen of a sheet beside its rows. */
export interface ExportChoice {
  columns?: readonly string[];
  plain?: boolean;
  plainReason?: string;
}

interface ExportSpec<C extends Call, Row> extends ExportFacts<C> {
  /** What follows from the question where it says columns and plain text in words of its own; may refuse it. */
  chosen?(filter: CheckedInputOf<C>, ctx: ProcedureContext): ExportChoice;
  /** The list whose rows `chunks` answers in its order, where that is no `listOf` (a page after a cursor). */
  list?: Call;
  /** Chinese sentence of the filters, for the sheet 说明 and the download centre. */
  describe?(filter: CheckedInputOf<C>): string;
  /** Exact. */
  count(reading: ExportReading<CheckedInputOf<C>>): Promise<number>;
  /** All rows in their order, in chunks of at most 1,000; runs within one snapshot. Rows of a list: see `listExport`. */
  chunks(reading: ExportReading<CheckedInputOf<C>>): AsyncIterable<readonly Row[]>;
  columns: readonly ExportColumn<Row>[];
  /** Widths in characters that the request gives columns, in the place of the declared ones. */
  widths?(filter: CheckedInputOf<C>): ReadonlyMap<string, number>;
}

/** Where the files of an archive come from. */
interface ArchiveParts {
  ports: Pick<Ports, 'files'>;
}

/** One file of an archive. */
interface ArchiveEntry {
  name: string;
  body: Buffer;
}

/** What a list's export call writes: the same filters and rights as the list, other columns. */
export interface ExportSource extends ExportFacts<Call> {
  /** The list whose rows are exported; null: what it exports is no list. */
  list: Call | null;
  columns: readonly ExportColumnFacts[];
  chosen?(input: unknown, ctx: ProcedureContext): ExportChoice;
  widths?(filter: unknown): ReadonlyMap<string, number>;
  describe(filter: unknown): string;
  count(reading: ExportReading): Promise<number>;
  /** Cells of the chosen columns, row by row, in chunks; of one page alone where it is named. */
  chunks(reading: ExportReading, columns: readonly string[], page?: ExportPage): AsyncIterable<Cell[][]>;
  /** Present: the task makes a ZIP archive of these files instead of a table. */
  entries?(reading: ExportReading, parts: ArchiveParts): AsyncIterable<ArchiveEntry>;
}

const MOBILE = /(?<![0-9A-Za-z])1\d{10}(?![0-9A-Za-z])/g;
const ID_NO = /(?<![0-9A-Za-z])\d{17}[0-9Xx](?![0-9A-Za-z])/g;
/** Whoever searched by a number gets it back masked: the note travels with the file. */
const masked = (text: string) =>
  text.replaceAll(MOBILE, (number) => mask('mobile', number)).replaceAll(ID_NO, (number) => mask('idNo', number));

/** What an export holds: the source's own sentence, else the page's words, and the page of the list. Never 全部 of a part. */
export function filterTextOf(source: Pick<ExportSource, 'describe'>, params: unknown): string {
  const { filterText, page } = (params ?? {}) as { filterText?: string; page?: { pageNo: number; pageSize: number } };
  const description =
    source.describe(params) || masked(filterText ?? '') || (Object.keys(filtersOf(params)).length === 0 ? '全部' : '按条件筛选');
  return page ? `${description}；第${page.pageNo}页（每页${page.pageSize}条）` : description;
}

/**
 * Declares what an export call writes. Filters arrive as the call's schema has checked them.
 * Name the row type on `columns` (`ExportColumn<UserRow>[]`) where it is not inferred from `chunks`.
 */
export function exportSource<C extends Call, Row>(spec: ExportSpec<C, Row>): ExportSource {
  // The filter was parsed with the schema of this very call.
  const typed = (reading: ExportReading) => ({ ...reading, filter: reading.filter as CheckedInputOf<C> });
  return {
    call: spec.call,
    list: spec.list ?? null,
    title: spec.title,
    routeKey: spec.routeKey,
    permission: spec.permission,
    ...(spec.plainPermission !== undefined && { plainPermission: spec.plainPermission }),
    columns: spec.columns,
    chosen: (filter, ctx) => spec.chosen?.(filter as CheckedInputOf<C>, ctx) ?? {},
    widths: (filter) => spec.widths?.(filter as CheckedInputOf<C>) ?? new Map(),
    describe: (filter) => spec.describe?.(filter as CheckedInputOf<C>) ?? '',
    count: (reading) => spec.count(typed(reading)),
    async *chunks(reading, keys, page) {
      const cellsOf = chosenCells(spec.columns, keys);
      for await (const rows of partOf(spec.chunks(typed(reading)), page)) yield rows.map(cellsOf);
    },
  };
}

/** Cells of the chosen columns of a row. */
export function chosenCells<Row>(columns: readonly ExportColumn<Row>[], keys: readonly string[]): (row: Row) => Cell[] {
  const chosen = keys.map((key) => columns.find((column) => column.key === key)!);
  return (row) => chosen.map((column) => readable(column, row));
}

function readable<Row>(column: ExportColumn<Row>, row: Row): Cell {
  try {
    return column.value(row);
  } catch (error) {
    return new Unreadable(error);
  }
}

/** The rows of one page out of all of them. */
async function* partOf<Row>(chunks: AsyncIterable<readonly Row[]>, page: ExportPage | undefined): AsyncGenerator<readonly Row[]> {
  const first = page ? (page.pageNo - 1) * page.pageSize : 0;
  const end = page ? first + page.pageSize : Number.POSITIVE_INFINITY;
  let at = 0;
  for await (const rows of chunks) {
    const part = rows.slice(Math.max(0, first - at), Math.max(0, end - at));
    if (part.length > 0) yield part;
    at += rows.length;
    if (at >= end) return;
  }
}

interface ArchiveSpec<C extends Call> extends ExportFacts<C> {
  describe(filter: CheckedInputOf<C>): string;
  /** Files there will be at most, for the progress. */
  count(reading: ExportReading<CheckedInputOf<C>>): Promise<number>;
  entries(reading: ExportReading<CheckedInputOf<C>>, parts: ArchiveParts): AsyncIterable<ArchiveEntry>;
}

/** Declares files that the download centre packs into one archive. */
export function archiveSource<C extends Call>(spec: ArchiveSpec<C>): ExportSource {
  const typed = (reading: ExportReading) => ({ ...reading, filter: reading.filter as CheckedInputOf<C> });
  return {
    call: spec.call,
    list: null,
    title: spec.title,
    routeKey: spec.routeKey,
    permission: spec.permission,
    columns: [],
    describe: (filter) => spec.describe(filter as CheckedInputOf<C>),
    count: (reading) => spec.count(typed(reading)),
    async *chunks() {},
    entries: (reading, parts) => spec.entries(typed(reading), parts),
  };
}

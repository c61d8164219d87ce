import { refuse } from '../../contract/errors.ts';
import { fileErrors } from '../../contract/fileErrors.ts';
import type { Importer } from './importer.ts';
import { cellText, type RawCell } from './normalise.ts';
import { belowHeader, isBlank, openTable, requireUnmerged, type OpenTable, type TableType } from './openTable.ts';
import { DICTIONARY_SHEET, NOTES_SHEET, TEMPLATE_MARK } from './template.ts';
import type { Merged, SheetRow } from './xlsxRows.ts';

export const DEFAULT_MAX_ROWS = 20_000;

export interface RawRow {
  /** Row of the sheet; the header is row 1 where nothing stands above it. */
  rowNo: number;
  /** Cells by the importer's column keys. */
  cells: Readonly<Record<string, RawCell>>;
  /** The operator does not see it in his table. */
  hidden?: boolean;
}

/** Header text as it is compared: without the mark of required columns. */
const headerLabel = (raw: RawCell) => cellText(raw).replaceAll('*', '').trim();

/** @throws Refusal SCM02030 not this template, SCM02031 another version of it. */
async function requireTemplate(table: OpenTable, importer: Importer): Promise<void> {
  let mark: string[] = [];
  if (table.sheets.some(({ name }) => name === NOTES_SHEET)) {
    for await (const row of table.rows(NOTES_SHEET)) {
      mark = row.cells.map((cell) => cellText(cell));
      break;
    }
  }
  if (mark[0] !== TEMPLATE_MARK || mark[1] !== importer.code) throw refuse(fileErrors.NO_TEMPLATE);
  if (mark[3] !== importer.templateVersion) throw refuse(fileErrors.OLD_TEMPLATE);
}

/** Places of the importer's columns in a row, as far as it has them. */
function placesIn(cells: SheetRow['cells'], importer: Importer): Map<string, number> {
  const labels = cells.map(headerLabel);
  return new Map(
    importer.columns.flatMap(({ key, label, aliases = [] }) => {
      const head = [label, ...aliases].find((one) => labels.includes(one));
      return head === undefined ? [] : [[key, labels.indexOf(head)] as const];
    }),
  );
}

interface FoundSheet {
  name: string;
  hidden: boolean;
  header: SheetRow;
  places: Map<string, number>;
  /** Whether anything stands below the header. */
  filled: boolean;
}

/** Every sheet that has a header of the importer's. */
async function sheetsOf(table: OpenTable, importer: Importer): Promise<FoundSheet[]> {
  const found: FoundSheet[] = [];
  for (const { name, hidden } of table.sheets) {
    if (name === NOTES_SHEET || name === DICTIONARY_SHEET) continue;
    const below = await headed(table, name, importer);
    if (!below) continue;
    const next = below.rows[Symbol.asyncIterator]();
    const { done } = await next.next();
    await next.return?.();
    found.push({ name, hidden, header: below.header, places: placesIn(below.header.cells, importer), filled: !done });
  }
  return found;
}

const headed = (table: OpenTable, name: string, importer: Importer, merged?: Merged[]) =>
  belowHeader(table.rows(name, merged), {
    fit(cells) {
      const { size } = placesIn(cells, importer);
      return { found: size, all: size === importer.columns.length };
    },
    expected: 1,
  });

const quoted = (name: string) => (name === '' ? '' : `工作表“${name}”`);

/**
 * The sheet that the operator filled in, wherever it stands in the workbook.
 * @throws Refusal SCM02030 none, SCM02032 none with all columns, SCM02033 nothing in it, SCM02045 several
 */
async function sheetToRead(table: OpenTable, importer: Importer): Promise<FoundSheet> {
  const sheets = await sheetsOf(table, importer);
  const [widest] = sheets.toSorted((a, b) => Number(a.hidden) - Number(b.hidden) || b.places.size - a.places.size);
  if (!widest) throw refuse(fileErrors.NO_TEMPLATE);
  const whole = sheets.filter(({ places }) => places.size === importer.columns.length);
  const seen = whole.filter(({ hidden }) => !hidden);
  if (seen.length === 0) {
    const missing = importer.columns.filter(({ key }) => !widest.places.has(key)).map(({ label }) => label);
    const [hidden] = whole;
    const labels = hidden ? `可见的工作表中没有数据列，它们在隐藏的工作表“${hidden.name}”中，请取消隐藏` : missing.join('、');
    throw refuse(fileErrors.MISSING_COLUMNS, {
      labels: hidden || table.sheets.length === 1 ? labels : `${labels}（${quoted(widest.name)}）`,
    });
  }
  const filled = seen.filter((sheet) => sheet.filled);
  const [first, second] = filled;
  if (!first) throw refuse(fileErrors.NO_ROWS);
  if (second) throw refuse(fileErrors.SEVERAL_SHEETS, { first: first.name, second: second.name });
  return first;
}

/**
 * Reads an uploaded table; rows without any value are left out and count against no limit, every other row is answered.
 * @param type detected type of the bytes, already inspected for size and structure
 * @throws Refusal SCM02007, SCM02030 to SCM02035, SCM02043 to SCM02045.
 */
export async function readTable(bytes: Buffer, type: TableType, importer: Importer): Promise<RawRow[]> {
  const maxRows = importer.maxRows ?? DEFAULT_MAX_ROWS;
  const table = await openTable(bytes, type);
  if (type === 'xlsx') await requireTemplate(table, importer);
  const { name, header, places } = await sheetToRead(table, importer);
  const merged: Merged[] = [];
  const rows: RawRow[] = [];
  for await (const row of table.rows(name, merged)) {
    if (row.rowNo <= header.rowNo || isBlank(row)) continue;
    if (importer.isLeftOut?.(row.cells.map((cell) => cellText(cell)))) continue;
    const cells = Object.fromEntries([...places].map(([key, place]) => [key, row.cells[place]]));
    rows.push({ rowNo: row.rowNo, cells, ...(row.hidden && { hidden: true }) });
    if (rows.length > maxRows) throw refuse(fileErrors.TOO_MANY_IMPORT_ROWS, { max: maxRows });
  }
  requireUnmerged(merged, header, places.values());
  return rows;
}

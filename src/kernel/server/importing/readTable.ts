import { refuse } from '../../contract/errors.ts';
import { fileErrors } from '../../contract/fileErrors.ts';
import type { Importer } from './importer.ts';
import { cellText, type RawCell } from './normalise.ts';
import { csvRows, decodeText } from './readCsv.ts';
import { formulaOrMergedCell } from './sheetFaults.ts';
import { NOTES_SHEET, TEMPLATE_MARK } from './template.ts';
import { xlsxRows } from './xlsxRows.ts';

export const DEFAULT_MAX_ROWS = 20_000;

export interface RawRow {
  /** Row of the sheet; the header is row 1. */
  rowNo: number;
  /** Cells by the importer's column keys. */
  cells: Readonly<Record<string, RawCell>>;
}

interface SheetRow {
  rowNo: number;
  values: readonly RawCell[];
}

/** Header text as it is compared: without the mark of required columns. */
const headerLabel = (raw: RawCell) => cellText(raw).replaceAll('*', '').trim();

/** @throws Refusal SCM02030 not this template, SCM02031 another version of it. */
async function requireTemplate(bytes: Buffer, importer: Importer): Promise<void> {
  const mark: string[] = [];
  try {
    for await (const row of xlsxRows(bytes, { sheet: NOTES_SHEET, maxRows: 1 })) mark.push(...row.values.map((cell) => cellText(cell)));
  } catch {
    throw refuse(fileErrors.NO_TEMPLATE);
  }
  if (mark[0] !== TEMPLATE_MARK || mark[1] !== importer.code) throw refuse(fileErrors.NO_TEMPLATE);
  if (mark[3] !== importer.templateVersion) throw refuse(fileErrors.OLD_TEMPLATE);
}

async function* xlsxSheetRows(bytes: Buffer, maxRows: number): AsyncGenerator<SheetRow> {
  for await (const row of xlsxRows(bytes, { maxRows })) yield { rowNo: row.index + 1, values: row.values };
}

function* csvSheetRows(text: string, maxRows: number): Generator<SheetRow> {
  let rowNo = 0;
  for (const values of csvRows(text, maxRows)) yield { rowNo: (rowNo += 1), values };
}

/** Places of the importer's columns in the header row. */
function columnPlaces(header: readonly RawCell[], importer: Importer): Map<string, number> {
  const labels = header.map(headerLabel);
  const places = new Map(importer.columns.map(({ key, label }) => [key, labels.indexOf(label)]));
  const missing = importer.columns.filter(({ key }) => places.get(key)! < 0);
  if (missing.length === importer.columns.length) throw refuse(fileErrors.NO_TEMPLATE);
  if (missing.length > 0) throw refuse(fileErrors.MISSING_COLUMNS, { labels: missing.map(({ label }) => label).join('、') });
  return places;
}

/**
 * Reads an uploaded table; rows without any value are left out.
 * @param type detected type of the bytes, already inspected for size and structure
 * @throws Refusal SCM02007, SCM02030 to SCM02035.
 */
export async function readTable(bytes: Buffer, type: 'xlsx' | 'csv', importer: Importer): Promise<RawRow[]> {
  const maxRows = importer.maxRows ?? DEFAULT_MAX_ROWS;
  let source: AsyncIterable<SheetRow> | Iterable<SheetRow>;
  if (type === 'xlsx') {
    await requireTemplate(bytes, importer);
    source = xlsxSheetRows(bytes, maxRows + 1_000);
  } else {
    const text = decodeText(bytes);
    if (text === null) throw refuse(fileErrors.UNREADABLE, { reason: '编码无法识别' });
    source = csvSheetRows(text, maxRows + 1_000);
  }
  let places: Map<string, number> | null = null;
  const rows: RawRow[] = [];
  for await (const row of source) {
    if (!places) {
      places = columnPlaces(row.values, importer);
      continue;
    }
    const cells: Record<string, RawCell> = {};
    let filled = false;
    for (const [key, place] of places) {
      const cell = row.values[place];
      cells[key] = cell;
      filled ||= cellText(cell) !== '';
    }
    if (!filled) continue;
    rows.push({ rowNo: row.rowNo, cells });
    if (rows.length > maxRows) throw refuse(fileErrors.TOO_MANY_IMPORT_ROWS, { max: maxRows });
  }
  if (!places) throw refuse(fileErrors.NO_TEMPLATE);
  if (rows.length === 0) throw refuse(fileErrors.NO_ROWS);
  if (type === 'xlsx') {
    const cell = await formulaOrMergedCell(bytes);
    if (cell) throw refuse(fileErrors.FORMULA, { cell });
  }
  return rows;
}

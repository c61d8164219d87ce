import { refuse } from '../../contract/errors.ts';
import { fileErrors } from '../../contract/fileErrors.ts';
import { cellText } from './normalise.ts';
import { textRows } from './readCsv.ts';
import { openWorkbook, type Sheet } from './workbook.ts';
import { xlsxRows, type Merged, type SheetRow } from './xlsxRows.ts';

export type TableType = 'xlsx' | 'csv';

/** An uploaded table of one sheet or several, read the same way whoever asks for it. */
export interface OpenTable {
  /** A text has one sheet, without a name. */
  sheets: readonly Pick<Sheet, 'name' | 'hidden'>[];
  /**
   * All rows of a sheet from its first on, blank ones as the file has them.
   * @throws Refusal SCM02043, SCM02044 with the row at which it stopped
   */
  rows(sheet: string, merged?: Merged[]): AsyncIterable<SheetRow>;
}

async function* rowsOfText(bytes: Buffer): AsyncGenerator<SheetRow> {
  let rowNo = 0;
  for (const cells of textRows(bytes)) yield { rowNo: (rowNo += 1), cells, hidden: false };
}

/** @throws Refusal SCM02007 where it cannot be opened */
export async function openTable(bytes: Buffer, type: TableType): Promise<OpenTable> {
  if (type === 'csv') return { sheets: [{ name: '', hidden: false }], rows: () => rowsOfText(bytes) };
  const book = await openWorkbook(bytes);
  return {
    sheets: book.sheets,
    rows(name, merged) {
      const sheet = book.sheets.find((one) => one.name === name);
      if (!sheet) throw new Error(`no sheet ${name}`);
      return xlsxRows(book, sheet, merged);
    },
  };
}

export const isBlank = ({ cells }: Pick<SheetRow, 'cells'>): boolean => cells.every((cell) => cellText(cell) === '');

/** Rows among which the header is looked for: titles, notes and blank rows may stand above it. */
const LOOKED_AT = 50;

interface HeaderSearch {
  /** How much of what is wanted a row has as headers; `all` of it makes it the header at once. */
  fit(cells: SheetRow['cells']): { found: number; all: boolean };
  /** Where it is expected: among rows that fit as well, the one here. */
  expected: number;
}

export interface HeaderAndRows {
  header: SheetRow;
  /** What follows it, blank rows left out. */
  rows: AsyncIterable<SheetRow>;
}

/** Finds the header of a sheet; null: none of its first rows has any of what is wanted. */
export async function belowHeader(rows: AsyncIterable<SheetRow>, { fit, expected }: HeaderSearch): Promise<HeaderAndRows | null> {
  const reading = rows[Symbol.asyncIterator]();
  const looked: SheetRow[] = [];
  let best: { at: number; found: number } | null = null;
  let whole = false;
  while (!whole && looked.length < LOOKED_AT) {
    const { done, value } = await reading.next();
    if (done) break;
    looked.push(value);
    const { found, all } = fit(value.cells);
    const better = best === null || found > best.found || (found === best.found && value.rowNo === expected);
    if (found > 0 && better) best = { at: looked.length - 1, found };
    whole = all;
  }
  const header = best === null ? undefined : looked[best.at];
  if (best === null || !header) {
    await reading.return?.();
    return null;
  }
  const ahead = looked.slice(best.at + 1);
  async function* below(): AsyncGenerator<SheetRow> {
    try {
      for (const row of ahead) if (!isBlank(row)) yield row;
      for (let next = await reading.next(); !next.done; next = await reading.next()) if (!isBlank(next.value)) yield next.value;
    } finally {
      await reading.return?.();
    }
  }
  return { header, rows: below() };
}

/** @throws Refusal SCM02035 for merged cells in the header or below it, in a column that is read */
export function requireUnmerged(merged: readonly Merged[], { rowNo }: SheetRow, columns: Iterable<number>): void {
  const read = [...columns];
  const one = merged.find(
    ({ toRow, fromColumn, toColumn }) => toRow >= rowNo - 1 && read.some((column) => column >= fromColumn && column <= toColumn),
  );
  if (one) throw refuse(fileErrors.MERGED, { cell: one.ref });
}

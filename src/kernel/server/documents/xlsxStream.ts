import { type CellStyle, type SheetFrame, cellStyle, columnLetter, packageParts, sheetFrame, xmlText } from './xlsxParts.ts';
import { ZipStream } from './zipStream.ts';

// hucre reads workbooks; its streaming writer (1.0.0) makes one list of rows without page header and drop-down lists, ours several
// sheets with a frame each (a sheet of filters, of notes, a new one after 500,000 rows), in memory that does not grow either.

export interface XlsxCell {
  text: string;
  /** Written as a number; `text` must then be a decimal number. */
  numeric?: boolean;
  style?: CellStyle;
}

export interface XlsxSheet extends SheetFrame {
  name: string;
  rows: AsyncIterable<readonly XlsxCell[]> | Iterable<readonly XlsxCell[]>;
}

/** Excel keeps 15 digits of a number. */
const EXACT_DIGITS = 15;
const FLUSH_CHARACTERS = 65_536;

const isExact = (text: string) => text.replace(/[-.]/g, '').replace(/^0+/, '').length <= EXACT_DIGITS;

function cellXml(cell: XlsxCell, letter: string, rowNo: number): string {
  if (cell.text === '' && cell.style === undefined) return '';
  const place = `<c r="${letter}${rowNo}"`;
  if (cell.numeric && isExact(cell.text)) {
    return `${place} s="${cellStyle[cell.style ?? 'plain']}"><v>${cell.text}</v></c>`;
  }
  const style = cell.numeric ? 'text' : (cell.style ?? 'text');
  return `${place} t="inlineStr" s="${cellStyle[style]}"><is><t xml:space="preserve">${xmlText(cell.text)}</t></is></c>`;
}

async function* sheetXml(sheet: XlsxSheet): AsyncGenerator<Buffer> {
  const { head, tail } = sheetFrame(sheet);
  const letters: string[] = [];
  let pending = head;
  let rowNo = 0;
  for await (const row of sheet.rows) {
    rowNo += 1;
    while (letters.length < row.length) letters.push(columnLetter(letters.length));
    pending += `<row r="${rowNo}">${row.map((cell, index) => cellXml(cell, letters[index]!, rowNo)).join('')}</row>`;
    if (pending.length >= FLUSH_CHARACTERS) {
      yield Buffer.from(pending);
      pending = '';
    }
  }
  yield Buffer.from(pending + tail);
}

/**
 * Writes a workbook piece by piece; memory does not grow with the number of rows.
 * Texts are never formulas; numbers of more than 15 digits are written as text.
 */
export async function* xlsxStream(sheets: readonly XlsxSheet[]): AsyncGenerator<Buffer> {
  const zip = new ZipStream();
  for (const [name, xml] of packageParts(sheets.map((sheet) => sheet.name))) {
    yield* zip.entry(name, [Buffer.from(xml)]);
  }
  for (const [index, sheet] of sheets.entries()) {
    yield* zip.entry(`xl/worksheets/sheet${index + 1}.xml`, sheetXml(sheet));
  }
  yield zip.end();
}

/** Joins pieces; for documents known to be small. */
export async function bufferOf(pieces: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

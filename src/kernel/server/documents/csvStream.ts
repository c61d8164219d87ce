import type { XlsxCell } from './xlsxStream.ts';

const BOM = '\uFEFF';
const FLUSH_CHARACTERS = 65_536;

/** Excel takes a text that starts so for a formula. */
const FORMULA_START = /^[=+\-@\t\r]/;

/** One cell: neutralised unless it is a number, quoted where needed. */
export function csvCell(cell: XlsxCell): string {
  const safe = !cell.numeric && FORMULA_START.test(cell.text) ? `'${cell.text}` : cell.text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Writes CSV in UTF-8 with a byte order mark, so that Excel reads Chinese. */
export async function* csvStream(rows: AsyncIterable<readonly XlsxCell[]> | Iterable<readonly XlsxCell[]>): AsyncGenerator<Buffer> {
  let pending = BOM;
  for await (const row of rows) {
    pending += `${row.map(csvCell).join(',')}\r\n`;
    if (pending.length >= FLUSH_CHARACTERS) {
      yield Buffer.from(pending);
      pending = '';
    }
  }
  yield Buffer.from(pending);
}

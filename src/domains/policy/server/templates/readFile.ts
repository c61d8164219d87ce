import { createHash } from 'node:crypto';
import { refuse } from '../../../../kernel/contract/errors.ts';
import { fileErrors } from '../../../../kernel/contract/fileErrors.ts';
import type { Db } from '../../../../kernel/server/context.ts';
import { unzipEntry, zipEntries } from '../../../../kernel/server/documents/zipRead.ts';
import { cellText, type RawCell } from '../../../../kernel/server/importing/normalise.ts';
import { csvRows, decodeText } from '../../../../kernel/server/importing/readCsv.ts';
import { xlsxRows } from '../../../../kernel/server/importing/xlsxRows.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import { policyErrors } from '../../contract/errors.ts';
import type { Layout } from '../../contract/rules/template.ts';

/** Rows of one list. */
export const MOST_ROWS = 3_000_000;
export const MOST_BYTES = 100 * 1024 * 1024;

export interface ListFile {
  bytes: Buffer;
  fileName: string;
  sha256: string;
}

/** The uploaded list in memory: at most 100 MB, packed. @throws Refusal SCM13032 */
export async function openList(kernel: Kernel, db: Db, fileId: string): Promise<ListFile> {
  const { body, fileName, size } = await kernel.ports.files.openRead(db, fileId);
  if (size > MOST_BYTES) throw refuse(policyErrors.FILE_TOO_LARGE);
  const pieces: Buffer[] = [];
  for await (const piece of body) pieces.push(Buffer.from(piece as Uint8Array));
  const bytes = Buffer.concat(pieces);
  return { bytes, fileName, sha256: createHash('sha256').update(bytes).digest('hex') };
}

const MOST_XML = 10 * 1024 * 1024;
const plain = (xml: string): string =>
  xml.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&apos;', "'").replaceAll('&amp;', '&');
/** Names of the workbook's sheets in their order; a list without sheets has none. */
export async function sheetNames({ bytes, fileName }: ListFile): Promise<string[]> {
  if (/\.csv$/i.test(fileName)) return [];
  const entry = zipEntries(bytes).find(({ name }) => name === 'xl/workbook.xml');
  const xml = entry ? (await unzipEntry(bytes, entry, MOST_XML)).toString() : '';
  return (xml.match(/<(?:\w+:)?sheet\s[^>]*>/g) ?? []).flatMap((sheet) => {
    const name = /\sname="([^"]*)"/.exec(sheet)?.[1];
    return name === undefined ? [] : [plain(name)];
  });
}

export interface SheetRow {
  /** Row of the sheet; blank rows are counted. */
  rowNo: number;
  cells: string[];
}

/** All rows of the sheet, blank ones left out by the reader. */
export async function* sheetRows({ bytes, fileName }: ListFile, layout: Pick<Layout, 'sheet'>): AsyncGenerator<SheetRow> {
  if (/\.csv$/i.test(fileName)) {
    const text = decodeText(bytes);
    if (text === null) throw refuse(fileErrors.UNREADABLE, { reason: '编码无法识别' });
    let rowNo = 0;
    for (const values of csvRows(text, MOST_ROWS + 100)) yield { rowNo: (rowNo += 1), cells: values.map((cell) => cellText(cell)) };
    return;
  }
  const options = { maxRows: MOST_ROWS + 100, ...(layout.sheet !== '' && { sheet: layout.sheet }) };
  for await (const row of xlsxRows(bytes, options))
    yield { rowNo: row.index + 1, cells: row.values.map((cell: RawCell) => cellText(cell)) };
}

/** The header, then every row that is not blank. @throws Refusal SCM13032, or what is wrong with the file */
export async function* listRows(
  file: ListFile,
  layout: Pick<Layout, 'sheet' | 'headerRow'>,
): AsyncGenerator<SheetRow & { header: boolean }> {
  let count = 0;
  for await (const row of sheetRows(file, layout)) {
    if (row.rowNo < layout.headerRow) continue;
    const header = row.rowNo === layout.headerRow;
    if (!header && row.cells.every((cell) => cell === '')) continue;
    if (!header && (count += 1) > MOST_ROWS) throw refuse(policyErrors.FILE_TOO_LARGE);
    yield { ...row, header };
  }
}

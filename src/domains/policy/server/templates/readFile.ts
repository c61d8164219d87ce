import { createHash } from 'node:crypto';
import { refuse, type Refusal } from '#kernel/contract/errors.ts';
import type { Db } from '#kernel/server/context.ts';
import { cellText } from '#kernel/server/importing/normalise.ts';
import { belowHeader, openTable, requireUnmerged, type OpenTable } from '#kernel/server/importing/openTable.ts';
import type { Merged, SheetRow } from '#kernel/server/importing/xlsxRows.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { policyErrors } from '../../contract/errors.ts';
import { placesOf, type Layout } from '../../contract/rules/template.ts';

/** Rows of one list. */
const MOST_ROWS = 3_000_000;
const MOST_BYTES = 100 * 1024 * 1024;

export interface ListFile {
  table: OpenTable;
  fileName: string;
  sha256: string;
}

/** The uploaded list in memory: at most 100 MB, packed. @throws Refusal SCM13032, SCM02007 */
export async function openList(kernel: Kernel, db: Db, fileId: string): Promise<ListFile> {
  const { body, fileName, size } = await kernel.ports.files.openRead(db, fileId);
  if (size > MOST_BYTES) throw refuse(policyErrors.FILE_TOO_LARGE);
  const pieces: Buffer[] = [];
  for await (const piece of body) pieces.push(Buffer.from(piece as Uint8Array));
  return listFile(Buffer.concat(pieces), fileName);
}

export const listFile = async (bytes: Buffer, fileName: string): Promise<ListFile> => ({
  table: await openTable(bytes, /\.csv$/i.test(fileName) ? 'csv' : 'xlsx'),
  fileName,
  sha256: createHash('sha256').update(bytes).digest('hex'),
});

/** Names of the workbook's sheets in their order, hidden ones behind the others; a list without sheets has none. */
export const sheetNames = ({ table }: ListFile): string[] =>
  table.sheets.toSorted((one, other) => Number(one.hidden) - Number(other.hidden)).flatMap(({ name }) => (name === '' ? [] : [name]));

/** The sheet that is read: the one of the template, else the first that the operator sees; null: the file has none of that name. */
export function sheetOf({ table: { sheets } }: ListFile, { sheet }: Pick<Layout, 'sheet'>): string | null {
  // A text has one sheet, without a name.
  if (sheets.some(({ name }) => name === '')) return '';
  if (sheet !== '') return sheets.some(({ name }) => name === sheet) ? sheet : null;
  return (sheets.find(({ hidden }) => !hidden) ?? sheets[0])?.name ?? null;
}

export interface ListRow {
  /** Row of the sheet; blank rows are counted. */
  rowNo: number;
  cells: string[];
  hidden: boolean;
}
const textsOf = ({ cells }: Pick<SheetRow, 'cells'>): string[] => cells.map((cell) => cellText(cell));

export interface ReadList {
  headers: string[];
  /** Row of the header: where the template expects it, or below a title that the template does not know. */
  headerRow: number;
  /** Every row below it that is not blank. @throws Refusal SCM13032, SCM02035, SCM02043, SCM02044 */
  rows: AsyncIterable<ListRow>;
}

async function* listRows(rows: AsyncIterable<SheetRow>, unmerged: () => void): AsyncGenerator<ListRow> {
  let count = 0;
  for await (const row of rows) {
    if ((count += 1) > MOST_ROWS) throw refuse(policyErrors.FILE_TOO_LARGE);
    yield { rowNo: row.rowNo, cells: textsOf(row), hidden: row.hidden };
  }
  unmerged();
}

/** A sheet as a template reads it; null: it has none of the template's columns. */
async function readSheet({ table }: ListFile, sheet: string, layout: Layout): Promise<ReadList | null> {
  const merged: Merged[] = [];
  const found = await belowHeader(table.rows(sheet, merged), {
    fit(cells) {
      const { at, missing } = placesOf(layout, textsOf({ cells }));
      return { found: at.size, all: missing.length === 0 && at.size > 1 };
    },
    expected: layout.headerRow,
  });
  if (!found) return null;
  const headers = textsOf(found.header);
  const { at } = placesOf(layout, headers);
  return {
    headers,
    headerRow: found.header.rowNo,
    rows: listRows(found.rows, () => requireUnmerged(merged, found.header, at.values())),
  };
}

/** The list as its template reads it; null: its sheet is not there, or has none of the columns. */
export async function readList(file: ListFile, layout: Layout): Promise<ReadList | null> {
  const sheet = sheetOf(file, layout);
  return sheet === null ? null : readSheet(file, sheet, layout);
}

/** The list with all columns that it needs. @throws Refusal SCM13020 naming the sheet that was read, and another one that has them */
export async function readWholeList(file: ListFile, layout: Layout): Promise<ReadList> {
  const list = await readList(file, layout);
  const { missing } = placesOf(layout, list?.headers ?? []);
  if (list && missing.length === 0) return list;
  throw await columnsMissing(
    file,
    layout,
    missing.length > 0 ? missing : layout.columns.map(({ headerAliases }) => headerAliases[0] ?? ''),
  );
}

/** Other sheets of the file that have all columns which the template needs. */
export async function sheetsWithColumns(file: ListFile, layout: Layout): Promise<string[]> {
  const read = sheetOf(file, layout);
  const others: string[] = [];
  for (const { name, hidden } of file.table.sheets) {
    const there = name === read || name === '' ? null : await readSheet(file, name, layout);
    if (there && placesOf(layout, there.headers).missing.length === 0) others.push(hidden ? `${name}（隐藏）` : name);
  }
  return others;
}

async function columnsMissing(file: ListFile, layout: Layout, missing: readonly string[]): Promise<Refusal> {
  const read = sheetOf(file, layout);
  const others = await sheetsWithColumns(file, layout);
  const where = read === null ? `文件中没有工作表“${layout.sheet}”` : read === '' ? '' : `读取的是工作表“${read}”`;
  const way = others.length === 0 ? '' : `这些列在工作表“${others.join('”“')}”中，请选择该工作表`;
  const hint = [where, way].filter((one) => one !== '').join('，');
  return refuse(policyErrors.COLUMNS_MISSING, { names: missing.join('、'), hint: hint === '' ? '' : `（${hint}）` });
}

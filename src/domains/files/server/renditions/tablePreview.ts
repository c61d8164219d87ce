import { cellText } from '#kernel/server/importing/normalise.ts';
import { openTable } from '#kernel/server/importing/openTable.ts';
import { decodeText } from '#kernel/server/importing/readCsv.ts';

const ROWS = 200;
const COLUMNS = 50;

/** The first 200 rows and 50 columns of a table, as texts, of the first sheet that is not hidden; other texts line by line. */
export async function tablePreview(bytes: Buffer, type: string): Promise<{ rows: string[][] }> {
  if (type !== 'xlsx' && type !== 'csv')
    return {
      rows: (decodeText(bytes) ?? '')
        .split(/\r?\n/)
        .slice(0, ROWS)
        .map((line) => [line]),
    };
  const rows: string[][] = [];
  const table = await openTable(bytes, type);
  const sheet = table.sheets.find(({ hidden }) => !hidden) ?? table.sheets[0];
  for await (const { cells } of table.rows(sheet?.name ?? '')) {
    rows.push(cells.slice(0, COLUMNS).map((cell) => cellText(cell)));
    if (rows.length === ROWS) break;
  }
  return { rows };
}

import { streamXlsxRows } from 'hucre';
import { csvRows, decodeText } from '../../../../kernel/server/importing/readCsv.ts';
import { cellText } from '../../../../kernel/server/importing/normalise.ts';

const ROWS = 200;
const COLUMNS = 50;

/** The first 200 rows and 50 columns of a table, as texts; other texts line by line. */
export async function tablePreview(bytes: Buffer, type: string): Promise<{ rows: string[][] }> {
  const rows: string[][] = [];
  if (type === 'xlsx') {
    for await (const row of streamXlsxRows(bytes, { maxRows: ROWS })) rows.push(row.values.slice(0, COLUMNS).map((cell) => cellText(cell)));
  } else if (type !== 'csv') {
    const lines = (decodeText(bytes) ?? '').split(/\r?\n/).slice(0, ROWS);
    rows.push(...lines.map((line) => [line]));
  } else {
    for (const row of csvRows(decodeText(bytes) ?? '', ROWS)) rows.push(row.slice(0, COLUMNS));
  }
  return { rows };
}

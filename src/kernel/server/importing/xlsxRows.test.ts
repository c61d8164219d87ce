import { expect, it } from 'vitest';
import { BadZip, packedBytes, zipEntries } from '../documents/zipRead.ts';
import { ZipStream } from '../documents/zipStream.ts';
import { bufferOf, xlsxStream } from '../documents/xlsxStream.ts';
import { xlsxRows } from './xlsxRows.ts';

const ROWS = 60_000;
const workbook = await bufferOf(
  xlsxStream([
    { name: '说明', widths: [20], rows: [[{ text: '只是说明' }]] },
    { name: '清单', widths: [20], rows: Array.from({ length: ROWS }, (_none, n) => [{ text: `第${n + 1}人` }, { text: `备注${n}` }]) },
  ]),
);
const SECOND = 'xl/worksheets/sheet2.xml';

/** The workbook with its entries in another order, under other names, or with other sizes in the directory. */
async function rewritten({ last = (_name: string) => false, surplus = 0 }): Promise<Buffer> {
  const zip = new ZipStream();
  const entries = zipEntries(workbook).toSorted((a, b) => Number(last(a.name)) - Number(last(b.name)));
  const pieces: Buffer[] = [];
  for (const entry of entries) {
    const unpacked = entry.unpacked + (entry.name === SECOND ? surplus : 0);
    for await (const piece of zip.known({ ...entry, unpacked }, [packedBytes(workbook, entry)])) pieces.push(piece);
  }
  return Buffer.concat([...pieces, zip.end()]);
}

async function all(bytes: Buffer): Promise<unknown[][]> {
  const rows: unknown[][] = [];
  for await (const row of xlsxRows(bytes, { sheet: '清单' })) rows.push(row.values);
  return rows;
}

it('gives the rows in front of what is broken, however slowly they are taken, then says that it is broken', async () => {
  const broken = await rewritten({ surplus: 1 });
  let taken = 0;
  const reading = async () => {
    for await (const row of xlsxRows(broken, { sheet: '清单' })) {
      expect(row.index).toBe(taken);
      taken += 1;
      if (taken % 5_000 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  };
  await expect(reading()).rejects.toThrow(BadZip);
  expect(taken).toBeGreaterThan(1_000);
});

it('reads sheets that stand in front of what they refer to, as Excel writes them, and stops where nobody reads on', async () => {
  const rows = await all(await rewritten({ last: (name) => !name.includes('worksheets') }));
  expect(rows).toHaveLength(ROWS);
  expect(rows.at(-1)).toEqual([`第${ROWS}人`, `备注${ROWS - 1}`]);
  const first: unknown[] = [];
  for await (const row of xlsxRows(workbook, { sheet: 1, maxRows: 3 })) first.push(...row.values);
  expect(first).toEqual(['第1人', '备注0', '第2人', '备注1', '第3人', '备注2']);
});

it('is no workbook without its parts', async () => {
  await expect(all(Buffer.from('no archive'))).rejects.toThrow(BadZip);
  const zip = new ZipStream();
  const empty = Buffer.concat([zip.stored('read.me', Buffer.from('nothing')), zip.end()]);
  await expect(all(empty)).rejects.toThrow();
});

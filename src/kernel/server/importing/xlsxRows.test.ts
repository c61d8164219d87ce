import { expect, it } from 'vitest';
import { packedBytes, zipEntries } from '../documents/zipRead.ts';
import { ZipStream } from '../documents/zipStream.ts';
import { bufferOf, xlsxStream } from '../documents/xlsxStream.ts';
import { openWorkbook, type Workbook } from './workbook.ts';
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

const sheetOf = (book: Workbook, name: string) => book.sheets.find((sheet) => sheet.name === name)!;

async function all(bytes: Buffer): Promise<unknown[][]> {
  const book = await openWorkbook(bytes);
  const rows: unknown[][] = [];
  for await (const row of xlsxRows(book, sheetOf(book, '清单'))) rows.push([...row.cells]);
  return rows;
}

it('gives the rows in front of what is broken, then says at which row it stopped', async () => {
  const book = await openWorkbook(await rewritten({ surplus: 1 }));
  let taken = 0;
  const reading = async () => {
    for await (const row of xlsxRows(book, sheetOf(book, '清单'))) {
      taken += 1;
      expect(row.rowNo).toBe(taken);
    }
  };
  const told = await reading().catch((error: unknown) => error);
  expect(taken).toBeGreaterThan(1_000);
  expect(told).toMatchObject({ code: 'SCM02043', message: expect.stringContaining(`第${taken + 1}行之前`) });
});

it('reads sheets that stand in front of what they refer to, as Excel writes them, and stops where nobody reads on', async () => {
  const rows = await all(await rewritten({ last: (name) => !name.includes('worksheets') }));
  expect(rows).toHaveLength(ROWS);
  expect(rows.at(-1)).toEqual([`第${ROWS}人`, `备注${ROWS - 1}`]);
  const first: unknown[] = [];
  const book = await openWorkbook(workbook);
  for await (const row of xlsxRows(book, sheetOf(book, '清单'))) {
    first.push(...row.cells);
    if (row.rowNo === 3) break;
  }
  expect(first).toEqual(['第1人', '备注0', '第2人', '备注1', '第3人', '备注2']);
});

it('is no workbook without its parts, and called protected where it is', async () => {
  await expect(all(Buffer.from('no archive'))).rejects.toMatchObject({ code: 'SCM02007' });
  const zip = new ZipStream();
  const empty = Buffer.concat([zip.stored('read.me', Buffer.from('nothing')), zip.end()]);
  await expect(all(empty)).rejects.toMatchObject({ code: 'SCM02007', message: expect.stringContaining('不是完整的xlsx工作簿') });
  const locked = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]);
  await expect(all(locked)).rejects.toMatchObject({ code: 'SCM02007', message: expect.stringContaining('加密') });
});

import { BlobReader, TextWriter, ZipReader } from '@zip.js/zip.js';
import { describe, expect, it } from 'vitest';
import { csvCell } from './csvStream.ts';
import { encryptedZip } from './encryptedZip.ts';
import { columnLetter, xmlText } from './xlsxParts.ts';
import { bufferOf } from './xlsxStream.ts';
import { BadZip, unzipEntry, zipEntries } from './zipRead.ts';
import { ZipStream } from './zipStream.ts';

/** Opens the only entry by a program that knows nothing of ours. */
async function open(bytes: Buffer, password: string): Promise<string> {
  const reader = new ZipReader(new BlobReader(new Blob([new Uint8Array(bytes)])), { password, useWebWorkers: false });
  const [entry] = await reader.getEntries();
  if (!entry || entry.directory) throw new Error('no entry');
  expect(entry).toMatchObject({ filename: '卡密.csv', encrypted: true });
  return entry.getData(new TextWriter());
}

describe('archives', () => {
  it('give back what was put in, entry by entry, and refuse more than the limit', async () => {
    const zip = new ZipStream();
    const archive = await bufferOf(
      (async function* () {
        yield* zip.entry('一.txt', [Buffer.from('第一'), Buffer.from('个')]);
        yield zip.stored('图.png', Buffer.from('已经压缩过'));
        yield* zip.entry('zeros', [Buffer.alloc(100_000)]);
        yield zip.end();
      })(),
    );
    const [first, picture, zeros] = zipEntries(archive);
    expect([first!.name, (await unzipEntry(archive, first!, 100)).toString()]).toEqual(['一.txt', '第一个']);
    expect([picture!.name, (await unzipEntry(archive, picture!, 100)).toString()]).toEqual(['图.png', '已经压缩过']);
    await expect(unzipEntry(archive, picture!, 5)).rejects.toBeInstanceOf(BadZip);
    expect(zeros).toMatchObject({ unpacked: 100_000 });
    await expect(unzipEntry(archive, zeros!, 99_999)).rejects.toBeInstanceOf(BadZip);
    expect(() => zipEntries(archive, 1)).toThrow('too many entries');
    expect(() => zipEntries(archive.subarray(0, 40))).toThrow(BadZip);
  });

  it('under a password open with it alone', async () => {
    const content = '卡号,密码\n'.repeat(500);
    const archive = await encryptedZip('卡密.csv', Buffer.from(content), 'Qx7-秘密');
    expect(zipEntries(archive)).toMatchObject([{ name: '卡密.csv', encrypted: true }]);
    expect(await open(archive, 'Qx7-秘密')).toBe(content);
    await expect(open(archive, 'qx7-秘密')).rejects.toThrow();
    expect(archive.includes(Buffer.from('卡号'))).toBe(false);
  });
});

describe('cells', () => {
  it.each([
    [0, 'A'],
    [25, 'Z'],
    [26, 'AA'],
    [51, 'AZ'],
    [701, 'ZZ'],
    [702, 'AAA'],
  ])('column %i is %s', (index, letter) => expect(columnLetter(index)).toBe(letter));
  it('carry no character that XML forbids', () => expect(xmlText('a\u0000<b>&"\uD800\uFFFF😀')).toBe('a&lt;b&gt;&amp;&quot;😀'));
  it.each([
    ['=1+1', "'=1+1"],
    ['+86', "'+86"],
    ['-1', "'-1"],
    ['@x', "'@x"],
    ['a,b', '"a,b"'],
    ['a"b', '"a""b"'],
    ['甲', '甲'],
  ])('%s stands in CSV as %s', (text, shown) => expect(csvCell({ text })).toBe(shown));
  it('of numbers keep their sign in CSV', () => expect(csvCell({ text: '-1.50', numeric: true })).toBe('-1.50'));
});

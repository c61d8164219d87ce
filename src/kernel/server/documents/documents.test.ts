import { createDecipheriv, createHmac, pbkdf2Sync } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { csvCell } from './csvStream.ts';
import { encryptedZip } from './encryptedZip.ts';
import { columnLetter, xmlText } from './xlsxParts.ts';
import { bufferOf } from './xlsxStream.ts';
import { BadZip, unzipEntry, zipEntries } from './zipRead.ts';
import { ZipStream } from './zipStream.ts';

/** Opens an AE-2 entry block by block, as its specification describes it. */
function open(bytes: Buffer, password: string): Buffer {
  const [entry] = zipEntries(bytes);
  const nameLength = bytes.readUInt16LE(26);
  const start = 30 + nameLength + bytes.readUInt16LE(28);
  const data = bytes.subarray(start, start + entry!.packed);
  const keys = pbkdf2Sync(password, data.subarray(0, 16), 1_000, 66, 'sha1');
  const sealed = data.subarray(18, -10);
  if (!keys.subarray(64).equals(data.subarray(16, 18))) throw new Error('wrong password');
  expect(createHmac('sha1', keys.subarray(32, 64)).update(sealed).digest().subarray(0, 10)).toEqual(data.subarray(-10));
  const plain: Buffer[] = [];
  for (let block = 0; block * 16 < sealed.length; block += 1) {
    // Node counts big-endian: one block a time, the counter given in the other order.
    const counter = Buffer.alloc(16);
    counter.writeUInt32LE(block + 1, 0);
    plain.push(createDecipheriv('aes-256-ctr', keys.subarray(0, 32), counter).update(sealed.subarray(block * 16, block * 16 + 16)));
  }
  return inflateRawSync(Buffer.concat(plain));
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
    const content = Buffer.from('卡号,密码\n'.repeat(500));
    const archive = await encryptedZip('卡密.csv', content, 'Qx7-秘密');
    expect(zipEntries(archive)).toMatchObject([{ name: '卡密.csv', encrypted: true }]);
    expect(open(archive, 'Qx7-秘密')).toEqual(content);
    expect(() => open(archive, 'qx7-秘密')).toThrow();
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

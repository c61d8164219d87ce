import { createCipheriv, createHmac, pbkdf2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { deflateRaw } from 'node:zlib';

const derive = promisify(pbkdf2);
const deflate = promisify(deflateRaw);

const SALT = 16;
const KEY = 32;
const VERIFIER = 2;
const MAC = 10;
const ROUNDS = 1_000;
const BLOCK = 16;
const AES = 99;
const ENCRYPTED_AND_UTF8 = 0x0801;
const DOS_DATE_1980 = 0x0021;

/** Counter mode as WinZip has it: a little-endian counter that starts at 1 (Node's own counts big-endian). */
function counterMode(key: Buffer, plain: Buffer): Buffer {
  const blocks = Math.ceil(plain.length / BLOCK);
  const counters = Buffer.alloc(blocks * BLOCK);
  for (let block = 0; block < blocks; block += 1) counters.writeUIntLE(block + 1, block * BLOCK, 6);
  const cipher = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false);
  const stream = Buffer.concat([cipher.update(counters), cipher.final()]);
  const sealed = Buffer.alloc(plain.length);
  for (let at = 0; at < plain.length; at += 1) sealed[at] = plain[at]! ^ stream[at]!;
  return sealed;
}

/** Extra field of AE-2: AES-256, content deflated, no CRC that would leak its content. */
const EXTRA = Buffer.from([0x01, 0x99, 7, 0, 2, 0, 0x41, 0x45, 3, 8, 0]);

function header(signature: number, fields: { name: Buffer; packed: number; unpacked: number }, directory: boolean): Buffer {
  const bytes = Buffer.alloc(directory ? 46 : 30);
  const shift = directory ? 2 : 0;
  bytes.writeUInt32LE(signature, 0);
  if (directory) bytes.writeUInt16LE(51, 4);
  bytes.writeUInt16LE(51, 4 + shift);
  bytes.writeUInt16LE(ENCRYPTED_AND_UTF8, 6 + shift);
  bytes.writeUInt16LE(AES, 8 + shift);
  bytes.writeUInt16LE(DOS_DATE_1980, 12 + shift);
  bytes.writeUInt32LE(fields.packed, 18 + shift);
  bytes.writeUInt32LE(fields.unpacked, 22 + shift);
  bytes.writeUInt16LE(fields.name.length, 26 + shift);
  bytes.writeUInt16LE(EXTRA.length, 28 + shift);
  return bytes;
}

/**
 * A ZIP archive with one file under a password (AES-256 as WinZip and 7-Zip read it). Held in memory: for results of a
 * few hundred megabytes at most.
 */
export async function encryptedZip(fileName: string, content: Buffer, password: string): Promise<Buffer> {
  const salt = randomBytes(SALT);
  const keys = await derive(password, salt, ROUNDS, KEY * 2 + VERIFIER, 'sha1');
  const sealed = counterMode(keys.subarray(0, KEY), await deflate(content));
  const mac = createHmac('sha1', keys.subarray(KEY, KEY * 2))
    .update(sealed)
    .digest()
    .subarray(0, MAC);
  const data = Buffer.concat([salt, keys.subarray(KEY * 2), sealed, mac]);
  const fields = { name: Buffer.from(fileName), packed: data.length, unpacked: content.length };
  const local = Buffer.concat([header(0x04034b50, fields, false), fields.name, EXTRA, data]);
  const directory = Buffer.concat([header(0x02014b50, fields, true), fields.name, EXTRA]);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, directory, end]);
}

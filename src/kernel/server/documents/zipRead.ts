import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';

const inflate = promisify(inflateRaw);

export interface ZipEntry {
  name: string;
  packed: number;
  /** As the directory claims; the real size may differ in a hostile file. */
  unpacked: number;
  encrypted: boolean;
  method: number;
  crc: number;
  offset: number;
}

export class BadZip extends Error {}

const END = 0x06054b50;
const DIRECTORY = 0x02014b50;
const LOCAL = 0x04034b50;
export const STORED = 0;
const DEFLATED = 8;

/**
 * Reads the directory of an archive without unpacking anything.
 * @throws BadZip when it is none or holds more than `maxEntries`.
 */
export function zipEntries(bytes: Buffer, maxEntries = 1_000): ZipEntry[] {
  let end = -1;
  for (let at = bytes.length - 22; at >= 0 && at >= bytes.length - 65_557; at -= 1) {
    if (bytes.readUInt32LE(at) === END) {
      end = at;
      break;
    }
  }
  if (end < 0) throw new BadZip('no directory');
  const count = bytes.readUInt16LE(end + 10);
  if (count > maxEntries) throw new BadZip('too many entries');
  const entries: ZipEntry[] = [];
  let at = bytes.readUInt32LE(end + 16);
  for (let index = 0; index < count; index += 1) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== DIRECTORY) throw new BadZip('broken directory');
    const nameLength = bytes.readUInt16LE(at + 28);
    entries.push({
      name: bytes.toString('utf8', at + 46, at + 46 + nameLength),
      encrypted: (bytes.readUInt16LE(at + 8) & 1) === 1,
      method: bytes.readUInt16LE(at + 10),
      crc: bytes.readUInt32LE(at + 16),
      packed: bytes.readUInt32LE(at + 20),
      unpacked: bytes.readUInt32LE(at + 24),
      offset: bytes.readUInt32LE(at + 42),
    });
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return entries;
}

/**
 * The bytes of one entry as they stand in the archive.
 * @throws BadZip when it is encrypted or broken.
 */
export function packedBytes(bytes: Buffer, { offset, packed, encrypted, method }: ZipEntry): Buffer {
  if (encrypted || offset + 30 > bytes.length || bytes.readUInt32LE(offset) !== LOCAL) throw new BadZip('unreadable entry');
  if (method !== STORED && method !== DEFLATED) throw new BadZip('unknown method');
  const start = offset + 30 + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28);
  return bytes.subarray(start, start + packed);
}

/**
 * Unpacks one entry.
 * @param maxSize bytes at which it stops, whatever the directory claims
 * @throws BadZip when it is larger, encrypted or broken.
 */
export async function unzipEntry(bytes: Buffer, entry: ZipEntry, maxSize: number): Promise<Buffer> {
  const packed = packedBytes(bytes, entry);
  if (entry.method === STORED) {
    if (packed.length > maxSize) throw new BadZip('too large');
    return packed;
  }
  try {
    return await inflate(packed, { maxOutputLength: Math.max(1, maxSize) });
  } catch (error) {
    throw new BadZip('broken entry', { cause: error });
  }
}

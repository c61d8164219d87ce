import { inflateRawSync } from 'node:zlib';

/** Entries of an archive, by its directory. */
export function unzip(archive: Buffer): { name: string; bytes: Buffer }[] {
  const tail = archive.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  const count = archive.readUInt16LE(tail + 10);
  let at = archive.readUInt32LE(tail + 16);
  return Array.from({ length: count }, () => {
    const [method, packed, length, extra, comment, offset] = [
      archive.readUInt16LE(at + 10),
      archive.readUInt32LE(at + 20),
      archive.readUInt16LE(at + 28),
      archive.readUInt16LE(at + 30),
      archive.readUInt16LE(at + 32),
      archive.readUInt32LE(at + 42),
    ];
    const name = archive.subarray(at + 46, at + 46 + length).toString();
    at += 46 + length + extra + comment;
    const start = offset + 30 + archive.readUInt16LE(offset + 26) + archive.readUInt16LE(offset + 28);
    const bytes = archive.subarray(start, start + packed);
    return { name, bytes: method === 0 ? bytes : inflateRawSync(bytes) };
  });
}

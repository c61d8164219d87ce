import { Readable, pipeline } from 'node:stream';
import { crc32, createDeflateRaw } from 'node:zlib';

interface Entry {
  name: Buffer;
  flags: number;
  method: number;
  crc: number;
  packed: number;
  unpacked: number;
  offset: number;
}

const UTF8 = 0x0800;
/** Checksum and sizes follow the bytes. */
const DESCRIPTOR = 0x0008;
const STORED = 0;
const DEFLATE = 8;
const DOS_DATE_1980 = 0x0021; // no clock inside: equal content gives equal bytes

/** Writes a ZIP archive piece by piece; memory does not grow with its size. Below 4 GiB per entry and in all. */
export class ZipStream {
  readonly #entries: Entry[] = [];
  #offset = 0;

  #emit(bytes: Buffer): Buffer {
    this.#offset += bytes.length;
    return bytes;
  }

  /** One entry at a stroke, not packed: for what is packed already (pictures, PDF) and small enough to be in memory. */
  stored(name: string, bytes: Buffer): Buffer {
    const entry: Entry = {
      name: Buffer.from(name),
      flags: UTF8,
      method: STORED,
      crc: crc32(bytes),
      packed: bytes.length,
      unpacked: bytes.length,
      offset: this.#offset,
    };
    this.#entries.push(entry);
    return this.#emit(Buffer.concat([localRecord(entry), bytes]));
  }

  /** One entry whose sizes and checksum are known, its bytes as they are to stand. */
  async *known(
    facts: Pick<Entry, 'method' | 'crc' | 'packed' | 'unpacked'> & { name: string },
    content: AsyncIterable<Buffer> | Iterable<Buffer>,
  ) {
    const entry: Entry = { ...facts, name: Buffer.from(facts.name), flags: UTF8, offset: this.#offset };
    this.#entries.push(entry);
    yield this.#emit(localRecord(entry));
    for await (const piece of content) yield this.#emit(piece);
  }

  /** Yields the bytes of one entry, packed. */
  async *entry(name: string, content: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<Buffer> {
    const entry: Entry = {
      name: Buffer.from(name),
      flags: UTF8 | DESCRIPTOR,
      method: DEFLATE,
      crc: 0,
      packed: 0,
      unpacked: 0,
      offset: this.#offset,
    };
    yield this.#emit(localRecord(entry));
    const deflate = createDeflateRaw({ level: 5, chunkSize: 65_536 });
    // The callback is needed; errors reach the loop below through the destroyed stream.
    pipeline(Readable.from(measured(entry, content)), deflate, () => {});
    for await (const chunk of deflate as AsyncIterable<Buffer>) {
      entry.packed += chunk.length;
      yield this.#emit(chunk);
    }
    const descriptor = Buffer.alloc(16);
    descriptor.writeUInt32LE(0x08074b50, 0);
    descriptor.writeUInt32LE(entry.crc, 4);
    descriptor.writeUInt32LE(entry.packed, 8);
    descriptor.writeUInt32LE(entry.unpacked, 12);
    yield this.#emit(descriptor);
    this.#entries.push(entry);
  }

  /** The directory that ends the archive. */
  end(): Buffer {
    const start = this.#offset;
    const directory = Buffer.concat(this.#entries.flatMap((entry) => [directoryRecord(entry), entry.name]));
    const tail = Buffer.alloc(22);
    tail.writeUInt32LE(0x06054b50, 0);
    tail.writeUInt16LE(this.#entries.length, 8);
    tail.writeUInt16LE(this.#entries.length, 10);
    tail.writeUInt32LE(directory.length, 12);
    tail.writeUInt32LE(start, 16);
    return Buffer.concat([directory, tail]);
  }
}

async function* measured(entry: Entry, content: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of content) {
    entry.crc = crc32(chunk, entry.crc);
    entry.unpacked += chunk.length;
    yield chunk;
  }
}

/** Head of an entry; what is known of its bytes only after them is 0 here. */
function localRecord({ name, flags, method, crc, packed, unpacked }: Entry): Buffer {
  const record = Buffer.alloc(30);
  record.writeUInt32LE(0x04034b50, 0);
  record.writeUInt16LE(20, 4);
  record.writeUInt16LE(flags, 6);
  record.writeUInt16LE(method, 8);
  record.writeUInt16LE(DOS_DATE_1980, 12);
  record.writeUInt32LE(crc, 14);
  record.writeUInt32LE(packed, 18);
  record.writeUInt32LE(unpacked, 22);
  record.writeUInt16LE(name.length, 26);
  return Buffer.concat([record, name]);
}

function directoryRecord(entry: Entry): Buffer {
  const record = Buffer.alloc(46);
  record.writeUInt32LE(0x02014b50, 0);
  record.writeUInt16LE(20, 4);
  record.writeUInt16LE(20, 6);
  record.writeUInt16LE(entry.flags, 8);
  record.writeUInt16LE(entry.method, 10);
  record.writeUInt16LE(DOS_DATE_1980, 14);
  record.writeUInt32LE(entry.crc, 16);
  record.writeUInt32LE(entry.packed, 20);
  record.writeUInt32LE(entry.unpacked, 24);
  record.writeUInt16LE(entry.name.length, 28);
  record.writeUInt32LE(entry.offset, 42);
  return record;
}

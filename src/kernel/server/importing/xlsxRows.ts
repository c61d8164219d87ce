import { createInflateRaw } from 'node:zlib';
import { streamXlsxRows, type StreamRow } from 'hucre';
import { BadZip, packedBytes, STORED, zipEntries, type ZipEntry } from '../documents/zipRead.ts';
import { ZipStream } from '../documents/zipStream.ts';

/** Parts that hold rows; all the others are small or wanted first. */
const SHEET = /^xl\/worksheets\/sheet\d+\.xml$/i;
/** What the reader needs in front of the rows. */
const BEFORE_ROWS = /^\[Content_Types\]\.xml$|\.rels$|^xl\/(workbook|sharedStrings|styles)\.xml$/i;
/** Unpacked bytes that go to the reader at a time; it parses this much in one go, and others wait so long. */
const PIECE = 32 * 1024;

/** Closed while whoever reads the rows is busy with one. */
class Gate {
  #open = false;
  #waiting: (() => void) | null = null;

  open(): void {
    this.#open = true;
    this.#waiting?.();
    this.#waiting = null;
  }

  close(): void {
    this.#open = false;
  }

  async pass(): Promise<void> {
    while (!this.#open) await new Promise<void>((resolve) => (this.#waiting = resolve));
  }
}

/** The unpacked bytes of a part. @throws BadZip where they are not as many as the directory says */
async function* unpacked(bytes: Buffer, entry: ZipEntry, gate: Gate): AsyncGenerator<Buffer> {
  const packed = packedBytes(bytes, entry);
  let left = entry.unpacked;
  const inflate = createInflateRaw({ chunkSize: PIECE });
  if (entry.method !== STORED) inflate.end(packed);
  for await (const piece of entry.method === STORED ? [packed] : (inflate as AsyncIterable<Buffer>)) {
    left -= piece.length;
    if (left < 0) break;
    await gate.pass();
    yield piece;
  }
  if (left !== 0) throw new BadZip('broken entry');
}

/** Places of the parts in the stream. */
const placeOf = ({ name }: ZipEntry) => (BEFORE_ROWS.test(name) ? 0 : SHEET.test(name) ? 1 : 2);

/**
 * The archive once more, its sheets unpacked and behind what they refer to. Excel writes sheets in front of their texts, and of an archive
 * in memory the reader parses rows as fast as it can, whoever waits for the first; of this stream it takes a piece when it is let.
 */
async function* forwards(bytes: Buffer, gate: Gate): AsyncGenerator<Uint8Array, void, undefined> {
  const zip = new ZipStream();
  for (const entry of zipEntries(bytes).sort((a, b) => placeOf(a) - placeOf(b))) {
    const { unpacked: size } = entry;
    if (placeOf(entry) === 1) yield* zip.known({ ...entry, method: STORED, packed: size }, unpacked(bytes, entry, gate));
    else yield* zip.known(entry, [packedBytes(bytes, entry)]);
  }
  yield zip.end();
}

/**
 * Rows of a sheet, read on as they are taken: memory holds the sheet's texts and some thousands of rows, however many it has.
 * @param options.sheet name or place of the sheet; absent: the first
 * @throws BadZip, or hucre's errors, where it is no workbook
 */
export async function* xlsxRows(bytes: Buffer, options: { sheet?: string | number; maxRows?: number }): AsyncGenerator<StreamRow> {
  const gate = new Gate();
  const pieces = forwards(bytes, gate);
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: async () => void (await pieces.return()),
    },
    { highWaterMark: 0 },
  );
  const rows = streamXlsxRows(stream, options);
  try {
    for (;;) {
      // Rows that are parsed already come before the next turn of the loop.
      const hungry = setImmediate(() => gate.open());
      const { done, value } = await rows.next();
      clearImmediate(hungry);
      gate.close();
      if (done) return;
      yield value;
    }
  } finally {
    gate.open();
    await rows.return();
  }
}

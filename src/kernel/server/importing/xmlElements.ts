import { createInflateRaw } from 'node:zlib';
import { BadZip, packedBytes, STORED, type ZipEntry } from '../documents/zipRead.ts';

/** Unpacked bytes that are read at a time; others are served in between. */
const PIECE = 32 * 1024;
/** Signs of one row or text; the largest that Excel writes are far below. */
const MOST_SIGNS = 32 * 1024 * 1024;
/** Longer than the beginning of any tag that is looked for. */
const TAG = 64;

/** The unpacked text of a part. @throws BadZip where it has not as many bytes as the directory says */
async function* unpacked(bytes: Buffer, entry: ZipEntry): AsyncGenerator<string> {
  const packed = packedBytes(bytes, entry);
  const decoder = new TextDecoder('utf-8');
  let left = entry.unpacked;
  const inflate = createInflateRaw({ chunkSize: PIECE });
  if (entry.method !== STORED) inflate.end(packed);
  for await (const piece of entry.method === STORED ? [packed] : (inflate as AsyncIterable<Buffer>)) {
    left -= piece.length;
    if (left < 0) break;
    yield decoder.decode(piece, { stream: true });
  }
  if (left !== 0) throw new BadZip('broken entry');
}

export interface XmlElement {
  /** Without its prefix. */
  name: string;
  /** With its tags. */
  xml: string;
}

/**
 * Elements of a part as they come, each whole; memory holds one of them.
 * @param root the part's outermost element; @param names those that are wanted, none of which lies in another one of them
 * @throws BadZip where the part is another one, or ends within an element
 */
export async function* xmlElements(
  bytes: Buffer,
  entry: ZipEntry,
  root: string,
  names: readonly string[],
): AsyncGenerator<XmlElement, void, undefined> {
  const pieces = unpacked(bytes, entry);
  let text = '';
  const more = async (): Promise<boolean> => {
    const { done, value } = await pieces.next();
    if (!done) text += value;
    return !done;
  };
  const opening = new RegExp(`<(\\w+:)?${root}(?=[\\s>/])`);
  while (!opening.test(text)) if (text.length > MOST_SIGNS || !(await more())) throw new BadZip(`no ${root}`);
  // Writers may name all elements of a part with a prefix.
  const prefix = opening.exec(text)?.[1] ?? '';
  const wanted = new RegExp(`<${prefix}(${names.join('|')})(?=[\\s>/])`, 'g');
  for (let at = 0; ;) {
    wanted.lastIndex = at;
    const found = wanted.exec(text);
    if (!found) {
      text = text.slice(Math.max(at, text.length - TAG));
      at = 0;
      if (await more()) continue;
      if (!text.includes(`</${prefix}${root}>`)) throw new BadZip(`${root} does not end`);
      return;
    }
    const name = found[1] ?? '';
    const until = async (sign: string, from: number): Promise<number> => {
      for (let searched = from; ;) {
        const place = text.indexOf(sign, searched);
        if (place >= 0) return place + sign.length;
        searched = Math.max(from, text.length - sign.length);
        if (text.length - found.index > MOST_SIGNS || !(await more())) throw new BadZip(`${name} does not end`);
      }
    };
    const tagEnd = await until('>', wanted.lastIndex);
    const end = text[tagEnd - 2] === '/' ? tagEnd : await until(`</${prefix}${name}>`, tagEnd);
    yield { name, xml: text.slice(found.index, end) };
    at = end;
    if (at > PIECE) {
      text = text.slice(at);
      at = 0;
    }
  }
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

/** What stands between tags or in an attribute, as it reads. */
export const plainXml = (xml: string): string =>
  xml.includes('&')
    ? xml.replaceAll(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi, (whole, hex?: string, decimal?: string, name?: string) => {
        const code = hex !== undefined ? Number.parseInt(hex, 16) : decimal !== undefined ? Number(decimal) : null;
        if (code !== null) return code <= 0x10ffff ? String.fromCodePoint(code) : '';
        return ENTITIES[name ?? ''] ?? whole;
      })
    : xml;

/** An attribute of an opening tag; undefined: it has none of that name. */
export function attributeOf(tag: string, name: string): string | undefined {
  const found = new RegExp(`\\s(?:\\w+:)?${name}=(?:"([^"]*)"|'([^']*)')`).exec(tag);
  const value = found?.[1] ?? found?.[2];
  return value === undefined ? undefined : plainXml(value);
}

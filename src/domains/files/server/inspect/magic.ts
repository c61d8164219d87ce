import { decodeText } from '#kernel/server/importing/readCsv.ts';

const starts = (bytes: Buffer, hex: string, at = 0) => bytes.subarray(at, at + hex.length / 2).toString('hex') === hex;
const ascii = (bytes: Buffer, from: number, to: number) => bytes.toString('latin1', from, to);

/** OLE2 container: an old .xls, or an encrypted .xlsx. */
export const isOle = (bytes: Buffer) => starts(bytes, 'd0cf11e0a1b11ae1');
export const isZip = (bytes: Buffer) => starts(bytes, '504b0304') || starts(bytes, '504b0506');

const MARKUP = /^\s*(?:<\?xml[^>]*>\s*|<!--[\s\S]*?-->\s*)*<(?:!doctype\s+html|html|svg|script|body)/i;
const PDF_HEAD = 1_024;
const MP4_AUDIO = new Set(['M4A ', 'M4B ']);

/** Type by the first bytes; null = none of those that are ever accepted. Zip archives and texts need a closer look. */
export function typeByMagic(bytes: Buffer): string | null {
  if (starts(bytes, 'ffd8ff')) return 'jpg';
  if (starts(bytes, '89504e470d0a1a0a')) return 'png';
  if (/^GIF8[79]a/.test(ascii(bytes, 0, 6))) return 'gif';
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP') return 'webp';
  if (ascii(bytes, 0, PDF_HEAD).includes('%PDF-')) return 'pdf';
  if (ascii(bytes, 4, 8) === 'ftyp') return MP4_AUDIO.has(ascii(bytes, 8, 12)) ? 'm4a' : 'mp4';
  if (ascii(bytes, 0, 3) === 'ID3' || (bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe6) === 0xe2)) return 'mp3';
  if (ascii(bytes, 0, 5) === '#!AMR') return 'amr';
  return null;
}

/** Readable text, without NUL, that is no page or drawing. */
export function isPlainText(bytes: Buffer): boolean {
  const text = decodeText(bytes);
  return text !== null && !text.includes('\0') && !MARKUP.test(text.slice(0, 4_096).replace(/^\uFEFF/, ''));
}

const PAGE = /<(?:!doctype\s+html|html|head|body|script|iframe|object|embed)[\s/>]/i;

/**
 * Whether a picture carries a page as well, for whoever would show its bytes as something else; metadata of pictures is XML of other
 * names.
 */
export const hidesPage = (bytes: Buffer): boolean => PAGE.test(bytes.toString('latin1'));

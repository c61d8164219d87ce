import { refuse } from '../../contract/errors.ts';
import { fileErrors } from '../../contract/fileErrors.ts';

const decoded = (bytes: Uint8Array, encoding: string): string | null => {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
};

/** UTF-16 with its mark, or without it by the zeros that the signs of ASCII have in it (every table has commas and line ends). */
function wideEncoding(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (bytes.length % 2 === 1 || bytes.length === 0) return null;
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const zeros = [0, 0];
  for (let at = 0; at < Math.min(bytes.length, 4_096); at += 1) if (bytes[at] === 0) zeros[at % 2]! += 1;
  const [even = 0, odd = 0] = zeros;
  if (even > 0 === odd > 0) return null;
  return odd > 0 ? 'utf-16le' : 'utf-16be';
}

/** UTF-8 or UTF-16 (with or without mark), or GB18030, as Excel on a Chinese system saves it; null when it is none of them. */
export function decodeText(bytes: Buffer): string | null {
  const wide = wideEncoding(bytes);
  return wide === null ? (decoded(bytes, 'utf-8') ?? decoded(bytes, 'gb18030')) : decoded(bytes, wide);
}

const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const RETURN = 0x0d;

interface CsvWay {
  maxRows?: number;
  separator?: string;
}

/**
 * Rows of a CSV text (RFC 4180). Cells are cut out whole: a table has millions of signs.
 * @throws Refusal SCM02044 with the row whose quote does not close, or closes rows behind it in the middle of a word
 */
export function* csvRows(text: string, { maxRows = Infinity, separator = ',' }: CsvWay = {}): Generator<string[]> {
  const cut = separator.charCodeAt(0);
  let row: string[] = [];
  let given = 0;
  let at = 0;
  const unclosed = () => refuse(fileErrors.UNCLOSED_QUOTE, { row: given + 1 });
  while (at < text.length && given < maxRows) {
    let cell = '';
    if (text.charCodeAt(at) === QUOTE) {
      at += 1;
      for (;;) {
        const end = text.indexOf('"', at);
        if (end < 0) throw unclosed();
        cell += text.slice(at, end);
        at = end + 1;
        if (text.charCodeAt(at) !== QUOTE) break;
        cell += '"';
        at += 1;
      }
    }
    const from = at;
    let sign = text.charCodeAt(at);
    while (at < text.length && sign !== cut && sign !== LINE_FEED && sign !== RETURN) sign = text.charCodeAt((at += 1));
    // A quote that spans lines and closes within a word is one that nobody closed: it would swallow the rows between.
    if (at > from && /[\r\n]/.test(cell)) throw unclosed();
    // What follows the closing quote belongs to the cell, as spreadsheets read it.
    row.push(at === from ? cell : cell === '' ? text.slice(from, at) : cell + text.slice(from, at));
    if (at < text.length && sign === cut) {
      at += 1;
      // A separator at the very end has an empty cell behind it.
      if (at === text.length) row.push('');
      continue;
    }
    if (sign === RETURN && text.charCodeAt(at + 1) === LINE_FEED) at += 1;
    at += 1;
    yield row;
    given += 1;
    row = [];
  }
  if (given < maxRows && row.length > 0) yield row;
}

const SEPARATORS = [',', '\t', ';'] as const;
/** Rows that are looked at for what separates their cells: there may be titles above the header. */
const LOOKED_AT = 20;

/** What separates the cells: what a first line `sep=;` says (Excel shows no such line), else what makes the widest row. */
function separatorOf(text: string): { separator: string; from: number } {
  const declared = /^sep=(.)\r?\n?/i.exec(text);
  if (declared) return { separator: declared[1] ?? ',', from: declared[0].length };
  const beginning = text.split(/\r?\n|\r/, LOOKED_AT);
  const widths = SEPARATORS.map((separator) =>
    Math.max(...beginning.map((line) => line.replaceAll(/"[^"]*"/g, '').split(separator).length)),
  );
  return { separator: SEPARATORS[widths.indexOf(Math.max(...widths))] ?? ',', from: 0 };
}

/** Rows of an uploaded text whose cells are separated by commas, tabs or semicolons. @throws Refusal SCM02007, SCM02044 */
export function* textRows(bytes: Buffer): Generator<string[]> {
  const text = decodeText(bytes);
  if (text === null) throw refuse(fileErrors.UNREADABLE, { reason: '编码无法识别，请用Excel另存为“CSV UTF-8”后重新上传' });
  const { separator, from } = separatorOf(text);
  yield* csvRows(from === 0 ? text : text.slice(from), { separator });
}

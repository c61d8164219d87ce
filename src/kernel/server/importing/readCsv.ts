/** UTF-8 (with or without mark) or GB18030, as Excel on a Chinese system saves it; null when it is neither. */
export function decodeText(bytes: Buffer): string | null {
  for (const encoding of ['utf-8', 'gb18030']) {
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(bytes);
    } catch {
      // the next encoding
    }
  }
  return null;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const LINE_FEED = 0x0a;
const RETURN = 0x0d;

/** Rows of a CSV text (RFC 4180); stops after `maxRows`. Cells are cut out whole: a table has millions of signs. */
export function* csvRows(text: string, maxRows: number): Generator<string[]> {
  let row: string[] = [];
  let given = 0;
  let at = 0;
  while (at < text.length && given < maxRows) {
    let cell = '';
    if (text.charCodeAt(at) === QUOTE) {
      at += 1;
      for (;;) {
        const end = text.indexOf('"', at);
        if (end < 0) {
          cell += text.slice(at);
          at = text.length;
          break;
        }
        cell += text.slice(at, end);
        at = end + 1;
        if (text.charCodeAt(at) !== QUOTE) break;
        cell += '"';
        at += 1;
      }
    }
    const from = at;
    let sign = text.charCodeAt(at);
    while (at < text.length && sign !== COMMA && sign !== LINE_FEED && sign !== RETURN) sign = text.charCodeAt((at += 1));
    // What follows the closing quote belongs to the cell, as spreadsheets read it.
    row.push(at === from ? cell : cell === '' ? text.slice(from, at) : cell + text.slice(from, at));
    if (at < text.length && sign === COMMA) {
      at += 1;
      // A comma at the very end has an empty cell behind it.
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

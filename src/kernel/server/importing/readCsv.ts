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

/** Rows of a CSV text (RFC 4180); stops after `maxRows`. */
export function* csvRows(text: string, maxRows: number): Generator<string[]> {
  let row: string[] = [];
  let cell = '';
  let quoted = false;
  let given = 0;
  for (let at = 0; at < text.length && given < maxRows; at += 1) {
    const sign = text[at]!;
    if (quoted) {
      if (sign !== '"') cell += sign;
      else if (text[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else quoted = false;
    } else if (sign === '"' && cell === '') quoted = true;
    else if (sign === ',') {
      row.push(cell);
      cell = '';
    } else if (sign === '\n' || sign === '\r') {
      if (sign === '\r' && text[at + 1] === '\n') at += 1;
      yield [...row, cell];
      given += 1;
      row = [];
      cell = '';
    } else cell += sign;
  }
  if (given < maxRows && (row.length > 0 || cell !== '')) yield [...row, cell];
}

import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '../..');

/** The place behind a text that begins at a quote. */
function behindText(text: string, from: number): number {
  const quote = text[from]!;
  let at = from + 1;
  while (at < text.length && text[at] !== quote) {
    if (text[at] === '\\') at += 1;
    else if (quote === '`' && text.startsWith('${', at)) at = behindGroup(text, at + 1) - 1;
    at += 1;
  }
  return at + 1;
}

/** The place behind a group that begins at its bracket. */
function behindGroup(text: string, from: number): number {
  let depth = 0;
  let at = from;
  while (at < text.length) {
    const here = text[at]!;
    // A quote within what a tag shows is none of the languages'.
    if ('\'"`'.includes(here)) at = behindText(text, at);
    else {
      if ('([{'.includes(here)) depth += 1;
      if (')]}'.includes(here)) depth -= 1;
      at += 1;
      if (depth === 0) return at;
    }
  }
  return at;
}

export interface Written {
  file: string;
  name: string;
  /** What stands between its brackets, on one line. */
  given: string;
  /** The file that it stands in. */
  text: string;
}

/** Every call of these functions in the pages, with what it is given. */
export function callsInPages(names: readonly string[]): Written[] {
  const found = new RegExp(String.raw`(?<![\w.#]|function )(${names.join('|')})\(`, 'g');
  return globSync('src/**/web/**/*.{ts,tsx}', { cwd: root })
    .filter((file) => !file.includes('.test.'))
    .sort()
    .flatMap((file) => {
      const text = readFileSync(path.join(root, file), 'utf8');
      return [...text.matchAll(found)].map((hit) => {
        const from = hit.index + hit[0].length - 1;
        const given = text.slice(from + 1, behindGroup(text, from) - 1).replaceAll(/\s+/g, ' ');
        return { file: file.replaceAll(path.sep, '/').replace('src/domains/', ''), name: hit[1]!, given: given.trim(), text };
      });
    });
}

/** A text with every call of this function as if it were given nothing. */
export function bareCalls(text: string, name: string): string {
  const at = text.indexOf(`${name}(`);
  if (at === -1) return text;
  const from = at + name.length;
  return `${text.slice(0, from)}()${bareCalls(text.slice(behindGroup(text, from)), name)}`;
}

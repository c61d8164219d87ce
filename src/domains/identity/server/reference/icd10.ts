import { readFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import type { ReferenceData } from '#kernel/server/module.ts';
import type { Tx } from '#kernel/server/context.ts';
import { json } from '../database.ts';
import { initials } from './regions.ts';

export interface Icd10Entry {
  code: string;
  name: string;
}

/** Lines `code,name`; a first line with headings, blank lines and a byte order mark are passed over. */
export function parseIcd10(text: string): Icd10Entry[] {
  return text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .flatMap((line) => {
      const match = /^\s*"?([A-Z]\d{2}(?:\.[0-9A-Zx]{1,8})?)[†*]?"?\s*,\s*"?([^"]*?)"?\s*(?:,.*)?$/i.exec(line);
      return match ? [{ code: match[1]!.toUpperCase().replace('X', 'x'), name: match[2]!.trim() }] : [];
    })
    .filter(({ name }) => name !== '');
}

/** `C34.901` lies under `C34.9`, where that is listed, else under `C34`. */
const parentOf = (code: string, known: ReadonlySet<string>): string | null => {
  const [category = '', detail] = code.split('.');
  if (detail === undefined) return null;
  for (let length = detail.length - 1; length > 0; length--) {
    const shorter = `${category}.${detail.slice(0, length)}`;
    if (known.has(shorter)) return shorter;
  }
  return known.has(category) ? category : null;
};

/** Writes codes in bulk; what a loaded national edition says stands over the seed. @returns how many rows. */
export async function writeIcd10(tx: Tx, entries: readonly Icd10Entry[], source: 'SEED' | 'LOADED'): Promise<number> {
  const unique = [...new Map(entries.map((entry) => [entry.code, entry])).values()];
  const known = new Set(unique.map(({ code }) => code));
  const rows = unique.map(({ code, name }) => ({ code, name, pinyin: initials(name), parent: parentOf(code, known) }));
  for (let at = 0; at < rows.length; at += 5_000) {
    await sql`
      insert into identity_icd10 (code, name, pinyin, parent_code, source)
        select code, name, pinyin, parent, ${source}
          from jsonb_to_recordset(${json(rows.slice(at, at + 5_000))}::jsonb) as r(code text, name text, pinyin text, parent text)
          on conflict (code) do update
          set name = excluded.name, pinyin = excluded.pinyin, parent_code = excluded.parent_code, source = excluded.source
          where ${source} = 'LOADED' or identity_icd10.source = 'SEED'`.execute(tx);
  }
  return rows.length;
}

/**
 * `npm run icd10:load <csv>`: the national edition over the seed, from lines `code,name`.
 * @returns how many codes were written.
 * @throws Error when the text holds none.
 */
export async function loadIcd10(tx: Tx, text: string): Promise<number> {
  const entries = parseIcd10(text);
  if (entries.length === 0) throw new Error('no line of the file is `code,name` with a disease code such as C34.901');
  return writeIcd10(tx, entries, 'LOADED');
}

const seedText = () => readFileSync(path.join(import.meta.dirname, 'icd10.csv'), 'utf8');

/** Three-character categories and every code that demonstration data uses. */
export const icd10Reference: ReferenceData = {
  name: 'identity.icd10',
  get content() {
    return seedText();
  },
  async write(tx) {
    await writeIcd10(tx, parseIcd10(seedText()), 'SEED');
  },
};

import { createHash } from 'node:crypto';
import type { ImportColumn, ImportRecord } from './importer.ts';

/** JSON of a record with keys in the order of the columns; amounts as text, because JSON has no big integers. */
export function encodeRecord(columns: readonly ImportColumn[], record: ImportRecord): string {
  return JSON.stringify(
    columns.map(({ key }) => [key, record[key] ?? null]),
    (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
  );
}

/** The reverse of `encodeRecord`. */
export function decodeRecord(columns: readonly ImportColumn[], text: string): ImportRecord {
  // Written by encodeRecord, so its shape is known.
  const pairs = JSON.parse(text) as [string, string | number | boolean | null][];
  const money = new Set(columns.filter(({ type }) => type === 'money').map(({ key }) => key));
  return Object.fromEntries(pairs.map(([key, value]) => [key, value !== null && money.has(key) ? BigInt(value) : value]));
}

/** SHA-256 over the rows in file order: equal content in another file gives the same. */
export function rowsHash(lines: Iterable<string>): string {
  const hash = createHash('sha256');
  for (const line of lines) hash.update(line).update('\n');
  return hash.digest('hex');
}

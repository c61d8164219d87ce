import { createHash } from 'node:crypto';

export const CHAIN_START = '0'.repeat(64);

/** Keys sorted, no blanks; absent values are left out, so that a later column does not change old rows. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${fields.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(',')}}`;
  }
  return JSON.stringify(value);
}

const sha256 = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex');

/** What is hashed of a stored row: its columns without the empty ones; ids are texts, times ISO with milliseconds. */
export const sealedFields = (row: object): object =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null && value !== undefined));

/** R8: hash of the row alone, and its link to the one before. */
export function sealOf(previousChainHash: string, row: object): { rowHash: string; chainHash: string } {
  const text = canonicalJson(sealedFields(row));
  return { rowHash: sha256(text), chainHash: sha256(`${previousChainHash}\n${text}`) };
}

/** What an anchor signs. */
export const anchorText = (anchor: {
  day: string;
  firstSeq: string | null;
  lastSeq: string | null;
  count: string;
  chainHash: string;
}): string =>
  canonicalJson({
    chainHash: anchor.chainHash,
    count: anchor.count,
    day: anchor.day,
    firstSeq: anchor.firstSeq ?? '',
    lastSeq: anchor.lastSeq ?? '',
  });

import { createHash } from 'node:crypto';
import { canonicalJson } from '#kernel/contract/canonicalJson.ts';

export const CHAIN_START = '0'.repeat(64);

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

import type { Instant } from '#kernel/contract/time.ts';
import type { Fen } from '../commands.ts';

/** A lot as rules see it; amounts in fen. */
export interface Lot {
  id: string;
  accountId: string;
  refType: string;
  refId: string;
  original: Fen;
  remaining: Fen;
  held: Fen;
  expiresAt: Instant | null;
  /** Of its account type: what was given before what was paid. */
  usedFirst: boolean;
}

export interface Taken {
  lot: Lot;
  amount: Fen;
}

const free = ({ remaining, held }: Lot): Fen => remaining - held;
export const isExpired = ({ expiresAt }: Pick<Lot, 'expiresAt'>, now: Instant): boolean => expiresAt !== null && expiresAt <= now;
const least = (one: Fen, other: Fen): Fen => (one < other ? one : other);

/** The order in which lots are used: what ends first, of those ending together what was given, then the older one. */
export function byUse(one: Lot, other: Lot): number {
  if (one.expiresAt !== other.expiresAt) {
    if (one.expiresAt === null) return 1;
    if (other.expiresAt === null) return -1;
    return one.expiresAt < other.expiresAt ? -1 : 1;
  }
  if (one.usedFirst !== other.usedFirst) return one.usedFirst ? -1 : 1;
  return BigInt(one.id) < BigInt(other.id) ? -1 : 1;
}

/**
 * Takes an amount out of lots by their order; what is held or expired is left.
 * @returns what was taken, what is still missing, and what expired lots would have given
 */
export function takeLots(lots: readonly Lot[], amount: Fen, now: Instant): { taken: Taken[]; missing: Fen; expired: Fen } {
  const taken: Taken[] = [];
  let missing = amount;
  let expired = 0n;
  for (const lot of lots.toSorted(byUse)) {
    if (isExpired(lot, now)) expired += free(lot);
    else if (missing > 0n && free(lot) > 0n) {
      const part = least(missing, free(lot));
      taken.push({ lot, amount: part });
      missing -= part;
    }
  }
  return { taken, missing, expired };
}

/**
 * Gives an amount back to the lots that it was taken from, the last one first.
 * @param used what a spend took of each lot in its order, less what went back already
 */
export function giveBack<T extends { amount: Fen }>(used: readonly T[], amount: Fen): { given: T[]; missing: Fen } {
  const given: T[] = [];
  let missing = amount;
  for (const one of used.toReversed()) {
    if (missing === 0n) break;
    const part = least(missing, one.amount);
    if (part === 0n) continue;
    given.push({ ...one, amount: part });
    missing -= part;
  }
  return { given, missing };
}

/** The first so much of what a hold fixed: captures use its lots in their order, a release frees the rest. */
export function firstOf<T extends { amount: Fen }>(fixed: readonly T[], amount: Fen): { first: T[]; rest: T[] } {
  const first: T[] = [];
  const rest: T[] = [];
  let left = amount;
  for (const one of fixed) {
    const part = least(left, one.amount);
    left -= part;
    if (part > 0n) first.push({ ...one, amount: part });
    if (part < one.amount) rest.push({ ...one, amount: one.amount - part });
  }
  return { first, rest };
}

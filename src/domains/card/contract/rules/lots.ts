import { least } from './rounding.ts';

/** What a card has got by one funding, as spending sees it; amounts in fen. @property free neither spent nor held */
export interface SpendableLot {
  lotId: string;
  kind: 'PRINCIPAL' | 'BONUS';
  free: bigint;
  /** Exclusive; null: never. */
  expiresAt: string | null;
}

/** The order in which lots are used: what ends first, of those ending together what was given before what was paid, then the older one. */
function byUse(one: Omit<SpendableLot, 'free'>, other: Omit<SpendableLot, 'free'>): number {
  if (one.expiresAt !== other.expiresAt) {
    if (one.expiresAt === null) return 1;
    if (other.expiresAt === null) return -1;
    return one.expiresAt < other.expiresAt ? -1 : 1;
  }
  if (one.kind !== other.kind) return one.kind === 'BONUS' ? -1 : 1;
  return BigInt(one.lotId) < BigInt(other.lotId) ? -1 : 1;
}

/** What a spend would take of which lots, and what it would miss. */
export function takeOf<L extends SpendableLot>(
  lots: readonly L[],
  amount: bigint,
  now: string,
): { taken: { lot: L; amount: bigint }[]; missing: bigint } {
  const taken: { lot: L; amount: bigint }[] = [];
  let missing = amount;
  for (const lot of lots.toSorted(byUse)) {
    if (missing === 0n) break;
    if (lot.free <= 0n || (lot.expiresAt !== null && lot.expiresAt <= now)) continue;
    const part = least(missing, lot.free);
    taken.push({ lot, amount: part });
    missing -= part;
  }
  return { taken, missing };
}

/** The first so much of what is given in an order, and what is left behind it. */
export function splitAt<T extends { amount: bigint }>(parts: readonly T[], amount: bigint): { first: T[]; rest: T[] } {
  const first: T[] = [];
  const rest: T[] = [];
  let left = amount;
  for (const one of parts) {
    const part = least(left, one.amount);
    left -= part;
    if (part > 0n) first.push({ ...one, amount: part });
    if (part < one.amount) rest.push({ ...one, amount: one.amount - part });
  }
  return { first, rest };
}

/** What a reversal gives back: of what was used in its order, less what went back before, the last first. */
export function giveBack<T extends { amount: bigint }>(used: readonly T[], before: bigint, amount: bigint): T[] {
  const { rest: untouched } = splitAt(used.toReversed(), before);
  return splitAt(untouched, amount).first;
}

/**
 * Fills what a capture took of lots into its lines, in the order of both: which part of which line came out of which lot.
 * @returns for each line its parts; their sum is the line's amount as far as the lots reach
 */
export function fillLines<T extends { amount: bigint }>(lots: readonly T[], lines: readonly bigint[]): T[][] {
  let left: readonly T[] = lots;
  return lines.map((amount) => {
    const { first, rest } = splitAt(left, amount);
    left = rest;
    return first;
  });
}

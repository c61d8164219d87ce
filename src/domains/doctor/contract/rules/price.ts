import type { TitleCode } from '../dictionaries.ts';

/** What a doctor of one title may ask for an item, in fen. */
export interface Band {
  minFen: number;
  defaultFen: number;
  maxFen: number;
}
export type PriceBands = Partial<Record<TitleCode, Band>>;

/** Highest price of any item. */
export const HIGHEST_FEN = 500_000;

/** Lowest ≤ default ≤ highest ≤ 5000 yuan; nothing for nothing only where the item allows it. */
export const bandInOrder = ({ minFen, defaultFen, maxFen }: Band, freeAllowed: boolean): boolean =>
  minFen <= defaultFen && defaultFen <= maxFen && maxFen <= HIGHEST_FEN && minFen >= (freeAllowed ? 0 : 1);

export const insideBand = (priceFen: number, { minFen, maxFen }: Band): boolean => minFen <= priceFen && priceFen <= maxFen;

const BP = 10_000n;
/** A change up to this share needs nobody's approval. */
const FREE_CHANGE_BP = 2_000n;
const AUTO_PAUSE_DAYS = 30;
const DAY_MS = 86_400_000;

/**
 * Whether a new price may act at once: at most 20.00 % away from the old one, and no such change within the last 30 days.
 * Cross-multiplied, so that the boundary is exact.
 */
export function changesAtOnce(change: { oldFen: number; newFen: number; lastAutoAt: string | null; now: string }): boolean {
  const away = BigInt(Math.abs(change.newFen - change.oldFen));
  if (away * BP > FREE_CHANGE_BP * BigInt(change.oldFen)) return false;
  return change.lastAutoAt === null || Date.parse(change.now) - Date.parse(change.lastAutoAt) >= AUTO_PAUSE_DAYS * DAY_MS;
}

/** Distance of a price from a reference in basis points, rounded to the nearest; null where there is no reference. */
export function deviationBp(priceFen: number, referenceFen: number | null): number | null {
  if (referenceFen === null || referenceFen <= 0) return null;
  return Math.round(((priceFen - referenceFen) * 10_000) / referenceFen);
}

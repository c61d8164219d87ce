import { plusDays, type Day } from '#kernel/contract/time.ts';

/** From these goods on a lead reviews, in fen. */
export const HIGH_MANUAL_FEN = 5_000_000;
/** So long after a purchase it may be registered. */
const REGISTER_DAYS = 180;
/** A price further than this from the store's own list is looked at, in hundredths. */
const PRICE_TOLERANCE = 20;

/** Why a purchase of that day is not registered; null: it may be. */
export function purchaseDayFault(purchaseDate: Day, today: Day): string | null {
  if (purchaseDate > today) return '购药日期不能晚于今天';
  return purchaseDate < plusDays(today, -REGISTER_DAYS) ? `购药日期超过补录时限（${REGISTER_DAYS}天）` : null;
}

/** Whether a price lies more than a fifth above or below the store's list; without a list it does not. */
export const deviates = (unitPriceFen: number, listPriceFen: number | null): boolean =>
  listPriceFen !== null && Math.abs(unitPriceFen - listPriceFen) * 100 > listPriceFen * PRICE_TOLERANCE;

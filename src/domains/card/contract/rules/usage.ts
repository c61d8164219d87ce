import { least } from './rounding.ts';

/** What one order line is about, as far as a card asks. */
export interface UsedLine {
  medicineId: string | null;
  categoryCode: string | null;
  amount: bigint;
}

/** Where a card may be used; what is absent or empty limits nothing. */
export interface UsageScope {
  orderTypes?: readonly string[] | undefined;
  drugstoreIds?: readonly string[] | undefined;
  medicineIds?: readonly string[] | undefined;
  categoryCodes?: readonly string[] | undefined;
  excludeMedicineIds?: readonly string[] | undefined;
}

const limits = <T>(list: readonly T[] | undefined): list is readonly T[] => list !== undefined && list.length > 0;

/** Whether a card may pay this line: excluded medicines never, then medicines or categories that are named. */
export function coversLine(scope: UsageScope, { medicineId, categoryCode }: UsedLine): boolean {
  if (medicineId !== null && scope.excludeMedicineIds?.includes(medicineId)) return false;
  if (!limits(scope.medicineIds) && !limits(scope.categoryCodes)) return true;
  return (
    (medicineId !== null && (scope.medicineIds?.includes(medicineId) ?? false)) ||
    (categoryCode !== null && (scope.categoryCodes?.some((code) => categoryCode === code || categoryCode.startsWith(`${code}.`)) ?? false))
  );
}

export const coversOrder = (scope: UsageScope, order: { orderType: string; drugstoreId: string | null }): boolean =>
  (!limits(scope.orderTypes) || scope.orderTypes.includes(order.orderType)) &&
  (!limits(scope.drugstoreIds) || (order.drugstoreId !== null && scope.drugstoreIds.includes(order.drugstoreId)));

/** The order in which cards of an order are used: coupon, benefit, stored value; the rest is paid in cash. */
export const STACKING = ['COUPON', 'BENEFIT_CARD', 'STORED_VALUE'] as const;
export const byStacking = (one: { kind: (typeof STACKING)[number] }, other: { kind: (typeof STACKING)[number] }): number =>
  STACKING.indexOf(one.kind) - STACKING.indexOf(other.kind);

export interface Stacked {
  cardId: string;
  stackGroup: string;
  stackable: boolean;
}
/** The first of the cards already chosen that this one cannot stand beside; null when there is none. */
export const clashOf = (card: Stacked, chosen: readonly Stacked[]): Stacked | null =>
  chosen.find(
    (other) =>
      other.cardId !== card.cardId &&
      (!card.stackable || !other.stackable || (card.stackGroup !== '' && card.stackGroup === other.stackGroup)),
  ) ?? null;

export interface UsageLimits {
  perUseMin: bigint | null;
  perUseMax: bigint | null;
  perDayMax: bigint | null;
}

/**
 * What limits let through: most, and whether less than that is refused altogether.
 * @param usedToday by the holder: held and captured less reversed
 */
export function mostUsable({ perUseMax, perDayMax }: UsageLimits, usedToday: bigint, amount: bigint): bigint {
  const today = perDayMax === null ? amount : perDayMax - usedToday;
  const most = least(amount, least(perUseMax ?? amount, today));
  return most > 0n ? most : 0n;
}

/** The limit that an amount breaks: below the least of a use, above the most of a use, above what the day leaves. */
export function brokenLimit(
  { perUseMin, perUseMax, perDayMax }: UsageLimits,
  usedToday: bigint,
  amount: bigint,
): { limit: 'perUseMin' | 'perUseMax' | 'perDayMax'; fen: bigint } | null {
  if (perUseMin !== null && amount < perUseMin) return { limit: 'perUseMin', fen: perUseMin };
  if (perUseMax !== null && amount > perUseMax) return { limit: 'perUseMax', fen: perUseMax };
  if (perDayMax !== null && usedToday + amount > perDayMax) return { limit: 'perDayMax', fen: perDayMax };
  return null;
}

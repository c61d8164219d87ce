import type { Day } from '#kernel/contract/time.ts';

/**
 * Whether a change of price takes effect without an audit (R3): it begins tomorrow or later and differs from the
 * price before it by at most 10 %. A first price has nothing to differ from.
 */
export function takesEffectAtOnce(change: { oldFen: bigint | null; newFen: bigint; effectiveFrom: Day; today: Day }): boolean {
  if (change.oldFen === null) return true;
  if (change.effectiveFrom <= change.today) return false;
  const difference = change.newFen > change.oldFen ? change.newFen - change.oldFen : change.oldFen - change.newFen;
  return difference * 10_000n <= 1_000n * change.oldFen;
}

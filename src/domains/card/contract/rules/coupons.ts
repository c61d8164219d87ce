import { halfUp } from '#kernel/contract/money.ts';
import { WHOLE_BP } from './fees.ts';
import { least } from './rounding.ts';

/** What a coupon gives. @property value fen; of a discount the share that is still paid, in bp @property cap of a discount; null: none */
export interface CouponTerms {
  mode: 'FULL_CUT' | 'CASH' | 'DISCOUNT' | 'EXCHANGE';
  threshold: bigint;
  value: bigint;
  cap: bigint | null;
}

/** What a coupon takes off the amount to which it applies; null while that is below its threshold. Never more than the amount. */
export function couponDeduction({ mode, threshold, value, cap }: CouponTerms, eligible: bigint): bigint | null {
  if (eligible <= 0n || eligible < threshold) return null;
  if (mode !== 'DISCOUNT') return least(value, eligible);
  const off = halfUp(eligible * (WHOLE_BP - value), WHOLE_BP);
  return least(cap === null ? off : least(off, cap), eligible);
}

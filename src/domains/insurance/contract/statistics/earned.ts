import { halfUp } from '#kernel/contract/money.ts';
import { daysBetween, type Day } from '#kernel/contract/time.ts';

export interface PremiumSpan {
  coverageStart: Day;
  /** Included. */
  coverageEnd: Day;
  /** What is returned is negative. */
  amountFen: number;
}

/** What of a premium is earned after so many days of its cover. */
function cumulative({ coverageStart, coverageEnd, amountFen }: PremiumSpan, days: number): number {
  const total = daysBetween(coverageStart, coverageEnd) + 1;
  const passed = Math.min(Math.max(days, 0), total);
  return Number(halfUp(BigInt(amountFen) * BigInt(passed), BigInt(total)));
}

/** Earned premium of one row between two days, both included: periods that follow one another add up to the amount exactly. */
export const earnedFen = (span: PremiumSpan, from: Day, to: Day): number =>
  cumulative(span, daysBetween(span.coverageStart, to) + 1) - cumulative(span, daysBetween(span.coverageStart, from));

/** Basis points; null where nothing was earned. */
export const ratioBp = (amount: number, earned: number): number | null => (earned === 0 ? null : Math.round((amount * 10_000) / earned));

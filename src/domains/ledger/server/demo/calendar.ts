import { startOfDay, type Day, type Instant } from '#kernel/contract/time.ts';
import { periodAfter, periodBefore } from '../periods/periods.ts';

/** Months before this one that the demonstration knows. */
const MONTHS = 5;
/** Day of the next month on which one is closed. */
const CLOSING_DAY = '05';

export const monthOf = (day: Day): string => day.slice(0, 7);

/** From the oldest month to the one of `today`. */
export function monthsTo(today: Day): string[] {
  const months = [monthOf(today)];
  while (months.length <= MONTHS) months.unshift(periodBefore(months[0]!));
  return months;
}

export const beginOf = (month: string): Instant => startOfDay(`${month}-01`);

/** When a month is closed: on the fifth of the next one, after hours. */
export const closingOf = (month: string): Instant => startOfDay(`${periodAfter(month)}-${CLOSING_DAY}`, '18:30');

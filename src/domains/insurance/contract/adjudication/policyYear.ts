import type { Day } from '#kernel/contract/time.ts';

const lastOf = (year: number, month: number) => new Date(Date.UTC(year, month, 0)).getUTCDate();

/** The anniversary in a year; the last of February stands for the 29th. */
export function anniversary(start: Day, year: number): Day {
  const month = Number(start.slice(5, 7));
  const day = Math.min(Number(start.slice(8, 10)), lastOf(year, month));
  return `${String(year).padStart(4, '0')}-${start.slice(5, 7)}-${String(day).padStart(2, '0')}`;
}

/** First day of the policy year that a day falls into: the latest anniversary on or before it. */
export function policyYearOf(start: Day, day: Day): Day {
  if (day <= start) return start;
  const year = Number(day.slice(0, 4));
  const own = anniversary(start, year);
  const found = own <= day ? own : anniversary(start, year - 1);
  return found < start ? start : found;
}

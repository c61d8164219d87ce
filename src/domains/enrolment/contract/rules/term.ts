import { daysBetween, plusDays, type Day } from '#kernel/contract/time.ts';

const twoDigits = (n: number) => String(n).padStart(2, '0');
const lastOfMonth = (year: number, month: number) => new Date(Date.UTC(year, month, 0)).getUTCDate();

/** The last day of a term: the day before the same day so many months later, or the last day of that month where it has no such day. */
export function lastDayOfTerm(startDate: Day, months: number): Day {
  const [year = 0, month = 0, day = 0] = startDate.split('-').map(Number);
  const at = year * 12 + (month - 1) + months;
  const [endYear, endMonth] = [Math.floor(at / 12), (at % 12) + 1];
  const most = lastOfMonth(endYear, endMonth);
  const same = `${endYear}-${twoDigits(endMonth)}-${twoDigits(Math.min(day, most))}`;
  return day > most ? same : plusDays(same, -1);
}

/** Days from the first to the last, both counted. */
export const daysOf = (from: Day, to: Day): number => Math.max(0, daysBetween(from, to) + 1);

interface TermFacts {
  signedOn: Day;
  coverageStart: Day;
  coverageEnd: Day;
  termMonths: number;
}
export interface Term {
  startDate: Day;
  endDate: Day;
  /** Days of a term that the cover does not cut. */
  planDays: number;
}

/** R4: a contract begins the day after it was signed, and ends with its term or its cover. Null: the cover is over by then. */
export function termOf({ signedOn, coverageStart, coverageEnd, termMonths }: TermFacts): Term | null {
  const next = plusDays(signedOn, 1);
  const startDate = next > coverageStart ? next : coverageStart;
  const whole = lastDayOfTerm(startDate, termMonths);
  const endDate = whole < coverageEnd ? whole : coverageEnd;
  return endDate < startDate ? null : { startDate, endDate, planDays: daysOf(startDate, whole) };
}

/** What a term costs: the whole fee, or its part by days, half a fen up. */
export function feeOf(listFeeFen: bigint, prorated: boolean, { startDate, endDate, planDays }: Term): bigint {
  const days = daysOf(startDate, endDate);
  if (!prorated || days >= planDays) return listFeeFen;
  return (listFeeFen * BigInt(days) * 2n + BigInt(planDays)) / (2n * BigInt(planDays));
}

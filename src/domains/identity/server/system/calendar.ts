import { dayOf, plusDays, startOfDay, type Day, type Instant } from '#kernel/contract/time.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { own } from '../database.ts';

export interface CalendarDay {
  day: Day;
  isWorkday: boolean;
  isBankday: boolean;
  note: string;
}

/** Monday to Friday. */
export const isWeekday = (day: Day): boolean => ![0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay());

/** Every day from `from` to `to`; one without a row is a workday exactly when it is a weekday. */
export async function calendarDays(db: Db | Tx, from: Day, to: Day): Promise<CalendarDay[]> {
  const rows = await own(db)
    .selectFrom('identityWorkCalendar')
    .select(['day', 'isWorkday', 'isBankday', 'note'])
    .where('day', '>=', from)
    .where('day', '<=', to)
    .execute();
  const known = new Map(rows.map((row) => [row.day, row]));
  const days: CalendarDay[] = [];
  for (let day = from; day <= to; day = plusDays(day, 1)) {
    days.push(known.get(day) ?? { day, isWorkday: isWeekday(day), isBankday: isWeekday(day), note: '' });
  }
  return days;
}

/** Days without work in a range, both ends included. */
export async function restDaysBetween(db: Db | Tx, from: Day, to: Day): Promise<Day[]> {
  return (await calendarDays(db, from, to)).filter(({ isWorkday }) => !isWorkday).map(({ day }) => day);
}

/** The first bank day after `day`. */
export async function nextBankday(db: Db | Tx, day: Day): Promise<Day> {
  const found = (await calendarDays(db, plusDays(day, 1), plusDays(day, 30))).find(({ isBankday }) => isBankday);
  return found?.day ?? plusDays(day, 1);
}

const OPENS = '09:00';
const CLOSES = '18:00';
const MINUTES_A_DAY = 540;
const MINUTE_MS = 60_000;

/**
 * The instant `n` working minutes after `at`; work goes on from 09:00 to 18:00 (Asia/Shanghai) on workdays.
 * Nothing left to add at closing time stays there, as the end of that day.
 */
export async function addWorkingMinutes(db: Db | Tx, at: Instant, n: number): Promise<Instant> {
  let left = n;
  let from = dayOf(at);
  // Each round reads a quarter of a year; holidays never fill one.
  for (let round = 0; round < 40; round++) {
    const until = plusDays(from, 90);
    for (const { day, isWorkday } of await calendarDays(db, from, until)) {
      if (!isWorkday) continue;
      const opens = Date.parse(startOfDay(day, OPENS));
      const start = Math.max(opens, Date.parse(at));
      const free = Math.max(0, (Date.parse(startOfDay(day, CLOSES)) - start) / MINUTE_MS);
      if (left <= free && free > 0) return new Date(start + left * MINUTE_MS).toISOString();
      left -= free;
    }
    from = plusDays(until, 1);
  }
  throw new Error(`${n} working minutes after ${at} lie beyond ten years`);
}

/** Whole working minutes between two instants; 0 when `to` is not later. */
export async function workingMinutesBetween(db: Db | Tx, from: Instant, to: Instant): Promise<number> {
  if (to <= from) return 0;
  let total = 0;
  for (const { day, isWorkday } of await calendarDays(db, dayOf(from), dayOf(to))) {
    if (!isWorkday) continue;
    const start = Math.max(Date.parse(startOfDay(day, OPENS)), Date.parse(from));
    const end = Math.min(Date.parse(startOfDay(day, CLOSES)), Date.parse(to));
    total += Math.min(MINUTES_A_DAY, Math.max(0, (end - start) / MINUTE_MS));
  }
  return Math.floor(total);
}

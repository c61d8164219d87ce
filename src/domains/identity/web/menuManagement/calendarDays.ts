import type { Day } from '#kernel/contract/time.ts';
import { plusDays } from '#kernel/contract/time.ts';

export interface CalendarDay {
  day: Day;
  isWorkday: boolean;
  isBankday: boolean;
  note: string;
}

/** 0 Monday … 6 Sunday. */
export const weekdayOf = (day: Day): number => (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;

/** What a day is when nobody has said otherwise. */
export const isWeekday = (day: Day): boolean => weekdayOf(day) < 5;

/** The days of a month `YYYY-MM`. */
export function daysOfMonth(month: string): Day[] {
  const days: Day[] = [];
  for (let day = `${month}-01`; day.startsWith(month); day = plusDays(day, 1)) days.push(day);
  return days;
}

export const plusMonths = (month: string, by: number): string => {
  const [year = 0, number = 1] = month.split('-').map(Number);
  const index = year * 12 + number - 1 + by;
  return `${Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`;
};

export interface ParsedList {
  days: CalendarDay[];
  /** Lines that could not be read, by number. */
  faults: string[];
}

const MOST_DAYS = 400;
const LINE =
  /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?(?:\s*(?:至|~|-{1,2}|—)\s*(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?)?[\s,，]+(休|班|放假|上班)[\s,，]*(.*)$/;
const isDay = (day: Day) => !Number.isNaN(Date.parse(`${day}T00:00:00Z`)) && new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
const dayFrom = (parts: readonly (string | undefined)[]): Day => `${parts[0]}-${parts[1]?.padStart(2, '0')}-${parts[2]?.padStart(2, '0')}`;

/**
 * Reads the yearly list of the State Council, one line per day or range: `2027-10-01 至 2027-10-07 休 国庆节`,
 * `2027-10-09 班 国庆节调休`. Shifted working days are no bank days unless they fall on a weekday.
 */
export function parseHolidays(text: string): ParsedList {
  const days = new Map<Day, CalendarDay>();
  const faults: string[] = [];
  text.split('\n').forEach((raw, index) => {
    const line = raw.trim();
    if (!line) return;
    const match = LINE.exec(line);
    const first = match ? dayFrom(match.slice(1, 4)) : '';
    const last = match?.[4] ? dayFrom(match.slice(4, 7)) : first;
    if (!match || !isDay(first) || !isDay(last) || last < first) {
      faults.push(`第${index + 1}行格式不正确：${line}`);
      return;
    }
    const works = match[7] === '班' || match[7] === '上班';
    for (let day = first; day <= last && days.size <= MOST_DAYS; day = plusDays(day, 1)) {
      days.set(day, { day, isWorkday: works, isBankday: works && isWeekday(day), note: (match[8] ?? '').trim().slice(0, 50) });
    }
  });
  if (days.size > MOST_DAYS) faults.push(`一次最多导入${MOST_DAYS}天`);
  return { days: [...days.values()].sort((a, b) => a.day.localeCompare(b.day)), faults };
}

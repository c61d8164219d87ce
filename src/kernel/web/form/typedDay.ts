import { isDay, showInstant, startOfDay, type Day, type Instant } from '../../contract/time.ts';
import type { Typed } from './useTyped.ts';

interface DayBounds {
  from?: Day | undefined;
  until?: Day | undefined;
}

const two = (text: string) => text.padStart(2, '0');

/** Reads a day as somebody types or pastes it: `2026-1-5`, `20260105`, `2026/01/05`, `2026年1月5日`; what is none is said. */
export function typedDay(typed: string, { from, until }: DayBounds = {}): Typed<Day> {
  const text = typed.normalize('NFKC').trim();
  if (text === '') return { value: null, text };
  const [, year = '', month = '', date = ''] =
    /^(\d{4})(?:[-/.年](\d{1,2})[-/.月](\d{1,2})日?|)$/.exec(text.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3')) ?? [];
  const day = `${year}-${two(month)}-${two(date)}`;
  if (month === '' || !isDay(day)) return { fault: '没有这一天，请按 2026-01-31 的格式填写' };
  if (from !== undefined && day < from) return { fault: `不能早于${from}` };
  if (until !== undefined && day > until) return { fault: `不能晚于${until}` };
  return { value: day, text: day };
}

/** Reads a minute in Asia/Shanghai: a day as above with `9:30` behind it. */
export function typedMinute(typed: string, until?: Instant): Typed<Instant> {
  const text = typed.normalize('NFKC').trim();
  if (text === '') return { value: null, text };
  const [, first = '', hour = '', minute = ''] = /^(\S+)\s+(\d{1,2}):(\d{2})$/.exec(text) ?? [];
  const day = typedDay(first);
  if ('fault' in day || day.value === null || Number(hour) > 23 || Number(minute) > 59 || minute === '')
    return { fault: '没有这个时间，请按 2026-01-31 09:30 的格式填写' };
  const value = startOfDay(day.value, `${two(hour)}:${minute}`);
  if (until !== undefined && Date.parse(value) > Date.parse(until)) return { fault: `不能晚于${showInstant(until).slice(0, 16)}` };
  return { value, text: `${day.value} ${two(hour)}:${minute}` };
}

/** Between the days of a range, where they are read together. */
export const TO = ' ~ ';
/** First and last day; null: open there. */
export type DayRange = readonly [Day | null, Day | null];

/** Reads the two days of a range; either may be left open where it says so. */
export function typedDays(first: string, last: string, bounds: DayBounds & { open?: readonly [boolean, boolean] }): Typed<DayRange> {
  const [from, to] = [typedDay(first, bounds), typedDay(last, bounds)];
  if ('fault' in from) return from;
  if ('fault' in to) return to;
  const { open = [false, false] } = bounds;
  const isEmpty = from.value === null && to.value === null;
  if (!isEmpty && ((from.value === null && !open[0]) || (to.value === null && !open[1]))) return { fault: '请填写开始和结束日期' };
  if (from.value !== null && to.value !== null && from.value > to.value) return { fault: '开始日期不能晚于结束日期' };
  return { value: [from.value, to.value], text: from.text + TO + to.text };
}

/** Reads a month: `2026-1`, `202601`, `2026/01`, `2026年1月`. */
export function typedMonth(typed: string, { from, until }: { from?: string | undefined; until?: string | undefined } = {}): Typed<string> {
  const text = typed.normalize('NFKC').trim();
  if (text === '') return { value: null, text };
  const [, year = '', month = ''] = /^(\d{4})[-/.年]?(\d{1,2})月?$/.exec(text) ?? [];
  const value = `${year}-${two(month)}`;
  if (!isDay(`${value}-01`)) return { fault: '没有这个月份，请按 2026年1月 的格式填写' };
  if (from !== undefined && value < from) return { fault: `不能早于${monthText(from)}` };
  if (until !== undefined && value > until) return { fault: `不能晚于${monthText(until)}` };
  return { value, text: monthText(value) };
}
export const monthText = (month: string): string => `${Number(month.slice(0, 4))}年${Number(month.slice(5))}月`;

/** Reads a time of day: `9:30`, `0930`. */
export function typedClock(typed: string): Typed<string> {
  const text = typed.normalize('NFKC').trim();
  if (text === '') return { value: null, text };
  const [, hour = '', minute = ''] = /^(\d{1,2}):?(\d{2})$/.exec(text) ?? [];
  if (minute === '' || Number(hour) > 23 || Number(minute) > 59) return { fault: '没有这个时间，请按 09:30 的格式填写' };
  const value = `${two(hour)}:${minute}`;
  return { value, text: value };
}

import { type Day, type Instant, daysBetween, dayOf, plusDays, startOfDay } from '#kernel/contract/time.ts';

/** Minutes of a day; `to` may pass midnight (up to 1800 = 06:00 of the next day); the end is exclusive. */
export interface Span {
  from: number;
  to: number;
}
/** 1 = Monday … 7 = Sunday. */
export const weekDays = ['1', '2', '3', '4', '5', '6', '7'] as const;
export type WeekDay = (typeof weekDays)[number];
export type WeekHours = Partial<Record<WeekDay, readonly Span[]>>;
export interface Holiday {
  day: Day;
  spans: readonly Span[];
}

export const MAX_SPANS = 3;
export const LATEST = 1800;

/** 1970-01-05 was a Monday. */
export const weekDayOf = (day: Day): WeekDay => String((((daysBetween('1970-01-05', day) % 7) + 7) % 7) + 1) as WeekDay;

const sorted = (spans: readonly Span[]) => [...spans].sort((a, b) => a.from - b.from);

/** Whether spans of one day overlap. */
export const overlaps = (spans: readonly Span[]): boolean =>
  sorted(spans).some((span, index, all) => index > 0 && all[index - 1]!.to > span.from);

/** Whether any day's spans overlap, also with the tail that the day before leaves after midnight. */
export function weekOverlaps(week: WeekHours): boolean {
  return weekDays.some((day, index) => {
    const spans = week[day] ?? [];
    const before = week[weekDays[(index + 6) % 7]!] ?? [];
    const tail = Math.max(0, ...before.map(({ to }) => to - 1440));
    return overlaps(spans) || spans.some(({ from }) => from < tail);
  });
}

/** The same week with sorted spans and no empty days. */
export const tidyWeek = (week: WeekHours): WeekHours =>
  Object.fromEntries(weekDays.flatMap((day) => (week[day]?.length ? [[day, sorted(week[day])]] : [])));

/** Spans that begin on a day: those of a holiday row replace the whole day. */
export function spansOf(day: Day, week: WeekHours, holidays: readonly Holiday[]): readonly Span[] {
  return holidays.find((holiday) => holiday.day === day)?.spans ?? week[weekDayOf(day)] ?? [];
}

/** Whether a store is open: a span of the previous day that passes midnight still counts, whatever this day's holiday row says. */
export function isOpenAt(at: Instant, week: WeekHours, holidays: readonly Holiday[]): boolean {
  const day = dayOf(at);
  const minute = Math.floor((Date.parse(at) - Date.parse(startOfDay(day))) / 60_000);
  const within = (spans: readonly Span[], now: number) => spans.some(({ from, to }) => now >= from && now < to);
  return within(spansOf(day, week, holidays), minute) || within(spansOf(plusDays(day, -1), week, holidays), minute + 1440);
}

const clock = (minute: number) =>
  `${minute >= 1440 ? '次日' : ''}${String(Math.floor((minute % 1440) / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

/** `09:00–次日02:00`, `24小时`, `休息`. */
export const showSpans = (spans: readonly Span[]): string =>
  spans.length === 0
    ? '休息'
    : spans
        .map(({ from, to }) => (from === 0 && to === 1440 ? '24小时' : `${clock(from)}–${to === 1440 ? '24:00' : clock(to)}`))
        .join('，');

/** Times are ISO 8601 texts with milliseconds in UTC (`Instant`); days are `YYYY-MM-DD` in Asia/Shanghai (`Day`). */
export type Instant = string;
export type Day = string;

/** Days and instants that the product takes and keeps: the first and the last day of its calendar. */
const FIRST_DAY: Day = '1900-01-01';
const LAST_DAY: Day = '2199-12-31';

const SHANGHAI_OFFSET_MS = 8 * 3_600_000; // no daylight saving since 1991
const DAY_MS = 86_400_000;

export const instantOf = (at: Date | number): Instant => new Date(at).toISOString();

/** Adds milliseconds. */
export const plusMs = (at: Instant, ms: number): Instant => instantOf(Date.parse(at) + ms);
export const minutes = (n: number) => n * 60_000;
export const hours = (n: number) => n * 3_600_000;
export const days = (n: number) => n * DAY_MS;

/** The calendar day of an instant in Asia/Shanghai. */
export const dayOf = (at: Instant): Day => instantOf(Date.parse(at) + SHANGHAI_OFFSET_MS).slice(0, 10);

/** The instant at which a day, or an `HH:mm` of it, begins in Asia/Shanghai. */
export const startOfDay = (day: Day, time = '00:00'): Instant => instantOf(Date.parse(`${day}T${time}:00+08:00`));

export const plusDays = (day: Day, n: number): Day => instantOf(Date.parse(`${day}T00:00:00Z`) + n * DAY_MS).slice(0, 10);

/** Whole days from `from` to `to`. */
export const daysBetween = (from: Day, to: Day): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS);

/** Whether a text is a day of the product's calendar; 29 February only where there is one. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || !isWithinCalendar(text)) return false;
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && instantOf(at).startsWith(text);
}

/** Whether a day lies within the product's calendar; it is written as one. */
export const isWithinCalendar = (day: Day): boolean => day >= FIRST_DAY && day <= LAST_DAY;

/** The same of an instant in any offset, by its day in Shanghai. */
export function isInstantWithinCalendar(at: string): boolean {
  const ms = Date.parse(at);
  return ms >= Date.parse(startOfDay(FIRST_DAY)) && ms < Date.parse(startOfDay(LAST_DAY)) + DAY_MS;
}

/** `YYYY-MM-DD HH:mm:ss` in Asia/Shanghai, as pages and exports show an instant. */
export const showInstant = (at: Instant): string =>
  instantOf(Date.parse(at) + SHANGHAI_OFFSET_MS)
    .slice(0, 19)
    .replace('T', ' ');

/** The specification's time select: 08:30 to 18:30 in 30-minute steps (21 slots). */
export const timeSlots: readonly string[] = Array.from({ length: 21 }, (_, index) => {
  const minute = 510 + index * 30;
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
});

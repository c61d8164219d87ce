import { dayOf, plusDays, plusMs, startOfDay, type Day, type Instant } from '#kernel/contract/time.ts';

/** Hours in which somebody receives; `weekdays` 1 = Monday … 7 = Sunday. */
export interface DutyHours {
  from: string;
  to: string;
  weekdays: readonly number[];
}
export const platformHours: DutyHours = { from: '08:30', to: '18:30', weekdays: [1, 2, 3, 4, 5, 6, 7] };

/** Duty seconds until the first answer, and until each later one. */
export const FIRST_RESPONSE_SEC = 180;
export const NEXT_RESPONSE_SEC = 300;

const weekdayOf = (day: Day): number => new Date(`${day}T00:00:00Z`).getUTCDay() || 7;
const openOn = (day: Day, hours: DutyHours) => hours.weekdays.includes(weekdayOf(day));

export function onDuty(at: Instant, hours: DutyHours): boolean {
  const day = dayOf(at);
  const now = Date.parse(at);
  return openOn(day, hours) && now >= Date.parse(startOfDay(day, hours.from)) && now < Date.parse(startOfDay(day, hours.to));
}

/** The instant when `seconds` of duty time have passed since `from`. */
export function addDutySeconds(from: Instant, seconds: number, hours: DutyHours): Instant {
  let left = seconds * 1000;
  let day = dayOf(from);
  let at = Date.parse(from);
  // A week holds at least one day of duty, and a day at least a minute.
  for (;;) {
    const end = Date.parse(startOfDay(day, hours.to));
    if (openOn(day, hours) && at < end) {
      at = Math.max(at, Date.parse(startOfDay(day, hours.from)));
      if (at + left <= end) return plusMs(new Date(at).toISOString(), left);
      left -= end - at;
    }
    day = plusDays(day, 1);
    at = Date.parse(startOfDay(day));
  }
}

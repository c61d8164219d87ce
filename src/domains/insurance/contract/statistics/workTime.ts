import { dayOf, daysBetween, plusDays, startOfDay, type Day, type Instant } from '#kernel/contract/time.ts';

/** Office hours: Monday to Friday, nine to six. */
const FROM = '09:00';
const TO = '18:00';

const isOffice = (day: Day): boolean => {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return weekday !== 0 && weekday !== 6;
};

const minutesOf = (day: Day, from: Instant, to: Instant): number => {
  if (!isOffice(day)) return 0;
  const begin = Math.max(Date.parse(startOfDay(day, FROM)), Date.parse(from));
  const end = Math.min(Date.parse(startOfDay(day, TO)), Date.parse(to));
  return Math.max(0, Math.floor((end - begin) / 60_000));
};

/** Working minutes between two instants. */
export function workMinutes(from: Instant, to: Instant): number {
  const first = dayOf(from);
  const days = daysBetween(first, dayOf(to));
  let sum = 0;
  for (let n = 0; n <= days; n += 1) sum += minutesOf(plusDays(first, n), from, to);
  return sum;
}

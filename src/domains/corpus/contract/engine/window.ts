import { dayOf, plusDays, startOfDay, type Day, type Instant } from '#kernel/contract/time.ts';

// R5, fixed in code and no setting: patients are not woken, whoever asks for it.
const OPENS = '08:30';
const CLOSES = '18:31';

/** Whether a touch may be claimed: from 08:30:00 to 18:30:59 in Asia/Shanghai. */
export const inWindow = (at: Instant): boolean => {
  const day = dayOf(at);
  return at >= startOfDay(day, OPENS) && at < startOfDay(day, CLOSES);
};

/** The next moment at which the window opens on a day that may be used. */
export function nextOpening(at: Instant, usableDay: (day: Day) => Day = (day) => day): Instant {
  const day = dayOf(at);
  const today = startOfDay(day, OPENS);
  return startOfDay(usableDay(at < today ? day : plusDays(day, 1)), OPENS);
}

/** How much of a span lies within window hours, in ms; counted day by day, for spans of some days. */
export function windowMsBetween(from: Instant, to: Instant): number {
  let sum = 0;
  for (let day = dayOf(from); day <= dayOf(to); day = plusDays(day, 1)) {
    const opens = Math.max(Date.parse(startOfDay(day, OPENS)), Date.parse(from));
    const closes = Math.min(Date.parse(startOfDay(day, CLOSES)), Date.parse(to));
    sum += Math.max(0, closes - opens);
  }
  return sum;
}

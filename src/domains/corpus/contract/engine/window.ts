import { dayOf, plusDays, startOfDay, type Day, type Instant } from '../../../../kernel/contract/time.ts';

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

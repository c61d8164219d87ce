import { days, hours, plusMs, type Instant } from '#kernel/contract/time.ts';

/** Until when a report must reach the holder (R7): death 24 h, serious or new 15 days, others 30, from its receipt. */
export function adverseDue(report: { seriousness: string; isNew: boolean; receivedAt: Instant }): Instant {
  const ms = report.seriousness === 'DEATH' ? hours(24) : report.seriousness === 'SERIOUS' || report.isNew ? days(15) : days(30);
  return plusMs(report.receivedAt, ms);
}

/** Moments of the reminders: at half of the time, three days and one day before its end. */
export function adverseReminders(receivedAt: Instant, dueAt: Instant): Instant[] {
  const half = plusMs(receivedAt, (Date.parse(dueAt) - Date.parse(receivedAt)) / 2);
  return [...new Set([half, plusMs(dueAt, -days(3)), plusMs(dueAt, -days(1))])].filter((at) => at > receivedAt).sort();
}

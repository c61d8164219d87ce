import { dayOf, plusDays, showInstant, startOfDay, type Day, type Instant } from '#kernel/contract/time.ts';
import type { DeliveryReason, ShownState } from './dictionaries.ts';

/** When something is delivered: a period, and within it days of the week and hours of the day in Asia/Shanghai. */
export interface Schedule {
  startAt: Instant;
  endAt: Instant;
  /** 1 Monday to 7 Sunday; none: every day. */
  weekdays: readonly number[];
  /** `HH:mm`; null: the whole day. */
  dailyFrom: string | null;
  dailyTo: string | null;
}

export const weekdayNames = ['周一', '周二', '周三', '周四', '周五', '周六', '周日'] as const;

const weekdayOf = (day: Day): number => new Date(`${day}T00:00:00Z`).getUTCDay() || 7;
/** Day of the week and `HH:mm` of an instant, as schedules know them. */
export const momentOf = (at: Instant) => ({ weekday: weekdayOf(dayOf(at)), time: showInstant(at).slice(11, 16) });

/** Why it is not delivered at an instant; a time counts from its first instant, not at its end. */
export function outOfSchedule(schedule: Schedule, at: Instant): Extract<DeliveryReason, 'NOT_YET' | 'OVER' | 'SLOT'> | null {
  const now = Date.parse(at);
  if (now < Date.parse(schedule.startAt)) return 'NOT_YET';
  if (now >= Date.parse(schedule.endAt)) return 'OVER';
  const { weekday, time } = momentOf(at);
  if (schedule.weekdays.length > 0 && !schedule.weekdays.includes(weekday)) return 'SLOT';
  const { dailyFrom, dailyTo } = schedule;
  return dailyFrom !== null && dailyTo !== null && (time < dailyFrom || time >= dailyTo) ? 'SLOT' : null;
}

/** States that are stored. */
export type StoredState = 'DRAFT' | 'AUDITING' | 'APPROVED' | 'REJECTED' | 'OFFLINE';

export function shownStateOf(delivery: Schedule & { state: StoredState; spent: boolean }, at: Instant): ShownState {
  if (delivery.state !== 'APPROVED') return delivery.state;
  const reason = outOfSchedule(delivery, at);
  if (reason === 'OVER' || delivery.spent) return 'ENDED';
  return reason === 'NOT_YET' ? 'WAITING' : reason === 'SLOT' ? 'PAUSED_SLOT' : 'LIVE';
}

/** `周一至周五 09:00-12:00`; nothing where it is always. */
export function slotText({ weekdays, dailyFrom, dailyTo }: Pick<Schedule, 'weekdays' | 'dailyFrom' | 'dailyTo'>): string {
  const days = weekdays.toSorted((a, b) => a - b);
  const [first, last] = [days[0], days.at(-1)];
  const together = first !== undefined && last !== undefined && days.length > 2 && last - first === days.length - 1;
  const name = (day: number | undefined) => weekdayNames[(day ?? 1) - 1] ?? '';
  const ofDays = days.length === 0 || days.length === 7 ? '' : together ? `${name(first)}至${name(last)}` : days.map(name).join('、');
  const hours = dailyFrom !== null && dailyTo !== null ? `${dailyFrom}-${dailyTo}` : '';
  return [ofDays, hours].filter((part) => part !== '').join(' ');
}

/** As long as anything may be delivered. */
const MOST_DAYS = 366;

/**
 * The first moment at which more are delivered than a place shows, looking from one delivery at those beside it; null: never. How many
 * there are changes only where a period, a day or a daily time begins.
 */
export function firstOverfull(mine: Schedule, others: readonly Schedule[], maxItems: number): Instant | null {
  if (others.length < maxItems) return null;
  const all = [mine, ...others];
  const starts = new Set<Instant>(all.map(({ startAt }) => startAt).filter((at) => Date.parse(at) >= Date.parse(mine.startAt)));
  const times = new Set(['00:00', ...all.flatMap(({ dailyFrom }) => dailyFrom ?? [])]);
  for (let day = dayOf(mine.startAt), n = 0; n <= MOST_DAYS && startOfDay(day) < mine.endAt; day = plusDays(day, 1), n += 1)
    for (const time of times) starts.add(startOfDay(day, time));
  const ordered = [...starts].toSorted((a, b) => Date.parse(a) - Date.parse(b));
  return (
    ordered.find((at) => outOfSchedule(mine, at) === null && others.filter((one) => outOfSchedule(one, at) === null).length >= maxItems) ??
    null
  );
}

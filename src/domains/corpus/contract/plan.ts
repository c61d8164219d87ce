import type { Day, Instant } from '#kernel/contract/time.ts';
import { dayOf, minutes, plusDays, plusMs, startOfDay, timeSlots } from '#kernel/contract/time.ts';
import type { TimeOption } from './dictionaries.ts';
import { DEFAULT_AGE } from './dictionaries.ts';

/** Day ages between two touches of a cycle. */
export const stepOf: Readonly<Record<TimeOption, number>> = { EVERY_DAY: 1, EVERY_OTHER_DAY: 2, EVERY_TWO_DAYS: 3 };

/** A touch that starts with the entry itself waits at least this long. */
const LEAD_MINUTES = 10;

export interface Entry {
  enteredAt: Instant;
  /** Days by which pauses have moved the plan. */
  shiftDays: number;
  /** The day itself where it may be used, else the next one that may. */
  usableDay(day: Day): Day;
}

export interface PlannedTouch {
  /** Whole days since the entry as configured, before rest days move the date. */
  dayAge: number;
  day: Day;
  sendTime: string;
  at: Instant;
}

const touch = (dayAge: number, day: Day, sendTime: string): PlannedTouch => ({
  dayAge,
  day,
  sendTime,
  at: startOfDay(day, sendTime),
});

const dateOf = (entry: Entry, dayAge: number): Day => entry.usableDay(plusDays(dayOf(entry.enteredAt), entry.shiftDays + dayAge));

/** First slot that begins at or after `at`; after the last one, the first of the next usable day. */
const firstSlotFrom = (entry: Entry, dayAge: number, at: Instant): PlannedTouch => {
  const day = dayOf(at);
  const slot = timeSlots.find((time) => startOfDay(day, time) >= at);
  return slot === undefined || entry.usableDay(day) !== day
    ? touch(dayAge, entry.usableDay(plusDays(day, 1)), timeSlots[0]!)
    : touch(dayAge, day, slot);
};

/** When a schedule item would be sent; an item of day 0 whose time has passed goes out at the next slot. */
export function planItem(entry: Entry, item: { dayOffset: number; sendTime: string }): PlannedTouch {
  const planned = touch(item.dayOffset, dateOf(entry, item.dayOffset), item.sendTime);
  return item.dayOffset === 0 && planned.at < entry.enteredAt
    ? firstSlotFrom(entry, 0, plusMs(entry.enteredAt, minutes(LEAD_MINUTES)))
    : planned;
}

/** All touches of a cycle; the one of the entry day is dropped when its time has passed. */
export function planCycle(entry: Entry, cycle: { timeOption: TimeOption; sendTime: string; age: number | null }): PlannedTouch[] {
  const step = stepOf[cycle.timeOption];
  const days = cycle.age ?? DEFAULT_AGE;
  const touches: PlannedTouch[] = [];
  for (let dayAge = 0; dayAge < days; dayAge += step) {
    const planned = touch(dayAge, dateOf(entry, dayAge), cycle.sendTime);
    if (dayAge > 0 || planned.at >= entry.enteredAt) touches.push(planned);
  }
  return touches;
}

/** Index of the material that a rotating cycle sends; skipped touches do not change what comes later. */
export const rotationIndex = (dayAge: number, timeOption: TimeOption, count: number): number => (dayAge / stepOf[timeOption]) % count;

/** Makes `usableDay` from the days without sending; with none, every day may be used. */
export const avoiding =
  (restDays: ReadonlySet<Day>) =>
  (day: Day): Day => {
    let usable = day;
    while (restDays.has(usable)) usable = plusDays(usable, 1);
    return usable;
  };

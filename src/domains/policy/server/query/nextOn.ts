import { plusDays, type Day } from '#kernel/contract/time.ts';

/** The next day after this one that is the so-manieth of its month. */
export function nextOn(after: Day, dayOfMonth: number): Day {
  let day = plusDays(after, 1);
  while (Number(day.slice(8)) !== dayOfMonth) day = plusDays(day, 1);
  return day;
}

import { plusDays, type Day } from '#kernel/contract/time.ts';

/** R6: the next review is due a cycle after the day of the last one, and never earlier than it is due already. */
export function nextReviewAfter(examinedOn: Day, cycleDays: number, present: Day | null): Day {
  const next = plusDays(examinedOn, cycleDays);
  return present !== null && present > next ? present : next;
}

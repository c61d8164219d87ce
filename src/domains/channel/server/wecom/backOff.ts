import { minutes, plusMs, type Instant } from '../../../../kernel/contract/time.ts';

/** Pauses after which WeChat Work is asked again when it says that it was asked too often. */
const PAUSES_MIN = [1, 5, 15] as const;

/** When to ask again after so many tries; null when it was tried often enough. */
export function nextTry(tries: number, now: Instant): Instant | null {
  const pause = PAUSES_MIN[tries];
  return pause === undefined ? null : plusMs(now, minutes(pause));
}

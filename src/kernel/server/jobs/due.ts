import { CronExpressionParser } from 'cron-parser';
import { instantOf, plusMs, type Instant } from '../../contract/time.ts';
import type { JobKind } from './kind.ts';

/** Jobs that repeat themselves are written down as done so often, not at each run. */
export const WRITTEN_SECONDS = 30;

const ZONE = 'Asia/Shanghai';

/** Moments after `from`, to `to` where it is given, at which a cron is due. */
export function* cronTimes(cron: string, from: Instant, to?: Instant): Generator<Instant> {
  const times = CronExpressionParser.parse(cron, { currentDate: from, ...(to !== undefined && { endDate: to }), tz: ZONE });
  while (times.hasNext()) yield instantOf(times.next().getTime());
}

/** When a job that repeats itself is to have run again after `last`; null for one that waits to be asked. */
export function nextDue({ cron, everySeconds }: Pick<JobKind, 'cron' | 'everySeconds'>, last: Instant): Instant | null {
  if (everySeconds) return plusMs(last, (everySeconds + WRITTEN_SECONDS) * 1000);
  return cron ? (cronTimes(cron, last).next().value ?? null) : null;
}

import type { Instant } from '../../contract/time.ts';

export interface JobOptions {
  /** Not before this time. */
  startAfter?: Instant;
  /** At most one open job per key. */
  singletonKey?: string;
}

/** What is known of one kind of background work: retried with back-off, visible when it fails for good. */
export interface JobKind<Data extends object = Record<string, never>> {
  /** `{domain}.{verbThing}`. */
  name: string;
  /** Chinese name on the page of failed jobs. */
  label: string;
  retryLimit?: number;
  /** Seconds that it may run; one whose process died is taken up by another within a minute all the same. */
  expireSeconds?: number;
  /** Runs at once per process; default 1. */
  concurrency?: number;
  /** Cron in Asia/Shanghai; such a job has no data. */
  cron?: string;
  /** Runs again and again with this pause (longer after `idleFor`), in every process, outside the queue; no data, no retries. */
  everySeconds?: number;
  /** Number shown as 关联单号. */
  subject?(data: Data): string;
}

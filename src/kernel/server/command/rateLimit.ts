import { sql } from 'kysely';
import { platformErrors, refuse } from '../../contract/errors.ts';
import type { Instant } from '../../contract/time.ts';
import { instantOf } from '../../contract/time.ts';
import type { Db, Tx } from '../context.ts';

export interface RateRule {
  max: number;
  seconds: number;
}

/**
 * Counts one use of `key` in fixed windows kept in the database, so that all processes count together.
 * @param db the pool, so that a refused call counts too; the transaction of a command, which counts what was done
 * @returns seconds until the next window when the limit is passed, else 0.
 */
export async function countUse(db: Db | Tx, key: string, rule: RateRule, now: Instant): Promise<number> {
  const windowMs = rule.seconds * 1000;
  const at = Date.parse(now);
  const start = Math.floor(at / windowMs) * windowMs;
  const { rows } = await sql<{ count: number }>`
    insert into kernel_rate_counter (key, window_start, count) values (${key}, ${instantOf(start)}, 1)
    on conflict (key, window_start) do update set count = kernel_rate_counter.count + 1
    returning count`.execute(db);
  return rows[0]!.count > rule.max ? Math.max(1, Math.ceil((start + windowMs - at) / 1000)) : 0;
}

/** Seconds until the next window where `key` was used more often than the rule allows, without using it; else 0. */
export async function waitOf(db: Db, key: string, rule: RateRule, now: Instant): Promise<number> {
  const windowMs = rule.seconds * 1000;
  const at = Date.parse(now);
  const start = Math.floor(at / windowMs) * windowMs;
  const { rows } = await sql<{ count: number }>`
    select count from kernel_rate_counter where key = ${key} and window_start = ${instantOf(start)}`.execute(db);
  return (rows[0]?.count ?? 0) > rule.max ? Math.max(1, Math.ceil((start + windowMs - at) / 1000)) : 0;
}

/** @throws Refusal SCM90011 when `key` was used more often than the rule allows. */
export async function limitRate(db: Db | Tx, key: string, rule: RateRule, now: Instant): Promise<void> {
  const wait = await countUse(db, key, rule, now);
  if (wait > 0) throw refuse(platformErrors.TOO_FREQUENT, { n: wait });
}

/** Drops the windows that began before `until`; longer ones than that must not be counted. */
export async function forgetWindows(db: Db, until: Instant): Promise<void> {
  await sql`delete from kernel_rate_counter where window_start < ${until}`.execute(db);
}

import { sql } from 'kysely';
import type { Instant } from '#kernel/contract/time.ts';
import { lockKeys } from '#kernel/server/command/lockKeys.ts';
import type { Tx } from '#kernel/server/context.ts';

export type Stream = 'enrolment' | 'claim' | 'premium';

/** One thing's events go one after another, also when two processes deliver them. */
export const lockThing = (tx: Tx, stream: Stream, id: string) => lockKeys(tx, 'insurance.stat', [`${stream}:${id}`]);

/**
 * Whether an event is newer than all that was seen of its thing. What it overtook is noted as missing until it comes; what came late
 * is no longer missing.
 */
export async function isNewer(tx: Tx, stream: Stream, id: string, known: number | null, seq: number, now: Instant): Promise<boolean> {
  await sql`delete from insurance_stat_gap where stream = ${stream} and aggregate_id = ${id} and seq = ${seq}`.execute(tx);
  const seen = known ?? 0;
  if (seq <= seen) return false;
  if (seq > seen + 1)
    await sql`
      insert into insurance_stat_gap (stream, aggregate_id, seq, since)
        select ${stream}, ${id}, missing, ${now}
          from generate_series(${seen + 1}::int, ${seq - 1}::int) missing
          on conflict do nothing`.execute(tx);
  return true;
}

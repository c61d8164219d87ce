import { sql } from 'kysely';
import type { Db, Tx } from '../context.ts';
import { plusMs, type Instant } from '../../contract/time.ts';
import { DEAD_SECONDS } from './boss.ts';
import type { JobKind } from './kind.ts';

/**
 * Which of these things wait for a job of theirs to be taken again: it failed and is to be repeated, or its process is silent for longer
 * than a living one. Each with the time since which nobody works on it.
 * @param key name of the thing in the job's data
 */
export async function interruptedSince<Data extends object>(
  { db, now }: { db: Db | Tx; now: Instant },
  { name }: JobKind<Data>,
  key: keyof Data & string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Instant>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; since: Instant }>`
    select j.data ->> ${key} as id, min(coalesce(j.heartbeat_on, j.started_on, j.created_on)) as since
      from pgboss.job j
      where j.name = ${name}
        and j.data ->> ${key} = any(${[...ids]}::text[])
        and (j.state = 'retry' or (j.state = 'active' and j.heartbeat_on < ${plusMs(now, -DEAD_SECONDS * 1000)}::timestamptz))
      group by 1`.execute(db);
  return new Map(rows.map(({ id, since }) => [id, since]));
}

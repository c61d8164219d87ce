import { sql } from 'kysely';
import { dayOf, type Instant } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';

/** The sums of this day are made again within five minutes. */
export const markDirty = (tx: Tx, at: Instant) =>
  sql`insert into channel_dirty_day (day) values (${dayOf(at)}) on conflict do nothing`.execute(tx);

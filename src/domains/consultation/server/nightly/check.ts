import { sql, type RawBuilder } from 'kysely';
import type { Instant } from '#kernel/contract/time.ts';
import type { Db } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';

export interface Look {
  kernel: Kernel;
  db: Db;
  now: Instant;
  /** What changed before was looked at in an earlier night. */
  since: Instant;
}
/** What must never be found: its name, and how many things break it. */
export interface Check {
  name: string;
  broken(look: Look): Promise<number>;
}

/** Counted by one statement. */
export const counted = (name: string, statement: (look: Look) => RawBuilder<{ n: number }>): Check => ({
  name,
  async broken(look) {
    const { rows } = await statement(look).execute(look.db);
    return rows[0]?.n ?? 0;
  },
});
export const n = (from: RawBuilder<unknown>): RawBuilder<{ n: number }> =>
  sql<{ n: number }>`select count(*)::int as n from (${from}) as found`;

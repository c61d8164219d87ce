import type pg from 'pg';
import { dayOf, startOfDay, type Instant } from '../../contract/time.ts';

const MONTHS_AHEAD = 12;
/** Demonstration rows are dated up to this many months back. */
const MONTHS_BACK = 6;

const monthStart = (today: string, offset: number) => {
  const [year = 0, month = 1] = today.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1 + offset, 1)).toISOString().slice(0, 10);
};

/**
 * Makes the month partitions of a table partitioned by range of one timestamptz column, months being those of Asia/Shanghai.
 * Needs the owner's connection. @returns the names of those that were made.
 */
export async function ensureMonthPartitions(
  client: pg.ClientBase, table: string, now: Instant, monthsAhead = MONTHS_AHEAD, monthsBack = MONTHS_BACK,
): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = $1::regclass`,
    [table],
  );
  const known = new Set(rows.map((row) => row.name));
  const made: string[] = [];
  for (let offset = -monthsBack; offset <= monthsAhead; offset++) {
    const from = monthStart(dayOf(now), offset);
    const name = `${table}_${from.slice(0, 7).replace('-', '_')}`;
    if (known.has(name)) continue;
    const until = monthStart(from, 1);
    await client.query(
      `create table if not exists ${name} partition of ${table} for values from ('${startOfDay(from)}') to ('${startOfDay(until)}')`,
    );
    made.push(name);
  }
  return made;
}

/** The same for every table of the product that is partitioned so; at start and once a day. */
export async function ensureAllMonthPartitions(client: pg.ClientBase, now: Instant): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_partitioned_table p join pg_class c on c.oid = p.partrelid
       join pg_attribute a on a.attrelid = c.oid and a.attnum = p.partattrs[0]
      where p.partstrat = 'r' and p.partnatts = 1 and a.atttypid = 'timestamptz'::regtype
        and c.relnamespace = 'public'::regnamespace order by 1`,
  );
  const made: string[] = [];
  for (const { name } of rows) made.push(...(await ensureMonthPartitions(client, name, now)));
  return made;
}

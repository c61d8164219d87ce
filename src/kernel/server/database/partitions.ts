import type pg from 'pg';
import { dayOf, plusDays, startOfDay, type Instant } from '../../contract/time.ts';

const MONTHS_AHEAD = 12;
const DAYS_AHEAD = 14;
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
  client: pg.ClientBase,
  table: string,
  now: Instant,
  monthsAhead = MONTHS_AHEAD,
  monthsBack = MONTHS_BACK,
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

/**
 * Makes the day partitions of a table partitioned by range of one date column (days of Asia/Shanghai) and drops those that are over.
 * What fell into the default partition stays there until it is over too.
 * @param keptDays whole days before today that are kept.
 */
async function ensureDayPartitions(
  client: pg.ClientBase,
  table: string,
  keptDays: number,
  now: Instant,
  daysAhead = DAYS_AHEAD,
): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = $1::regclass`,
    [table],
  );
  const known = new Set(rows.map((row) => row.name));
  const today = dayOf(now);
  const oldest = plusDays(today, -keptDays);
  const nameOf = (day: string) => `${table}_d${day.replaceAll('-', '')}`;
  const strayed = new Set<string>();
  if (known.has(`${table}_rest`)) {
    await client.query(`delete from ${table}_rest where day < $1`, [oldest]);
    const stray = await client.query<{ day: string }>(`select distinct day::text as day from ${table}_rest`);
    for (const { day } of stray.rows) strayed.add(day);
  }
  for (const name of known) {
    if (/_d\d{8}$/.test(name) && name < nameOf(oldest)) await client.query(`drop table ${name}`);
  }
  const made: string[] = [];
  for (let offset = -1; offset <= daysAhead; offset++) {
    const day = plusDays(today, offset);
    if (known.has(nameOf(day)) || strayed.has(day)) continue;
    await client.query(
      `create table if not exists ${nameOf(day)} partition of ${table} for values from ('${day}') to ('${plusDays(day, 1)}')`,
    );
    made.push(nameOf(day));
  }
  return made;
}

/**
 * Both for every table of the product that is partitioned so; at start and once a day. The comment of a table of days says how many are
 * kept.
 */
export async function ensureAllPartitions(client: pg.ClientBase, now: Instant): Promise<string[]> {
  const { rows } = await client.query<{ name: string; comment: string | null }>(
    `select c.relname as name, obj_description(c.oid) as comment from pg_partitioned_table p join pg_class c on c.oid = p.partrelid
       join pg_attribute a on a.attrelid = c.oid and a.attnum = p.partattrs[0]
      where p.partstrat = 'r' and p.partnatts = 1 and a.atttypid = 'date'::regtype
        and c.relnamespace = 'public'::regnamespace order by 1`,
  );
  const made: string[] = [];
  for (const { name, comment } of rows) {
    const kept = /kept (\d+) days/.exec(comment ?? '')?.[1];
    if (kept) made.push(...(await ensureDayPartitions(client, name, Number(kept), now)));
  }
  return [...(await ensureAllMonthPartitions(client, now)), ...made];
}

/** Month partitions of every table that is partitioned so. */
async function ensureAllMonthPartitions(client: pg.ClientBase, now: Instant): Promise<string[]> {
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

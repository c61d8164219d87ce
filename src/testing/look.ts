import pg from 'pg';
import { clientConfig, type DatabaseAddress } from '#kernel/server/database/address.ts';

/** What a start has left in the database, at one moment. */
export interface Look {
  /** Demonstrations whose mark stands. */
  demonstrations: readonly string[];
  /** Lists of reference data whose mark stands. */
  references: number;
  /** Rows of every table of the product and of its jobs. */
  counts: Readonly<Record<string, number>>;
}

/** @returns null where the tables are not all there yet. */
export async function look(address: DatabaseAddress): Promise<Look | null> {
  const client = new pg.Client(clientConfig(address));
  await client.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    const { rows: tables } = await client.query<{ name: string }>(
      `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname in ('public', 'pgboss') and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
    );
    if (!tables.some(({ name }) => name === 'pgboss.job')) return null;
    const { rows: marks } = await client.query<{ name: string }>(`select name from kernel_setting order by name`);
    const { rows } = await client.query<{ name: string; n: number }>(
      tables.map(({ name }) => `select '${name}' as name, count(*)::int as n from ${name}`).join(' union all '),
    );
    return {
      demonstrations: marks.map(({ name }) => name).filter((name) => name.startsWith('demo.') && name !== 'demo.underWay'),
      references: marks.filter(({ name }) => name.startsWith('reference.')).length,
      counts: Object.fromEntries(rows.map(({ name, n }) => [name, n])),
    };
  } finally {
    await client.end();
  }
}

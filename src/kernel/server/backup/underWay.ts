import type pg from 'pg';
import { describeAddress, type DatabaseAddress } from '../database/address.ts';
import { connectOwner } from '../database/migrator.ts';
import { StartFailure } from '../startFailure.ts';
import type { ObjectStorage } from '../storage/objectStorage.ts';
import { nameOf } from './catalogue.ts';

/** There from the first thing that a restore writes until it has ended: all of the database and of the storage is the restore's then. */
const MARK = { schema: 'public', name: 'kernel_restore_under_way' };
/** Of one statement, so that the locks stay far below what a server with default settings has. */
const DROPPED_AT_ONCE = 20;

export async function isUnderWay(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>('select to_regclass($1) is not null as found', [nameOf(MARK)]);
  return rows[0]?.found === true;
}

export const markUnderWay = (client: pg.ClientBase) => client.query(`create table ${nameOf(MARK)} ()`);

export const unmark = (client: pg.ClientBase) => client.query(`drop table ${nameOf(MARK)}`);

/** Empties database and storage, which were empty when the mark was made; it goes last, so that this can be interrupted as well. */
export async function takeBack(client: pg.ClientBase, storage: ObjectStorage): Promise<void> {
  for await (const key of storage.keys()) await storage.remove(key);
  const { rows } = await client.query<{ schema: string; name: string }>(
    `select n.nspname as schema, c.relname as name
       from pg_class c
       join pg_namespace n on n.oid = c.relnamespace
       where c.relkind in ('r', 'p') and n.nspname in ('public', 'pgboss') and c.relname <> $1
       order by c.relispartition desc, 1, 2`,
    [MARK.name],
  );
  for (let at = 0; at < rows.length; at += DROPPED_AT_ONCE) {
    const some = rows.slice(at, at + DROPPED_AT_ONCE).map(nameOf);
    await client.query(`drop table if exists ${some.join(', ')} cascade`);
  }
  await client.query('drop schema if exists pgboss cascade');
  await client.query('drop schema public cascade; create schema public');
}

/** @throws StartFailure for a database that an interrupted restore has filled in part */
export async function requireWholeRestore(address: DatabaseAddress): Promise<void> {
  const client = await connectOwner(address);
  try {
    if (await isUnderWay(client))
      throw new StartFailure(
        `A restore into the database ${describeAddress(address)} was interrupted or is going on. Run it again (npm run restore -- FOLDER): it begins anew.`,
      );
  } finally {
    await client.end();
  }
}

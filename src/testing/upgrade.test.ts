import { randomBytes } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { SUCCESS } from '#kernel/contract/envelope.ts';
import { platformErrors } from '#kernel/contract/errors.ts';
import { columnsOf, nameOf, sequencesOf, tablesOf, type Table } from '#kernel/server/backup/catalogue.ts';
import { withDatabase, type DatabaseAddress } from '#kernel/server/database/address.ts';
import { connectOwner, migrate, readMigrations } from '#kernel/server/database/migrator.ts';
import { writeReference } from '#kernel/server/start/reference.ts';
import { demoTemplate } from './demoTemplate.ts';
import { TEST_NOW } from './globalSetup.ts';
import { startTestApp } from './testApp.ts';

const PATIENCE = 300_000;
/** The last migration of every schema that was released, oldest first. Grows with each release; never shrinks. */
const RELEASES = [
  '202611212041_doctor_order_refunding.sql',
  '202611220410_doctor_region.sql',
  '202611230600_identity_session_changes.sql',
  '202611251400_policy_base.sql',
  '202611270781_policy_abnormal_owner.sql',
  '202611280101_policy_family_order.sql',
];

const all = readMigrations();
const databases: string[] = [];
let demo: DatabaseAddress;
let owner: pg.Client;

async function emptyDatabase(): Promise<DatabaseAddress> {
  const name = `kq_upgrade_${process.pid}_${randomBytes(4).toString('hex')}`;
  await owner.query(`create database ${name} template template0`);
  databases.push(name);
  return withDatabase(inject('templateAddress'), name);
}

async function within<T>(address: DatabaseAddress, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connectOwner(address);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Tables and columns that both know: what the earlier release could already hold of today's demonstration. */
function sharedTables(earlier: readonly Table[], today: readonly Table[]): Table[] {
  const known = new Map(today.map((table) => [nameOf(table), new Set(table.columns)]));
  return earlier.flatMap((table) => {
    const columns = known.get(nameOf(table));
    const isRecord = table.schema === 'public' && table.name !== 'kernel_migration';
    return columns && isRecord ? [{ ...table, columns: table.columns.filter((column) => columns.has(column)) }] : [];
  });
}

/** Fills an earlier schema with the rows of today's demonstration that it can hold. @returns the tables filled. */
async function fillFromDemo(address: DatabaseAddress): Promise<Table[]> {
  return within(demo, (source) =>
    within(address, async (target) => {
      const tables = sharedTables(await tablesOf(target), await tablesOf(source));
      await target.query(`set session_replication_role = replica`);
      await target.query(`truncate ${tables.map(nameOf).join(', ')}`);
      for (const table of tables)
        await pipeline(
          source.query(copyTo(`copy ${nameOf(table)} (${columnsOf(table)}) to stdout`)),
          target.query(copyFrom(`copy ${nameOf(table)} (${columnsOf(table)}) from stdin`)),
        );
      const here = new Set((await sequencesOf(target)).map(nameOf));
      for (const { schema, name, lastValue, isCalled } of await sequencesOf(source))
        if (here.has(nameOf({ schema, name })))
          await target.query('select setval($1::regclass, $2::bigint, $3)', [nameOf({ schema, name }), lastValue, isCalled]);
      return tables;
    }),
  );
}

/** Tables into which a migration writes what an older release had not kept. */
const FILLED = new Set(['"public"."patient_assistant"', '"public"."identity_api_client"']);

/** Rows of each table, and a hash of what its columns say. */
async function contentOf(client: pg.Client, tables: readonly Table[]): Promise<Record<string, string>> {
  const content: Record<string, string> = {};
  for (const table of tables) {
    const { rows } = await client.query<{ hash: string }>(
      `select count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)), 0) as hash
       from (select ${columnsOf(table)} from only ${nameOf(table)}) t`,
    );
    content[nameOf(table)] = rows[0]!.hash;
  }
  return content;
}

/** Everything that a schema is made of, as PostgreSQL writes it. */
async function schemaOf(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ line: string }>(
    `
      select format(
        'column %s.%s %s %s %s', a.attrelid::regclass, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
        pg_get_expr(d.adbin, d.adrelid)
      ) as line
        from pg_attribute a
        join pg_class c on c.oid = a.attrelid
        left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
      union all
      select format('constraint %s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
        from pg_constraint
        where connamespace = 'public'::regnamespace and conrelid <> 0
      union all
      select format('index %s', indexdef)
        from pg_indexes
        where schemaname = 'public'
      union all
      select format('trigger %s', pg_get_triggerdef(t.oid))
        from pg_trigger t
        join pg_class c on c.oid = t.tgrelid
        where not t.tgisinternal and c.relnamespace = 'public'::regnamespace
      union all
      select format('function %s', pg_get_functiondef(p.oid))
        from pg_proc p
        where p.pronamespace = 'public'::regnamespace
          and p.prokind = 'f'
          and not exists (select from pg_depend where objid = p.oid and deptype = 'e')
      union all
      select format('right %s %s %s', table_name, grantee, privilege_type)
        from information_schema.role_table_grants
        where table_schema = 'public' and grantee <> current_user
        order by 1`,
  );
  return rows.map(({ line }) => line);
}

/**
 * Which rows the catalogue of the schema is made of, and who wrote each: not one is another after a migration that left nothing. Cheaper
 * than the definitions themselves.
 */
async function catalogueOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ hash: string }>(`
    with relation as (select oid, xmin from pg_class where relnamespace = 'public'::regnamespace)
    select md5(string_agg(line, ',' order by line)) as hash from (
      select 'class ' || oid || ' ' || xmin as line from relation
      union all
      select format('attribute %s %s %s', attrelid, attnum, xmin) from pg_attribute where attrelid in (select oid from relation)
      union all
      select format('default %s %s', oid, xmin) from pg_attrdef where adrelid in (select oid from relation)
      union all
      select format('constraint %s %s', oid, xmin) from pg_constraint where connamespace = 'public'::regnamespace
      union all
      select format('trigger %s %s', oid, xmin) from pg_trigger where tgrelid in (select oid from relation)
      union all
      select format('function %s %s', oid, xmin) from pg_proc where pronamespace = 'public'::regnamespace
    ) rows`);
  return rows[0]!.hash;
}

/** The program starts on the upgraded rows, and every list that needs nothing named is answered. @returns those that were. */
async function listsAnswered(address: DatabaseAddress): Promise<string[]> {
  const app = await startTestApp({ database: address });
  try {
    await writeReference(app.kernel);
    const admin = await app.staff({ role: 'SUPER_ADMIN' });
    const lists = app.kernel.registry.handlers.filter(
      ({ call, mode }) => mode === 'query' && call.shape === 'list' && call.access.kind !== 'public',
    );
    const answered: string[] = [];
    for (const { call } of lists) {
      const { envelope } = await app.send(call, { pageNo: 1, pageSize: 5 }, { as: admin });
      expect(envelope, call.name).not.toMatchObject({ code: platformErrors.INTERNAL.code });
      if (envelope.code === SUCCESS) answered.push(call.name);
    }
    return answered;
  } finally {
    await app.close();
  }
}

/**
 * Loses the connection in the midst of the migration behind the first `count`, as a crash of the machine does: those before it are kept, of
 * it nothing is left.
 */
async function interruptedBehind(address: DatabaseAddress, count: number): Promise<void> {
  await within(address, (client) =>
    client.query(
      `set event_triggers = off;
       create function held_by_test() returns event_trigger language plpgsql as $$ begin
         if (select count(*) from public.kernel_migration) = ${count}
           and (tg_event = 'sql_drop' or exists (select from pg_event_trigger_ddl_commands())) then perform pg_sleep(3600); end if;
       end $$;
       create event trigger held_at_drop on sql_drop execute function held_by_test();
       create event trigger held_at_end on ddl_command_end execute function held_by_test()`,
    ),
  );
  const interrupted = expect(migrate(address, TEST_NOW)).rejects.toThrow(`The migration ${all[count]?.name} failed`);
  await within(address, async (client) => {
    const asleep = `pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`;
    await expect.poll(async () => (await client.query(`select from ${asleep}`)).rowCount, { interval: 20, timeout: PATIENCE }).toBe(1);
    const before = await catalogueOf(client);
    await client.query(`select pg_terminate_backend(pid) from ${asleep}`);
    await interrupted;
    expect(await catalogueOf(client)).toBe(before);
    const { rows } = await client.query<{ name: string }>('select name from kernel_migration order by name collate "C"');
    expect(rows.map(({ name }) => name)).toEqual(all.slice(0, count).map(({ name }) => name));
    await client.query('set event_triggers = off');
    await client.query('drop event trigger held_at_drop; drop event trigger held_at_end; drop function held_by_test()');
  });
}

beforeAll(async () => {
  const template = inject('templateAddress');
  owner = await connectOwner(withDatabase(template, 'postgres'));
  demo = withDatabase(template, (await demoTemplate(TEST_NOW)).database);
}, PATIENCE);

afterAll(async () => {
  for (const name of databases) await owner.query(`drop database if exists ${name} with (force)`);
  await owner.end();
});

describe.each(RELEASES)('the data of a release that ended with %s', (release) => {
  const isOldest = release === RELEASES[0];

  it(
    'is brought to the present schema, on which the program answers; a migration that is interrupted leaves nothing and is run again',
    async () => {
      const address = await emptyDatabase();
      const since = all.findIndex(({ name }) => name === release) + 1;
      expect(since).toBeGreaterThan(0);
      await migrate(address, TEST_NOW, all.slice(0, since));
      const tables = await fillFromDemo(address);
      const before = await within(address, (client) => contentOf(client, tables));
      expect(Object.keys(before).length).toBeGreaterThan(100);

      // Of the oldest release every one of them is interrupted, which are the later releases' too; of those the first.
      const last = isOldest ? all.length - 1 : since;
      for (let count = since; count <= last; count += 1) await interruptedBehind(address, count);
      expect(await migrate(address, TEST_NOW)).toEqual(all.slice(last).map(({ name }) => name));

      const [upgraded, fresh] = await Promise.all([within(address, schemaOf), within(inject('templateAddress'), schemaOf)]);
      expect(upgraded).toEqual(fresh);
      const left = await within(address, tablesOf);
      const kept = sharedTables(tables, left).filter((table) => !FILLED.has(nameOf(table)));
      const after = await within(address, (client) => contentOf(client, kept));
      expect(after).toEqual(Object.fromEntries(Object.entries(before).filter(([name]) => name in after)));
      expect((await listsAnswered(address)).length).toBeGreaterThan(100);
    },
    PATIENCE,
  );
});

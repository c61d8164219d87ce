import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#testing/testDatabase.ts';
import { silentLogger } from '../logger.ts';
import { listenOn } from './listener.ts';
import { createDb, type DbPool } from './pool.ts';

let database: TestDatabase;
let pool: DbPool;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = createDb(database.address, { log: silentLogger });
});
afterAll(async () => {
  await pool.close();
  await database.close();
});

/** Connections of the pool that somebody holds. */
const held = () => pool.pool.totalCount - pool.pool.idleCount;

it('hears many channels on one connection, says when it is lost and back, and gives it back with the last of them', async () => {
  const notifications = listenOn(pool.pool, silentLogger);
  const happened: string[] = [];
  const note = (what: string) => () => void happened.push(what);
  const on = (name: string) =>
    notifications.on(name, { hear: (payload) => happened.push(`${name} ${payload}`), up: note(`${name} up`), down: note(`${name} down`) });
  const first = await on('one');
  await expect.poll(() => happened).toEqual(['one up']);
  // It hears as soon as it stands, on the connection that is there already.
  const second = await on('two');
  expect(happened).toEqual(['one up', 'two up']);
  expect(held()).toBe(1);
  await sql`select pg_notify('two', 'b'), pg_notify('three', 'c'), pg_notify('one', 'a')`.execute(database.db);
  await expect.poll(() => happened.slice(2)).toEqual(['two b', 'one a']);

  await database.asOwner(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'listen %'`,
  );
  await expect.poll(() => happened.slice(4), { timeout: 10_000 }).toEqual(['one down', 'two down', 'one up', 'two up']);
  await sql`select pg_notify('one', 'again')`.execute(database.db);
  await expect.poll(() => happened.at(-1)).toBe('one again');

  first.close();
  expect(happened.at(-1)).toBe('one down');
  await sql`select pg_notify('one', 'nobody'), pg_notify('two', 'still')`.execute(database.db);
  await expect.poll(() => happened.at(-1)).toBe('two still');
  second.close();
  expect(happened.at(-1)).toBe('two down');
  expect(held()).toBe(0);
});

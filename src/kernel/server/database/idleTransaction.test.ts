import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#testing/testDatabase.ts';
import { silentLogger } from '../logger.ts';
import { DatabaseAway } from './away.ts';
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

it('a transaction in which nothing happens loses its locks, others go on, and its process is told that the connection is gone', async () => {
  const { rows } = await sql<{ is: string }>`select current_setting('idle_in_transaction_session_timeout') as is`.execute(pool.db);
  expect(rows).toEqual([{ is: '20s' }]);
  await sql`insert into kernel_setting (name, value, at) values ('idle', '0', now())`.execute(pool.db);
  const write = sql`update kernel_setting set value = value || '1' where name = 'idle'`;
  await expect(
    pool.db.transaction().execute(async (tx) => {
      await write.execute(tx);
      await sql`select set_config('idle_in_transaction_session_timeout', '50', true)`.execute(tx);
      // Waits for the lock that the transaction around it holds.
      await database.asOwner(`update kernel_setting set value = value || '2' where name = 'idle'`);
      await write.execute(tx);
    }),
  ).rejects.toBeInstanceOf(DatabaseAway);
  const { rows: left } = await sql`select value from kernel_setting where name = 'idle'`.execute(pool.db);
  expect(left).toEqual([{ value: '02' }]);
});

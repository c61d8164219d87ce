import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/testDatabase.ts';
import { StatementNames } from './prepared.ts';

describe('StatementNames', () => {
  it('names a text when it comes back, and always the same way', () => {
    const names = new StatementNames();
    expect([1, 2, 3].map(() => names.of('select 1'))).toEqual([undefined, undefined, undefined]);
    expect(names.of('select 1')).toBe('s0');
    expect(names.of('select 1')).toBe('s0');
    for (let time = 0; time < 3; time += 1) names.of('select 2');
    expect(names.of('select 2')).toBe('s1');
  });

  it('prepares no more than its limit, whatever is sent', () => {
    const names = new StatementNames();
    const given = Array.from({ length: 900 }, (_, n) => [1, 2, 3, 4].map(() => names.of(`select ${n}`)).at(-1)).filter(Boolean);
    expect(given).toHaveLength(400);
  });
});

describe('a pool that prepares', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase({ max: 1 });
  });
  afterAll(() => database.close());

  it('sends a repeated statement under a name and answers the same', async () => {
    const ask = async (n: number) => (await sql<{ n: number }>`select ${n}::int as n`.execute(database.db)).rows;
    for (let n = 1; n <= 6; n += 1) expect(await ask(n)).toEqual([{ n }]);
    const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(database.db);
    expect(rows).toEqual([{ statement: 'select $1::int as n' }]);
  });

  it('goes on when a prepared table gets another column', async () => {
    await database.asOwner('create table probe_column (id int); grant select on probe_column to kangqiao_app');
    const ask = () => sql`select id from probe_column where id = ${1}`.execute(database.db);
    for (let n = 0; n < 5; n += 1) await ask();
    await database.asOwner('alter table probe_column add column name text');
    expect((await ask()).rows).toEqual([]);
  });
});

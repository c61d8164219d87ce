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

  it('keeps the names of what is sent, no more than its limit, and never gives one twice', () => {
    const names = new StatementNames();
    const send = (text: string) => [1, 2, 3, 4].map(() => names.of(text)).at(-1)!;
    const daily = send('select daily');
    const given = Array.from({ length: 900 }, (_, n) => {
      expect(names.of('select daily')).toBe(daily);
      return send(`select ${n}`);
    });
    expect(new Set([daily, ...given]).size).toBe(901);
    expect(given.map((name) => names.isCurrent(name))).toEqual(given.map((_, n) => n > 500));
    expect(names.isCurrent(daily)).toBe(true);
    expect(names.of('select 0')).toBeUndefined();
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

  it('ends on its connection what it no longer names', async () => {
    const count = async () =>
      Number((await sql<{ n: string }>`select count(*) as n from pg_prepared_statements`.execute(database.db)).rows[0]!.n);
    for (let time = 0; time < 5; time += 1)
      await expect(sql`select ${time}::int / 0 from nowhere`.execute(database.db)).rejects.toThrow('nowhere');
    for (let n = 0; n < 700; n += 1)
      for (let time = 0; time < 4; time += 1) await sql`select ${time}::int as ${sql.ref(`n${n}`)}`.execute(database.db);
    expect(await count()).toBeLessThanOrEqual(501);
    // The latest are kept, and a statement that lost its name works on.
    expect((await sql`select ${7}::int as ${sql.ref('n0')}`.execute(database.db)).rows).toEqual([{ n0: 7 }]);
  });

  it('goes on when a prepared table gets another column', async () => {
    await database.asOwner('create table probe_column (id int); grant select on probe_column to kangqiao_app');
    const ask = () => sql`select id from probe_column where id = ${1}`.execute(database.db);
    for (let n = 0; n < 5; n += 1) await ask();
    await database.asOwner('alter table probe_column add column name text');
    expect((await ask()).rows).toEqual([]);
  });
});

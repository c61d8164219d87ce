import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#testing/testDatabase.ts';
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

  it('gives no more names than its limit while they are used, and those that are not to others; none twice', () => {
    const names = new StatementNames();
    const send = (text: string, times = 4) => Array.from({ length: times }, () => names.of(text)).at(-1);
    const first = Array.from({ length: 400 }, (_, n) => send(`select ${n}`)!);
    expect(send('select late')).toBeUndefined();
    expect(first.every((name) => names.isCurrent(name))).toBe(true);
    // One goes on, the others are not sent any more.
    send('select 0', 6_000);
    const late = send('select late', 1)!;
    expect(first.includes(late)).toBe(false);
    expect(first.map((name) => names.isCurrent(name))).toEqual(first.map((_, n) => n !== 1));
    expect([names.of('select 0'), names.of('select 1'), names.of('select 2')]).toEqual([first[0], undefined, first[2]]);
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
    const sent = (column: string, times: number) =>
      database.db.connection().execute(async (db) => {
        for (let time = 0; time < times; time += 1) await sql`select ${time}::int as ${sql.ref(column)}`.execute(db);
      });
    // One that PostgreSQL refuses is never prepared.
    for (let time = 0; time < 5; time += 1)
      await expect(sql`select ${time}::int / 0 from nowhere`.execute(database.db)).rejects.toThrow('nowhere');
    for (let n = 0; n < 400; n += 1) await sent(`n${n}`, 4);
    await sent('daily', 6_000);
    for (let n = 0; n < 200; n += 1) await sent(`late${n}`, 4);
    await sent('daily', 1);
    expect(await count()).toBeLessThanOrEqual(500);
    // A statement that lost its name works on.
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

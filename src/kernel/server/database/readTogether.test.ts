import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#testing/testDatabase.ts';
import type { Db, Tx } from '../context.ts';
import { readTogether } from './readTogether.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

/** A statement as it stands, with the connection that answered it. */
const asked = (db: Db | Tx, what: string) => ({
  compile: () => sql<{ backendId: number; asText: string }>`select pg_backend_pid() as backend_id, ${sql.raw(what)}`.compile(db),
});

describe('readTogether', () => {
  it('answers the rows of each statement in their order, with the names of the program, from one connection', async () => {
    const { db } = database;
    const [first, none, last] = await readTogether(db, [
      asked(db, `'甲' as as_text`),
      asked(db, `'' as as_text where false`),
      asked(db, `'乙' as as_text`),
    ]);
    expect([first, none, last].map((rows) => rows.map(({ asText }) => asText))).toEqual([['甲'], [], ['乙']]);
    expect(new Set([...first, ...last].map(({ backendId }) => backendId)).size).toBe(1);
  });

  it('reads in the transaction that it is given, and fails with the first statement that fails', async () => {
    await database.db.transaction().execute(async (tx) => {
      await sql`set local lock_timeout = '1234ms'`.execute(tx);
      const [[row]] = await readTogether(tx, [asked(tx, `current_setting('lock_timeout') as as_text`)]);
      expect(row!.asText).toBe('1234ms');
    });
    const { db } = database;
    await expect(readTogether(db, [asked(db, '1 / 0'), asked(db, `'' as as_text`)])).rejects.toThrow('division by zero');
    expect(await readTogether(db, [asked(db, `'丙' as as_text`)])).toHaveLength(1);
  });
});

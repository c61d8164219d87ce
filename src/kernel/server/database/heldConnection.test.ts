import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#testing/testDatabase.ts';
import { silentLogger } from '../logger.ts';
import { besideTransaction, holdingConnection, SecondConnection } from './heldConnection.ts';
import { createDb, type DbPool } from './pool.ts';

describe('work of an open transaction', () => {
  let database: TestDatabase;
  let strict: DbPool;
  const told: SecondConnection[] = [];
  beforeAll(async () => {
    database = await createTestDatabase();
    strict = createDb(database.address, {
      log: silentLogger,
      onSecondConnection(error) {
        told.push(error);
        throw error;
      },
    });
  });
  afterAll(async () => {
    await strict.close();
    await database.close();
  });

  const askPool = () => sql<{ one: number }>`select 1 as one`.execute(strict.db).then(({ rows }) => rows);
  const inTransaction = <T>(work: () => Promise<T>) =>
    strict.db.transaction().execute(() => holdingConnection('BannerService/auditBanner', work));

  it('gets no second connection from the pool, and the error says whose it is and where', async () => {
    await expect(inTransaction(askPool)).rejects.toThrow('BannerService/auditBanner holds a connection and asks the pool for another one');
    expect(told).toHaveLength(1);
    expect(told[0]?.stack).toContain('heldConnection.test.ts');
    await expect(inTransaction(() => strict.db.transaction().execute(askPool))).rejects.toBeInstanceOf(SecondConnection);
  });

  it('gets one where that is declared, and so does whatever it left running when it has ended', async () => {
    expect(await inTransaction(() => besideTransaction('progress', askPool))).toEqual([{ one: 1 }]);
    const left: (() => Promise<unknown>)[] = [];
    let end = () => {};
    const ended = new Promise<void>((resolve) => (end = resolve));
    await inTransaction(async () => {
      const later = ended.then(askPool);
      left.push(() => later);
    });
    end();
    expect(await left[0]!()).toEqual([{ one: 1 }]);
  });
});

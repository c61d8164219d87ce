import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#testing/testDatabase.ts';
import { TEST_MASTER_KEY } from '#testing/testConfig.ts';
import { makeSecrets } from '../sensitive/makeSecrets.ts';
import { StartFailure } from '../startFailure.ts';
import { DiskStorage } from './diskStorage.ts';
import { assertOwnStorage, STORAGE_MARK } from './storageMark.ts';

const NOW = '2026-11-29T00:00:00.000Z';
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const newStorage = () =>
  new DiskStorage({ folder: mkdtempSync(path.join(os.tmpdir(), 'kangqiao-mark-')), secrets: makeSecrets(TEST_MASTER_KEY) });

it('knows its storage again, however many nodes start at once, and refuses another one and an empty one', async () => {
  const [own, empty, foreign] = [newStorage(), newStorage(), newStorage()];
  await Promise.all([1, 2, 3].map(() => assertOwnStorage(database.db, own, NOW)));
  await assertOwnStorage(database.db, own, NOW);
  await foreign.put(STORAGE_MARK, Buffer.from('another'), { contentType: 'text/plain' });
  for (const other of [empty, foreign]) {
    await expect(assertOwnStorage(database.db, other, NOW)).rejects.toThrow(StartFailure);
    await expect(assertOwnStorage(database.db, other, NOW)).rejects.toThrow(/not the one of this database/);
  }
  expect(await empty.stat(STORAGE_MARK)).toBeNull();
  // Moved with its mark it is the same.
  await empty.put(STORAGE_MARK, (await own.get(STORAGE_MARK)).body, { contentType: 'text/plain' });
  await assertOwnStorage(database.db, empty, NOW);
});

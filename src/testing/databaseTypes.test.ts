import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { generateTableTypes } from '../../scripts/databaseTypes/generate.ts';
import { connectOwner } from '#kernel/server/database/migrator.ts';
import { createTestDatabase } from './testDatabase.ts';

it('has the table types of the migrations; `npm run db:types` writes them', async () => {
  const database = await createTestDatabase();
  const owner = await connectOwner(database.address);
  try {
    for (const [file, text] of await generateTableTypes(owner)) {
      const full = path.join(import.meta.dirname, '../..', file);
      expect(existsSync(full) ? readFileSync(full, 'utf8') : '', file).toBe(text);
    }
  } finally {
    await owner.end();
    await database.close();
  }
});

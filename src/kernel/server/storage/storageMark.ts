import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { sql } from 'kysely';
import { lockKeys } from '../command/lockKeys.ts';
import type { Db } from '../context.ts';
import { StartFailure } from '../startFailure.ts';
import { ObjectMissing, type ObjectStorage } from './objectStorage.ts';

/** Key of the object that says which database the storage belongs to; copied with all others when files are moved or backed up. */
export const STORAGE_MARK = 'storage-mark';
const SETTING = 'storage.mark';

async function readMark(storage: ObjectStorage): Promise<string | null> {
  try {
    return (await text((await storage.get(STORAGE_MARK)).body)).trim();
  } catch (error) {
    if (error instanceof ObjectMissing) return null;
    throw error;
  }
}

/**
 * Holds the database's files against its storage: nodes that do not share one, and a folder or bucket of somebody else, lose files in
 * silence. The first start marks both.
 * @throws StartFailure where the storage is not this database's.
 */
export async function assertOwnStorage(db: Db, storage: ObjectStorage, now: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockKeys(tx, 'kernel.storage');
    const { rows } = await sql<{ value: string }>`select value from kernel_setting where name = ${SETTING}`.execute(tx);
    const wanted = rows[0]?.value ?? null;
    const found = await readMark(storage);
    if (wanted !== null) {
      if (found === wanted) return;
      throw new StartFailure(
        'The file storage is not the one of this database, so files would be lost: give all nodes the same one (S3_…, or one shared data ' +
          `folder), or bring back the old one; if its files were moved, its file ${STORAGE_MARK} has to come along.`,
      );
    }
    const mark = found ?? randomUUID();
    if (found === null) await storage.put(STORAGE_MARK, Buffer.from(mark), { contentType: 'text/plain' });
    await sql`
      insert into kernel_setting (name, value, at) values (${SETTING}, ${mark}, ${now})
      on conflict (name) do nothing`.execute(tx);
  });
}

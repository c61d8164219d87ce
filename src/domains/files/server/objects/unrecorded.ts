import type { Db } from '#kernel/server/context.ts';
import type { ObjectStorage } from '#kernel/server/storage/objectStorage.ts';
import { STORAGE_MARK } from '#kernel/server/storage/storageMark.ts';
import { own } from '../database.ts';

const LOOK_UP = 500;

/** Keys of everything that is stored; parts of open uploads and the storage's own mark are left out. */
export async function storedKeys(storage: ObjectStorage): Promise<ReadonlySet<string>> {
  const stored = new Set<string>();
  for await (const key of storage.keys()) if (!key.startsWith('parts/') && key !== STORAGE_MARK) stored.add(key);
  return stored;
}

/** Those of the keys that no row names. */
export async function unrecorded(db: Db, stored: ReadonlySet<string>): Promise<string[]> {
  const keys = [...stored];
  const unknown: string[] = [];
  for (let at = 0; at < keys.length; at += LOOK_UP) {
    const some = keys.slice(at, at + LOOK_UP);
    const files = await own(db)
      .selectFrom('filesFileObject')
      .select('storageKey')
      .where('storageKey', 'in', some)
      .where('bytesRemovedAt', 'is', null)
      .execute();
    const renditions = await own(db).selectFrom('filesRendition').select('storageKey').where('storageKey', 'in', some).execute();
    const known = new Set([...files, ...renditions].map(({ storageKey }) => storageKey));
    unknown.push(...some.filter((key) => !known.has(key)));
  }
  return unknown;
}

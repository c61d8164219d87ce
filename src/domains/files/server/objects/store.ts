import type { Insertable } from 'kysely';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { dayOf, type Instant } from '#kernel/contract/time.ts';
import { nextNumbers } from '#kernel/server/command/numbers.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { FileStore, ProducedFile, StoredFile } from '#kernel/server/ports.ts';
import type { StoredObject } from '#kernel/server/storage/objectStorage.ts';
import type { Tx } from '#kernel/server/context.ts';
import { extensionOf } from '../../contract/purposes.ts';
import { own } from '../database.ts';
import { purposeOf } from '../purposes.ts';
import type { FilesFileObject } from '../tables.ts';
import { imageSize, type Size } from '../inspect/images.ts';
import { findFile } from './fileRows.ts';
import { cleanName, contentTypeOf, newStorageKey } from './names.ts';
import { storedKeys, unrecorded } from './unrecorded.ts';

export interface Produced {
  purpose: string;
  name: string;
  key: string;
  stored: StoredObject;
  /** Of a picture. */
  size?: Size | null;
  source: 'EXPORT' | 'IMPORT_RESULT' | 'SYSTEM';
  createdBy: string | null;
  createdName?: string | null;
  sensitive?: boolean;
  encrypted?: boolean;
  retainUntil?: string | null;
}

/** Records bytes that the program itself made and stored, in the order given. */
async function recordAll(tx: Tx, files: readonly Produced[], now: string): Promise<StoredFile[]> {
  if (files.length === 0) return [];
  const numbers = await nextNumbers(tx, 'WJ', dayOf(now), files.length);
  const rows = files.map((file, index) => {
    const fileName = cleanName(file.name);
    const type = extensionOf(fileName);
    return {
      fileNo: numbers[index]!,
      purpose: file.purpose,
      fileName,
      declaredType: contentTypeOf(type),
      declaredSize: String(Math.max(1, file.stored.size)),
      detectedType: type,
      size: String(file.stored.size),
      sha256: file.stored.sha256,
      width: file.size?.width ?? null,
      height: file.size?.height ?? null,
      storageKey: file.key,
      sensitive: file.sensitive ?? purposeOf(file.purpose).sensitive,
      state: 'READY',
      scanState: 'NONE',
      source: file.source,
      encrypted: file.encrypted ?? false,
      retainUntil: file.retainUntil ?? null,
      checkedAt: now,
      createdAt: now,
      createdBy: file.createdBy,
      createdName: file.createdName ?? null,
    } satisfies Insertable<FilesFileObject>;
  });
  const ids = await own(tx).insertInto('filesFileObject').values(rows).returning(['id', 'fileNo']).execute();
  const idOf = new Map(ids.map(({ id, fileNo }) => [fileNo, id]));
  return rows.map(({ fileNo, fileName, sha256 }, index) => ({
    fileId: idOf.get(fileNo)!,
    fileNo,
    fileName,
    size: files[index]!.stored.size,
    sha256,
  }));
}

export const recordProduced = async (tx: Tx, file: Produced, now: string): Promise<StoredFile> => (await recordAll(tx, [file], now))[0]!;

const SOURCES: Record<string, Produced['source']> = { EXPORT: 'EXPORT', IMPORT: 'IMPORT_RESULT' };

/** Objects written to the store at once. */
const AT_ONCE = 8;

/** The kernel's port: stores what other domains produce, and reads it back. */
export const makeFileStore = (kernel: Kernel): FileStore => {
  const put = async (file: ProducedFile, now: Instant): Promise<Produced> => {
    const key = newStorageKey(purposeOf(file.purpose).code, now);
    const stored = await kernel.storage.put(key, file.body, { contentType: file.contentType });
    const size = Buffer.isBuffer(file.body) ? imageSize(file.body, extensionOf(file.name)) : null;
    return { ...file, key, stored, size, source: SOURCES[file.purpose] ?? 'SYSTEM', retainUntil: file.retainUntil ?? null };
  };
  return {
    store: async (tx, file, now) => recordProduced(tx, await put(file, now), now),
    async storeAll(tx, files, now) {
      const produced: Produced[] = [];
      for (let at = 0; at < files.length; at += AT_ONCE)
        produced.push(...(await Promise.all(files.slice(at, at + AT_ONCE).map((file) => put(file, now)))));
      return recordAll(tx, produced, now);
    },
    async removeUnrecorded(db) {
      for (const key of await unrecorded(db, await storedKeys(kernel.storage))) await kernel.storage.remove(key);
    },
    async openRead(db, fileId) {
      const file = await findFile(db, fileId);
      if (!file || file.state !== 'READY') throw refuse(platformErrors.NOT_FOUND);
      const { body, size } = await kernel.storage.get(file.storageKey);
      return { body, size, fileName: file.fileName, contentType: contentTypeOf(file.detectedType) };
    },
  };
};

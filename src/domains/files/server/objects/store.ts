import { platformErrors, refuse } from '../../../../kernel/contract/errors.ts';
import { dayOf } from '../../../../kernel/contract/time.ts';
import { nextNumber } from '../../../../kernel/server/command/numbers.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import type { FileStore, StoredFile } from '../../../../kernel/server/ports.ts';
import type { StoredObject } from '../../../../kernel/server/storage/objectStorage.ts';
import type { Tx } from '../../../../kernel/server/context.ts';
import { extensionOf } from '../../contract/purposes.ts';
import { own } from '../database.ts';
import { purposeOf } from '../purposes.ts';
import { findFile } from './fileRows.ts';
import { cleanName, contentTypeOf, newStorageKey } from './names.ts';

export interface Produced {
  purpose: string;
  name: string;
  key: string;
  stored: StoredObject;
  source: 'EXPORT' | 'IMPORT_RESULT' | 'SYSTEM';
  createdBy: string | null;
  createdName?: string | null;
  sensitive?: boolean;
  encrypted?: boolean;
  retainUntil?: string | null;
}

/** Records bytes that the program itself made and stored. */
export async function recordProduced(tx: Tx, file: Produced, now: string): Promise<StoredFile> {
  const purpose = purposeOf(file.purpose);
  const fileNo = await nextNumber(tx, 'WJ', dayOf(now));
  const fileName = cleanName(file.name);
  const type = extensionOf(fileName);
  const { id } = await own(tx)
    .insertInto('filesFileObject')
    .values({
      fileNo, purpose: file.purpose, fileName, declaredType: contentTypeOf(type), declaredSize: String(Math.max(1, file.stored.size)),
      detectedType: type, size: String(file.stored.size), sha256: file.stored.sha256, storageKey: file.key,
      sensitive: file.sensitive ?? purpose.sensitive, state: 'READY', scanState: 'NONE', source: file.source, encrypted: file.encrypted ?? false,
      retainUntil: file.retainUntil ?? null, checkedAt: now, createdAt: now, createdBy: file.createdBy, createdName: file.createdName ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { fileId: id, fileNo, fileName, size: file.stored.size, sha256: file.stored.sha256 };
}

const SOURCES: Record<string, Produced['source']> = { EXPORT: 'EXPORT', IMPORT: 'IMPORT_RESULT' };

/** The kernel's port: stores what other domains produce, and reads it back. */
export const makeFileStore = (kernel: Kernel): FileStore => ({
  async store(tx, file, now) {
    const key = newStorageKey(purposeOf(file.purpose).code, now);
    const stored = await kernel.storage.put(key, file.body, { contentType: file.contentType });
    return recordProduced(
      tx,
      { ...file, key, stored, source: SOURCES[file.purpose] ?? 'SYSTEM', retainUntil: file.retainUntil ?? null },
      now,
    );
  },
  async openRead(db, fileId) {
    const file = await findFile(db, fileId);
    if (!file || file.state !== 'READY') throw refuse(platformErrors.NOT_FOUND);
    const { body, size } = await kernel.storage.get(file.storageKey);
    return { body, size, fileName: file.fileName, contentType: contentTypeOf(file.detectedType) };
  },
});

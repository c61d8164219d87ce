import { createHash } from 'node:crypto';
import { Refusal, refuse } from '#kernel/contract/errors.ts';
import type { Updateable } from 'kysely';
import type { Instant } from '#kernel/contract/time.ts';
import type { Db, Writing } from '#kernel/server/context.ts';
import { bufferOf } from '#kernel/server/documents/xlsxStream.ts';
import { job } from '#kernel/server/jobs/declaration.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { fileErrors } from '../../contract/errors.ts';
import { SINGLE_LIMIT, extensionOf } from '../../contract/purposes.ts';
import { own } from '../database.ts';
import { inspectBytes, type Inspected } from '../inspect/inspect.ts';
import { purposeOf } from '../purposes.ts';
import type { FilesFileObject } from '../tables.ts';
import { announceFile } from './announce.ts';
import { type FileRow, findFile, presentFile, uploadersFile } from './fileRows.ts';
import { nameOfType, partKey } from './names.ts';
import { uploadSession } from './presign.ts';

type Transact = <T>(work: (writing: Writing) => Promise<T>) => Promise<T>;

/** The refusal that a REJECTED file was refused with. */
const rejection = (file: FileRow) =>
  new Refusal(file.rejectCode ?? fileErrors.DISGUISED.code, file.rejectReason ?? fileErrors.DISGUISED.text);

/** Bytes of an object, at most 50 MB by the purposes' limits. */
async function allBytes(kernel: Kernel, key: string): Promise<Buffer> {
  return bufferOf((await kernel.storage.get(key)).body as AsyncIterable<Buffer>);
}

/**
 * Joins the parts where no address can write any more. @throws Refusal SCM02004 when one is missing, SCM02005 when one is of another
 * size.
 */
async function assembleParts(kernel: Kernel, db: Db, file: FileRow): Promise<void> {
  const { parts } = await uploadSession(db, file.id);
  const sizes = await Promise.all(parts.map(async ({ no }) => (await kernel.storage.stat(partKey(file.id, no)))?.size));
  if (sizes.includes(undefined)) throw refuse(fileErrors.NOT_UPLOADED);
  if (parts.some(({ size }, index) => size !== sizes[index])) throw refuse(fileErrors.CONTENT_DIFFERS);
  await kernel.storage.compose(
    file.storageKey,
    parts.map(({ no }) => partKey(file.id, no)),
    file.declaredType,
  );
}

async function removeParts(kernel: Kernel, db: Db, fileId: string): Promise<void> {
  const { parts } = await uploadSession(db, fileId);
  await Promise.all(parts.map(({ no }) => kernel.storage.remove(partKey(fileId, no))));
}

type Verdict = { inspected: Inspected } | { refusal: Refusal };

async function judge(file: FileRow, bytes: Buffer, sha256: string): Promise<Verdict> {
  try {
    if (bytes.length !== Number(file.declaredSize) || (file.declaredSha256 && file.declaredSha256 !== sha256))
      throw refuse(fileErrors.CONTENT_DIFFERS);
    return { inspected: await inspectBytes(bytes, extensionOf(file.fileName), purposeOf(file.purpose).types) };
  } catch (error) {
    if (error instanceof Refusal) return { refusal: error };
    throw error;
  }
}

/** Inspects the stored bytes of a CHECKING file and settles it as READY or REJECTED; answers the settled row. */
async function inspectStored(kernel: Kernel, fileId: string, transact: Transact, now: Instant): Promise<FileRow | undefined> {
  const file = await findFile(kernel.db, fileId);
  if (!file || file.state !== 'CHECKING') return file;
  const bytes = await allBytes(kernel, file.storageKey);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const verdict = await judge(file, bytes, sha256);
  const settled = await transact(async (writing) => {
    const facts: Updateable<FilesFileObject> =
      'inspected' in verdict
        ? {
            state: 'READY',
            detectedType: verdict.inspected.type,
            fileName: nameOfType(file.fileName, verdict.inspected.type),
            width: verdict.inspected.width,
            height: verdict.inspected.height,
            pageCount: verdict.inspected.pageCount,
            phash: verdict.inspected.phash,
            phashBucket: verdict.inspected.phash ? Number.parseInt(verdict.inspected.phash.slice(0, 4), 16) : null,
          }
        : { state: 'REJECTED', rejectCode: verdict.refusal.code, rejectReason: verdict.refusal.message, bytesRemovedAt: now };
    const row = await own(writing.tx)
      .updateTable('filesFileObject')
      .set((eb) => ({ ...facts, size: String(bytes.length), sha256, checkedAt: now, version: eb('version', '+', 1) }))
      .where('id', '=', fileId)
      .where('state', '=', 'CHECKING')
      .returningAll()
      .executeTakeFirst();
    if (!row) return undefined;
    await announceFile(writing, row);
    if (row.state === 'REJECTED') writing.afterCommit(() => kernel.storage.remove(row.storageKey));
    return row;
  });
  await removeParts(kernel, kernel.db, fileId);
  return settled ?? (await findFile(kernel.db, fileId));
}

/** Larger files are inspected after the answer; also those whose process died in between. */
export const inspectFile = job<{ fileId: string }>({
  name: 'files.inspectFile',
  label: '校验上传文件',
  concurrency: 2,
  run: async ({ fileId }, ctx) => void (await inspectStored(ctx.kernel, fileId, ctx.transaction, ctx.now)),
});

/**
 * Ends an upload: small files are inspected at once, larger ones by a job (the answer says CHECKING). Idempotent.
 * @throws Refusal SCM02004 to SCM02008.
 */
export async function complete(kernel: Kernel, file: FileRow, transact: Transact, now: Instant): Promise<FileRow> {
  if (file.state === 'REJECTED') throw rejection(file);
  if (file.state === 'READY' || file.state === 'CHECKING') return file;
  if (file.state !== 'PENDING') throw refuse(fileErrors.ADDRESS_EXPIRED);
  await assembleParts(kernel, kernel.db, file);
  const small = Number(file.declaredSize) <= SINGLE_LIMIT;
  await transact(async (writing) => {
    await own(writing.tx)
      .updateTable('filesFileObject')
      .set({ state: 'CHECKING' })
      .where('id', '=', file.id)
      .where('state', '=', 'PENDING')
      .execute();
    if (!small) await writing.enqueue(inspectFile, { fileId: file.id }, { singletonKey: file.id });
  });
  if (!small) return { ...file, state: 'CHECKING' };
  const settled = await inspectStored(kernel, file.id, transact, now);
  if (settled?.state === 'REJECTED') throw rejection(settled);
  return settled ?? file;
}

/** Ends the upload of somebody without a session, whom another domain knows. @throws Refusal SCM90040 for a file that is not his. */
export async function completeFor(kernel: Kernel, uploaderId: string, fileId: string, transact: Transact, now: Instant) {
  return presentFile(await complete(kernel, await uploadersFile(kernel.db, fileId, uploaderId), transact, now));
}

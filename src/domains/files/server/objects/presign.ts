import type { Insertable } from 'kysely';
import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { dayOf, minutes, plusMs, type Instant } from '#kernel/contract/time.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import type { Db, Tx, Writing } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { authorColumns } from '#kernel/server/command/stampedColumns.ts';
import { fileErrors } from '../../contract/errors.ts';
import { PART_SIZE, extensionOf, partSizes, showSize } from '../../contract/purposes.ts';
import { json, own } from '../database.ts';
import { type PurposeDeclaration, purposeOf } from '../purposes.ts';
import type { FilesFileObject } from '../tables.ts';
import { announceFile } from './announce.ts';
import { type FileRow, uploadersFile } from './fileRows.ts';
import { cleanName, newStorageKey, partKey } from './names.ts';

/** Whoever uploads: a member of staff with a session, or a domain's participant without one. */
export interface Uploader {
  userId: string;
  name: string;
  sessionId: string | null;
}

export interface UploadRequest {
  fileName: string;
  size: number;
  contentType: string;
  sha256?: string | undefined;
}

export interface PartState {
  no: number;
  size: number;
}

const ADDRESS_MS = minutes(30);

/** @throws Refusal SCM02001, SCM02002, SCM02006 for a file that the purpose does not take. */
function requireFits(purpose: PurposeDeclaration, file: UploadRequest): void {
  const extension = extensionOf(file.fileName);
  if (extension === 'xls' && purpose.types.includes('xlsx')) {
    throw refuse(fileErrors.DISGUISED, { message: '不支持旧版.xls文件，请另存为.xlsx后上传' });
  }
  if (!purpose.types.includes(extension)) {
    throw refuse(fileErrors.TYPE_REFUSED, { ext: extension === '' ? '无扩展名' : `.${extension}`, types: purpose.types.join('、') });
  }
  if (file.size > purpose.maxSize) throw refuse(fileErrors.TOO_LARGE, { max: showSize(purpose.maxSize) });
}

async function addresses(kernel: Kernel, file: { id: string; declaredType: string }, parts: readonly PartState[], expiresAt: Instant) {
  const signed = await Promise.all(
    parts.map(async ({ no, size }) => {
      const { url, headers } = await kernel.storage.presignPut(partKey(file.id, no), { size, contentType: file.declaredType, expiresAt });
      return { no, size, url, headers };
    }),
  );
  return { headers: signed[0]?.headers ?? {}, parts: signed.map(({ no, size, url }) => ({ no, size, url })) };
}

/** A READY file of the same user and purpose with the same bytes. */
async function known(tx: Tx, purpose: string, userId: string, file: UploadRequest): Promise<FileRow | undefined> {
  if (!file.sha256) return undefined;
  return own(tx)
    .selectFrom('filesFileObject')
    .selectAll()
    .where('sha256', '=', file.sha256)
    .where('createdBy', '=', userId)
    .where('purpose', '=', purpose)
    .where('state', '=', 'READY')
    .where('size', '=', String(file.size))
    .limit(1)
    .executeTakeFirst();
}

/**
 * Records the files that somebody is going to upload and signs the addresses of their PUTs.
 * @throws Refusal SCM02001, SCM02002, SCM02003, SCM02006.
 */
export async function presign(
  kernel: Kernel,
  writing: Pick<Writing, 'tx' | 'publish'>,
  uploader: Uploader,
  purposeCode: string,
  files: readonly UploadRequest[],
  now: Instant,
) {
  const { tx } = writing;
  const purpose = purposeOf(purposeCode);
  if (files.length > purpose.count) throw refuse(fileErrors.TOO_MANY, { n: purpose.count });
  for (const file of files) requireFits(purpose, file);
  const expiresAt = plusMs(now, ADDRESS_MS);
  const uploads = [];
  for (const file of files) {
    const same = await known(tx, purpose.code, uploader.userId, file);
    const facts = {
      fileNo: await nextNumber(tx, 'WJ', dayOf(now)),
      purpose: purpose.code,
      fileName: cleanName(file.fileName),
      declaredType: file.contentType || 'application/octet-stream',
      declaredSize: String(file.size),
      declaredSha256: file.sha256 ?? null,
      sensitive: purpose.sensitive,
      source: 'UPLOAD' as const,
      ...authorColumns({ now, staff: uploader }),
      createdName: uploader.name,
    };
    const inserted: Insertable<FilesFileObject> = same
      ? {
          ...facts,
          state: 'READY',
          scanState: same.scanState,
          storageKey: same.storageKey,
          detectedType: same.detectedType,
          size: same.size,
          sha256: same.sha256,
          phash: same.phash,
          phashBucket: same.phashBucket,
          width: same.width,
          height: same.height,
          pageCount: same.pageCount,
          checkedAt: now,
        }
      : { ...facts, state: 'PENDING', scanState: 'NONE', storageKey: newStorageKey(purpose.code, now) };
    const row = await own(tx).insertInto('filesFileObject').values(inserted).returningAll().executeTakeFirstOrThrow();
    const { id } = row;
    if (same) await announceFile(writing, row);
    const parts = same ? [] : partSizes(file.size).map((size, index): PartState => ({ no: index + 1, size }));
    if (!same) {
      await own(tx)
        .insertInto('filesUploadSession')
        .values({ fileId: id, partSize: PART_SIZE, parts: json(parts), expiresAt, startedAt: now, sessionId: uploader.sessionId })
        .execute();
    }
    const signed = await addresses(kernel, { id, declaredType: facts.declaredType }, parts, expiresAt);
    const single = signed.parts.length === 1;
    uploads.push({
      fileId: id,
      mode: single || same ? ('SINGLE' as const) : ('MULTI' as const),
      instant: Boolean(same),
      url: single ? signed.parts[0]!.url : '',
      headers: signed.headers,
      partSize: PART_SIZE,
      parts: single ? [] : signed.parts,
      expiresAt,
    });
  }
  return uploads;
}

export interface UploadSession {
  parts: PartState[];
  expiresAt: Instant;
  startedAt: Instant;
  voided: boolean;
}

/** The parts that an upload was signed for. */
export async function uploadSession(db: Db | Tx, fileId: string): Promise<UploadSession> {
  const session = await own(db).selectFrom('filesUploadSession').selectAll().where('fileId', '=', fileId).executeTakeFirst();
  if (!session) throw refuse(platformErrors.NOT_FOUND);
  // Written by `presign` alone.
  return {
    parts: session.parts as PartState[],
    expiresAt: session.expiresAt,
    startedAt: session.startedAt,
    voided: session.voidedAt !== null,
  };
}

const LONGEST_UPLOAD_MS = minutes(24 * 60);

/** New addresses after a break; parts that are there already are named and need not be sent again. */
export async function renewParts(kernel: Kernel, tx: Tx, userId: string, fileId: string, partNos: readonly number[], now: Instant) {
  const file = await uploadersFile(tx, fileId, userId);
  const session = await uploadSession(tx, fileId);
  const limit = plusMs(session.startedAt, LONGEST_UPLOAD_MS);
  if (file.state !== 'PENDING' || session.voided || now >= limit) throw refuse(fileErrors.ADDRESS_EXPIRED);
  const asked = session.parts.filter(({ no }) => partNos.includes(no));
  if (asked.length !== new Set(partNos).size) throw refuseField('partNos', '没有这个分片');
  const there = await Promise.all(asked.map(async (part) => (await kernel.storage.stat(partKey(fileId, part.no)))?.size === part.size));
  const missing = asked.filter((_, index) => !there[index]);
  const expiresAt = [plusMs(now, ADDRESS_MS), limit].toSorted()[0]!;
  await own(tx).updateTable('filesUploadSession').set({ expiresAt }).where('fileId', '=', fileId).execute();
  return {
    present: asked.filter((_, index) => there[index]).map(({ no }) => no),
    ...(await addresses(kernel, { id: fileId, declaredType: file.declaredType }, missing, expiresAt)),
    expiresAt,
  };
}

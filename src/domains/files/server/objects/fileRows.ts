import type { Selectable } from 'kysely';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import type { FileState } from '../../contract/states.ts';
import { fileMachine } from '../../contract/states.ts';
import { own } from '../database.ts';
import type { FilesFileObject } from '../tables.ts';

export type FileRow = Selectable<FilesFileObject>;

export const stateLabel = (row: { state: FileState }): string => fileMachine.states[row.state].label;

export async function findFile(db: Db | Tx, fileId: string): Promise<FileRow | undefined> {
  return own(db).selectFrom('filesFileObject').selectAll().where('id', '=', fileId).executeTakeFirst();
}

/** A file of this uploader. @throws Refusal SCM90040 for a missing one and for another's alike. */
export async function uploadersFile(db: Db | Tx, fileId: string, userId: string): Promise<FileRow> {
  const file = await findFile(db, fileId);
  if (!file || file.createdBy !== userId || file.source !== 'UPLOAD') throw refuse(platformErrors.NOT_FOUND);
  return file;
}

const numberOrNull = (text: string | null) => (text === null ? null : Number(text));

/** What leaves of a file. */
export const presentFile = (file: FileRow) => ({
  fileId: file.id,
  fileNo: file.fileNo,
  fileName: file.fileName,
  detectedType: file.detectedType,
  size: numberOrNull(file.size),
  sha256: file.sha256,
  state: file.state,
  width: file.width,
  height: file.height,
  pageCount: file.pageCount,
});

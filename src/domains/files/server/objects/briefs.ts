import type { Db, Tx } from '../../../../kernel/server/context.ts';
import { own } from '../database.ts';

export interface FileBrief {
  fileId: string;
  fileName: string;
  detectedType: string | null;
  pageCount: number | null;
  /** Bytes. */
  size: number | null;
}

/** What pages show of files that a record names, in the order of the ids; who may open them is asked when they are opened. */
export async function fileBriefs(db: Db | Tx, fileIds: readonly string[]): Promise<FileBrief[]> {
  if (fileIds.length === 0) return [];
  const rows = await own(db)
    .selectFrom('filesFileObject')
    .select(['id', 'fileName', 'detectedType', 'pageCount', 'size'])
    .where('id', 'in', [...fileIds])
    .execute();
  const found = new Map(rows.map(({ id, size, ...row }) => [id, { fileId: id, ...row, size: size === null ? null : Number(size) }]));
  return fileIds.flatMap((fileId) => found.get(fileId) ?? []);
}

/** Width and height of a picture that was looked at; null: it is none, or of unknown size. */
export async function pictureSize(db: Db | Tx, fileId: string): Promise<{ width: number; height: number } | null> {
  const row = await own(db).selectFrom('filesFileObject').select(['width', 'height']).where('id', '=', fileId).executeTakeFirst();
  return row?.width && row.height ? { width: row.width, height: row.height } : null;
}

/** SHA-256 of a file's bytes as they were checked; null: unknown, or not checked yet. */
export async function fileHash(db: Db | Tx, fileId: string): Promise<string | null> {
  const row = await own(db).selectFrom('filesFileObject').select(['sha256', 'state']).where('id', '=', fileId).executeTakeFirst();
  return row?.state === 'READY' ? row.sha256 : null;
}

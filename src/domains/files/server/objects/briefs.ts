import type { Db, Tx } from '#kernel/server/context.ts';
import { own } from '../database.ts';

export interface FileBrief {
  fileId: string;
  fileName: string;
  detectedType: string | null;
  pageCount: number | null;
  /** Bytes. */
  size: number | null;
}

/** What a file is there for: an id alone says nothing, ids of other tables are numbers too. */
export interface FileKind {
  purpose: string;
  /** Kind of the records that use it; left out where nothing needs to use it yet, as in a preview. */
  ownerType?: string;
}

/** Files by id, of a purpose and of those who use it. All that is told of a file to whoever names its id is read by this. */
const filesOf = (db: Db | Tx, fileIds: readonly string[], { purpose, ownerType }: FileKind) => {
  const rows = own(db)
    .selectFrom('filesFileObject as f')
    .where('f.id', 'in', [...fileIds])
    .where('f.purpose', '=', purpose);
  return ownerType === undefined
    ? rows
    : rows.where((eb) =>
        eb.exists(
          eb.selectFrom('filesFileLink as l').whereRef('l.fileId', '=', 'f.id').where('l.ownerType', '=', ownerType).select('l.fileId'),
        ),
      );
};

/** What pages show of files that a record names, in the order of the ids; who may open them is asked when they are opened. */
export async function fileBriefs(db: Db | Tx, fileIds: readonly string[], kind: FileKind): Promise<FileBrief[]> {
  if (fileIds.length === 0) return [];
  const rows = await filesOf(db, fileIds, kind).select(['f.id', 'f.fileName', 'f.detectedType', 'f.pageCount', 'f.size']).execute();
  const found = new Map(rows.map(({ id, size, ...row }) => [id, { fileId: id, ...row, size: size === null ? null : Number(size) }]));
  return fileIds.flatMap((fileId) => found.get(fileId) ?? []);
}

/** Width and height of a picture that was looked at; null: it is none, or of unknown size. */
export async function pictureSize(db: Db | Tx, fileId: string, kind: FileKind): Promise<{ width: number; height: number } | null> {
  const row = await filesOf(db, [fileId], kind).select(['f.width', 'f.height']).executeTakeFirst();
  return row?.width && row.height ? { width: row.width, height: row.height } : null;
}

/** SHA-256 of a file's bytes as they were checked; null: unknown, or not checked yet. */
export async function fileHash(db: Db | Tx, fileId: string, kind: FileKind): Promise<string | null> {
  const row = await filesOf(db, [fileId], kind).select(['f.sha256', 'f.state']).executeTakeFirst();
  return row?.state === 'READY' ? row.sha256 : null;
}

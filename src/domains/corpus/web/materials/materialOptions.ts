import { useData } from '#kernel/web/http/queries.ts';
import { type FolderRow, queryMaterialFolderList, queryMaterialOptions } from '../../contract/materials/calls.ts';

/** Forbidden words; they change with the program only. */
export const useMaterialOptions = () => useData(queryMaterialOptions, {}, { quiet: true, fresh: 60_000 });

export const useFolders = () => useData(queryMaterialFolderList, {}, { quiet: true, fresh: 10_000 });

/** Folders with those in them, in their order. */
export const folderLines = (folders: readonly FolderRow[]): { folder: FolderRow; below: boolean }[] =>
  folders
    .filter(({ parentId }) => parentId === null)
    .flatMap((folder) => [
      { folder, below: false },
      ...folders.filter(({ parentId }) => parentId === folder.id).map((child) => ({ folder: child, below: true })),
    ]);

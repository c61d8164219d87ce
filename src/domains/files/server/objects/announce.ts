import { scanFinished } from '#events/files.ts';
import type { Writing } from '#kernel/server/context.ts';
import type { FileRow } from './fileRows.ts';

/** Tells whoever keeps hashes what a file is, once its bytes were checked or are known from another one. */
export const announceFile = (writing: Pick<Writing, 'publish'>, row: FileRow): Promise<void> =>
  writing.publish(scanFinished, row.id, {
    fileId: row.id,
    purpose: row.purpose,
    sha256: row.sha256 ?? '',
    phash: row.phash,
    detectedType: row.detectedType,
    width: row.width,
    height: row.height,
    pageCount: row.pageCount,
    clean: row.state === 'READY',
  });

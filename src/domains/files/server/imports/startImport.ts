import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { dayOf, showInstant, type Instant } from '#kernel/contract/time.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import type { Db, Tx, Writing } from '#kernel/server/context.ts';
import { contentHash } from '#kernel/server/importing/checkTable.ts';
import type { Importer } from '#kernel/server/importing/importer.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { ImportTasks } from '#kernel/server/ports.ts';
import { authorColumns } from '#kernel/server/command/stampedColumns.ts';
import { fileErrors } from '../../contract/errors.ts';
import { json, own } from '../database.ts';
import { findFile } from '../objects/fileRows.ts';
import { importerOf } from './importTasks.ts';
import { rowsOf } from './uploadedRows.ts';
import { validateImport } from './validateImport.ts';

export type ImportTaskRequest = Parameters<ImportTasks['start']>[1];

/** @throws Refusal SCM02038 when the same content was imported and not undone. */
export async function requireNewContent(
  db: Db | Tx,
  { code: importerCode, sameContent }: Pick<Importer, 'code' | 'sameContent'>,
  scopeKey: string,
  rowsHash: string,
  exceptTask: string | null,
): Promise<void> {
  let query = own(db)
    .selectFrom('filesImportTask')
    .select(['batchNo', 'committedAt', 'createdAt'])
    .where('importerCode', '=', importerCode)
    .where('scopeKey', '=', scopeKey)
    .where('rowsHash', '=', rowsHash)
    .where('state', 'in', ['COMMITTING', 'DONE']);
  if (exceptTask) query = query.where('id', '<>', exceptTask);
  const same = await query.executeTakeFirst();
  if (!same) return;
  const earlier = { time: showInstant(same.committedAt ?? same.createdAt), batchNo: same.batchNo };
  throw sameContent ? sameContent(earlier) : refuse(fileErrors.SAME_CONTENT, earlier);
}

/**
 * Takes an uploaded table: refuses what is no filled-in template at once, leaves the check of its rows to a job.
 * @throws Refusal SCM02009, SCM02014, SCM02030 to SCM02035, SCM02038; SCM90010 without the importer's permission.
 */
export async function startImport(kernel: Kernel, writing: Writing, task: ImportTaskRequest, now: Instant, traceId: string) {
  const { tx } = writing;
  const importer = importerOf(kernel, task.importerCode);
  const { staff } = task;
  if (!staff.permissions.has(importer.permission)) {
    throw refuse(platformErrors.NO_PERMISSION, { permission: kernel.registry.permissionLabel(importer.permission) });
  }
  const file = await findFile(tx, task.fileId);
  if (!file || file.createdBy !== staff.userId || file.purpose !== 'IMPORT') throw refuse(fileErrors.ATTACHMENT_UNUSABLE);
  if (file.state === 'CHECKING') throw refuse(fileErrors.CHECKING);
  if (file.state !== 'READY') throw refuse(fileErrors.ATTACHMENT_UNUSABLE);
  const scopeKey = importer.scopeKey?.(task.params) ?? '*';
  const rows = await rowsOf(kernel, file, importer);
  const rowsHash = contentHash(importer, rows);
  await requireNewContent(tx, importer, scopeKey, rowsHash, null);
  const batchNo = await nextNumber(tx, 'DR', dayOf(now));
  const { id } = await own(tx)
    .insertInto('filesImportTask')
    .values({
      batchNo,
      importerCode: importer.code,
      importerLabel: importer.label,
      templateVersion: importer.templateVersion,
      fileId: file.id,
      fileName: file.fileName,
      scopeKey,
      rowsHash,
      params: json(task.params),
      mode: importer.allowValidOnly ? task.mode : 'ALL_OR_NOTHING',
      userRoleId: staff.userRoleId ?? '0',
      totalRows: rows.length,
      state: 'VALIDATING',
      heartbeatAt: now,
      traceId,
      ...authorColumns({ now, staff }),
      createdName: staff.displayName,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  writing.target({ type: 'files.importTask', id, no: batchNo });
  await writing.enqueue(validateImport, { taskId: id }, { singletonKey: id });
  return { importTaskId: id, batchNo };
}

/** The kernel's port. */
export const makeImportTasks = (kernel: Kernel): ImportTasks => ({
  start: (writing, task, now) => startImport(kernel, writing, task, now, ''),
});

import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { plainPermissionOf } from '#kernel/server/exporting/exportHandler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { fileErrors } from '../../contract/errors.ts';
import { filePermissions } from '../../contract/permissions.ts';
import { exportMachine } from '../../contract/states.ts';
import { own } from '../database.ts';
import { type ExportRow, columnsOf, lockExport, paramsOf, presentExport } from './exportRows.ts';
import { requestExport } from './requestExport.ts';
import { runExports } from './runExports.ts';

const MAX_RETRIES = 3;

interface Seen {
  taskId: string;
  version: number;
}

const fresh = (row: ExportRow, seen: Seen, ctx: CommandContext) =>
  requireVersion(ctx, 'files.exportTask', { ...row, updatedByName: row.createdName }, seen.version, () => presentExport(row, ctx.now));

const target = (row: ExportRow) => ({ targetType: 'files.exportTask', targetId: row.id, targetNo: row.taskNo, from: row.state });

/** @throws Refusal SCM90010 when the right to export this list was taken away. */
export function requireSource(kernel: Kernel, row: ExportRow, ctx: Pick<CommandContext, 'requirePermission'>): void {
  const source = kernel.registry.exports.find((candidate) => candidate.call.name === row.source);
  if (!source) throw refuse(platformErrors.NOT_FOUND);
  if (source.permission !== 'session') ctx.requirePermission(source.permission);
  if (row.plain) ctx.requirePermission(plainPermissionOf(source));
}

/** 取消: a running one stops at its next chunk. */
export async function cancelExport(input: Seen, ctx: CommandContext): Promise<ExportRow> {
  const row = await lockExport(ctx.tx, input.taskId, ctx, filePermissions['task.manage']);
  // Progress does not raise the version; a stale one means that the state changed.
  const state = await moveState(ctx, exportMachine, { ...target(row), action: 'cancel' });
  return own(ctx.tx)
    .updateTable('filesExportTask')
    .set((eb) => ({ state, finishedAt: ctx.now, version: eb('version', '+', 1) }))
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** 重试: the same task again, three times at most. */
export async function retryExport(kernel: Kernel, input: Seen, ctx: CommandContext): Promise<ExportRow> {
  const row = await lockExport(ctx.tx, input.taskId, ctx, null);
  await fresh(row, input, ctx);
  const state = await moveState(ctx, exportMachine, { ...target(row), action: 'retry' });
  if (row.retries >= MAX_RETRIES) throw refuse(fileErrors.RETRIES_SPENT);
  requireSource(kernel, row, ctx);
  const same = await own(ctx.tx)
    .selectFrom('filesExportTask')
    .select('taskNo')
    .where('createdBy', '=', row.createdBy)
    .where('requestHash', '=', row.requestHash)
    .where('state', 'in', ['QUEUED', 'RUNNING'])
    .executeTakeFirst();
  if (same) throw refuse(fileErrors.SAME_EXPORT_RUNNING, { taskNo: same.taskNo });
  await ctx.enqueue(runExports, {});
  return own(ctx.tx)
    .updateTable('filesExportTask')
    .set((eb) => ({
      state,
      queuedAt: ctx.now,
      startedAt: null,
      finishedAt: null,
      expiresAt: null,
      attempt: 0,
      retries: eb('retries', '+', 1),
      progressBp: 0,
      rowsDone: 0,
      errorCode: null,
      errorMessage: null,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** 再次导出: a new task with the same filters and the data of now. */
export async function rerunExport(kernel: Kernel, input: Seen, ctx: CommandContext): Promise<ExportRow> {
  const row = await lockExport(ctx.tx, input.taskId, ctx, null);
  await moveState(ctx, exportMachine, { ...target(row), action: 'rerun' });
  requireSource(kernel, row, ctx);
  const { exportTaskId } = await requestExport(
    kernel,
    ctx,
    {
      source: row.source,
      title: row.sourceTitle,
      routeKey: row.routeKey,
      params: paramsOf(row),
      columns: columnsOf(row),
      format: row.format === 'CSV' || row.format === 'ZIP' ? row.format : 'XLSX',
      plain: row.plain,
      ...(row.plainReason ? { plainReason: row.plainReason } : {}),
      rowsTotal: row.rowsTotal ?? 0,
      staff: ctx.staff,
    },
    ctx.now,
    ctx.traceId,
  );
  return own(ctx.tx).selectFrom('filesExportTask').selectAll().where('id', '=', exportTaskId).executeTakeFirstOrThrow();
}

/** A finished task whose file may be taken now; counts the download. @throws Refusal SCM02023, SCM90010, SCM90031, SCM90040. */
export async function takeResult(kernel: Kernel, taskId: string, ctx: CommandContext): Promise<ExportRow & { fileId: string }> {
  const row = await lockExport(ctx.tx, taskId, ctx, filePermissions['task.viewAll']);
  if (row.state === 'EXPIRED' || (row.state === 'SUCCESS' && row.expiresAt !== null && row.expiresAt <= ctx.now))
    throw refuse(fileErrors.RESULT_EXPIRED);
  requireSource(kernel, row, ctx);
  await moveState(ctx, exportMachine, { ...target(row), action: 'download' });
  if (!row.fileId) throw refuse(fileErrors.RESULT_EXPIRED);
  await own(ctx.tx)
    .updateTable('filesExportTask')
    .set((eb) => ({ downloadCount: eb('downloadCount', '+', 1), lastDownloadAt: ctx.now }))
    .where('id', '=', row.id)
    .execute();
  return { ...row, fileId: row.fileId };
}

/** Password of an encrypted result, shown once. @throws Refusal SCM02025. */
export async function revealPassword(kernel: Kernel, taskId: string, ctx: CommandContext): Promise<string> {
  const row = await lockExport(ctx.tx, taskId, ctx, null);
  await moveState(ctx, exportMachine, { ...target(row), action: 'revealPassword' });
  if (row.passwordShownAt || !row.passwordCipher) throw refuse(fileErrors.PASSWORD_SHOWN);
  await own(ctx.tx)
    .updateTable('filesExportTask')
    .set({ passwordShownAt: ctx.now, passwordCipher: null })
    .where('id', '=', row.id)
    .execute();
  return kernel.secrets.decrypt(row.passwordCipher);
}

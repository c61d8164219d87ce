import { checkInput } from '#kernel/server/http/validate.ts';
import { Readable } from 'node:stream';
import { platformErrors, Refusal, refuse } from '#kernel/contract/errors.ts';
import { FILTER_TEXT_LENGTH } from '#kernel/contract/exporting.ts';
import { days, hours, minutes, plusMs } from '#kernel/contract/time.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { Staff } from '#kernel/server/context.ts';
import { chosenColumns, countRows, plainPermissionOf, unreadableTo } from '#kernel/server/exporting/exportHandler.ts';
import { renderArchive } from '#kernel/server/exporting/archive.ts';
import { CONTENT_TYPES, renderExport } from '#kernel/server/exporting/renderExport.ts';
import type { ExportPage, ExportSource } from '#kernel/server/exporting/source.ts';
import type { JobContext } from '#kernel/server/jobs/declaration.ts';
import { exportFinished } from '#events/files.ts';
import { exportMachine } from '../../contract/states.ts';
import { systemMover } from '../actors.ts';
import { own } from '../database.ts';
import { newStorageKey } from '../objects/names.ts';
import { recordProduced } from '../objects/store.ts';
import { type ExportRow, columnsOf, paramsOf, scopeOf } from './exportRows.ts';
import { makeProgress, Stopped } from './progress.ts';

const TIME_LIMIT_MS = minutes(15);

/** The rights of the request, if the assignment still has them. @throws Refusal SCM90010. */
async function rightsOf(task: ExportRow, source: ExportSource, ctx: JobContext): Promise<Staff> {
  const staff = await ctx.kernel.ports.sessions.contextOf(ctx.db, task.userRoleId, ctx.now);
  const needed = task.plain ? [source.permission, plainPermissionOf(source)] : [source.permission];
  const missing = needed.find((code) => code !== 'session' && !staff?.permissions.has(code));
  if (!staff || missing)
    throw refuse(platformErrors.NO_PERMISSION, { permission: ctx.kernel.registry.permissionLabel(missing ?? source.permission) });
  return { ...staff, scope: scopeOf(task) };
}

/** Writes the file within one snapshot, so that all its rows are of one moment. */
async function write(task: ExportRow, source: ExportSource, staff: Staff, key: string, ctx: JobContext) {
  const { kernel } = ctx;
  const format = task.format === 'CSV' ? 'CSV' : 'XLSX';
  const archive = source.entries !== undefined;
  const params = paramsOf(task);
  const filter: unknown = checkInput(
    source.call.input,
    archive ? params : { ...params, format, filterText: task.filterText.slice(0, FILTER_TEXT_LENGTH) },
  );
  // The same schema has checked it.
  const { page } = filter as { page?: ExportPage };
  return kernel.transactions.snapshot(async (db) => {
    const reading = { db, staff, filter, now: kernel.clock.now() };
    const rowsTotal = await countRows(source, reading, page);
    const progress = makeProgress(task, rowsTotal, TIME_LIMIT_MS, ctx);
    try {
      const body = archive
        ? renderArchive(source, reading, kernel, progress.report)
        : renderExport(
            {
              source,
              columns: chosenColumns(source, columnsOf(task), filter),
              format,
              plain: task.plain,
              rowsTotal,
              onProgress: progress.report,
              onUnreadable: unreadableTo(kernel, source),
              ...(page && { page }),
            },
            reading,
          );
      const stored = await kernel.storage.put(key, Readable.from(body, { objectMode: false }), {
        contentType: CONTENT_TYPES[archive ? 'ZIP' : format],
      });
      return { stored, rowsTotal: progress.rowsDone() };
    } finally {
      progress.end();
    }
  });
}

type Written = Awaited<ReturnType<typeof write>>;

async function finish(task: ExportRow, staff: Staff, key: string, written: Written, ctx: JobContext): Promise<boolean> {
  return ctx.transaction(async (writing) => {
    const now = ctx.kernel.clock.now();
    const expiresAt = plusMs(now, task.plain ? hours(24) : days(7));
    const file = await recordProduced(
      writing.tx,
      {
        purpose: 'EXPORT',
        name: `${task.name}.${task.format.toLowerCase()}`,
        key,
        stored: written.stored,
        source: 'EXPORT',
        createdBy: task.createdBy,
        createdName: staff.displayName,
      },
      now,
    );
    const done = await own(writing.tx)
      .updateTable('filesExportTask')
      .set((eb) => ({
        state: 'SUCCESS',
        progressBp: 10_000,
        rowsDone: written.rowsTotal,
        rowsTotal: written.rowsTotal,
        rowCount: written.rowsTotal,
        fileId: file.fileId,
        fileSize: String(file.size),
        finishedAt: now,
        expiresAt,
        errorCode: null,
        errorMessage: null,
        version: eb('version', '+', 1),
      }))
      .where('id', '=', task.id)
      .where('state', '=', 'RUNNING')
      .where('attempt', '=', task.attempt)
      .returning('id')
      .executeTakeFirst();
    if (!done) throw new Stopped(); // cancelled or taken over meanwhile: nothing of this attempt stays
    await moveState(systemMover(writing, ctx), exportMachine, {
      targetType: 'files.exportTask',
      targetId: task.id,
      targetNo: task.taskNo,
      action: 'finish',
      from: task.state,
    });
    await settle(task, 'SUCCESS', `导出完成：${task.name}`, written.rowsTotal, ctx, writing);
    return true;
  });
}

async function settle(
  task: ExportRow,
  state: string,
  title: string,
  rowCount: number,
  ctx: JobContext,
  writing: Parameters<Parameters<JobContext['transaction']>[0]>[0],
) {
  await writing.publish(exportFinished, task.id, { taskId: task.id, source: task.source, state, rowCount });
  await ctx.kernel.ports.notices.addResult(
    writing.tx,
    { businessKey: `files.export:${task.id}:${task.attempt}:${task.retries}`, title, link: '/downloadList', userIds: [task.createdBy] },
    ctx.kernel.clock.now(),
  );
  writing.afterCommit(() =>
    ctx.kernel.realtime.toUser(task.createdBy, 'exportTask', { taskId: task.id, state, progressBp: state === 'SUCCESS' ? 10_000 : 0 }),
  );
}

async function fail(task: ExportRow, refusal: { code: string; message: string }, ctx: JobContext): Promise<void> {
  await ctx.transaction(async (writing) => {
    const now = ctx.kernel.clock.now();
    const failed = await own(writing.tx)
      .updateTable('filesExportTask')
      .set((eb) => ({
        state: 'FAILED',
        errorCode: refusal.code,
        errorMessage: refusal.message,
        finishedAt: now,
        expiresAt: plusMs(now, days(7)),
        version: eb('version', '+', 1),
      }))
      .where('id', '=', task.id)
      .where('state', '=', 'RUNNING')
      .where('attempt', '=', task.attempt)
      .returning('id')
      .executeTakeFirst();
    if (!failed) return;
    await moveState(systemMover(writing, ctx), exportMachine, {
      targetType: 'files.exportTask',
      targetId: task.id,
      targetNo: task.taskNo,
      action: 'fail',
      from: task.state,
    });
    await settle(task, 'FAILED', `导出失败：${task.name}`, 0, ctx, writing);
  });
}

/** Runs one claimed task to its end: SUCCESS, FAILED with the reason, or nothing when it was cancelled meanwhile. */
export async function runExport(task: ExportRow, ctx: JobContext): Promise<void> {
  const { kernel } = ctx;
  const key = newStorageKey('EXPORT', ctx.now);
  try {
    const source = kernel.registry.exports.find((candidate) => candidate.call.name === task.source);
    if (!source) throw new Error(`no export source ${task.source}`);
    const staff = await rightsOf(task, source, ctx);
    const written = await write(task, source, staff, key, ctx);
    await finish(task, staff, key, written, ctx);
  } catch (error) {
    await kernel.storage.remove(key);
    if (error instanceof Stopped) return;
    if (!(error instanceof Refusal)) kernel.log.error({ error, traceId: ctx.traceId, task: task.taskNo }, 'an export failed');
    await fail(
      task,
      error instanceof Refusal ? error : { code: platformErrors.INTERNAL.code, message: `系统异常，请联系管理员（追踪号${ctx.traceId}）` },
      ctx,
    );
  }
}

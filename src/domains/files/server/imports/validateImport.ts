import { platformErrors, Refusal, refuse } from '#kernel/contract/errors.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { besideTransaction } from '#kernel/server/database/heldConnection.ts';
import { CONTENT_TYPES, watermarkOf } from '#kernel/server/exporting/renderExport.ts';
import { annotatedTable } from '#kernel/server/importing/annotate.ts';
import { type CheckedTable, checkTable } from '#kernel/server/importing/checkTable.ts';
import type { Importer } from '#kernel/server/importing/importer.ts';
import { job, type JobContext } from '#kernel/server/jobs/declaration.ts';
import type { Staff } from '#kernel/server/context.ts';
import { importMachine } from '../../contract/states.ts';
import { systemMover } from '../actors.ts';
import { own } from '../database.ts';
import { findFile } from '../objects/fileRows.ts';
import { newStorageKey } from '../objects/names.ts';
import { recordProduced } from '../objects/store.ts';
import { type ImportTaskRow, importerOf, paramsOf, pushImport } from './importTasks.ts';
import { rowsOf } from './uploadedRows.ts';
import { storeChecked } from './storedRows.ts';

/** Who submitted it, with his rights of now. @throws Refusal SCM90010. */
export async function submitter(task: ImportTaskRow, importer: Importer, ctx: JobContext): Promise<Staff> {
  const staff = await ctx.kernel.ports.sessions.contextOf(ctx.db, task.userRoleId, ctx.now);
  if (!staff?.permissions.has(importer.permission)) {
    throw refuse(platformErrors.NO_PERMISSION, { permission: ctx.kernel.registry.permissionLabel(importer.permission) });
  }
  return staff;
}

const PUSH_MS = 500;

/** Progress over the pool: the transaction of the work is not visible yet. */
export function reporter(task: ImportTaskRow, total: number, ctx: JobContext) {
  let last = 0;
  return async (rowsDone: number): Promise<void> => {
    if (performance.now() - last < PUSH_MS) return;
    last = performance.now();
    const progressBp = Math.min(9_900, Math.floor((rowsDone * 10_000) / Math.max(1, total)));
    await besideTransaction('progress', () =>
      own(ctx.kernel.db)
        .updateTable('filesImportTask')
        .set({ rowsDone, progressBp, heartbeatAt: ctx.kernel.clock.now() })
        .where('id', '=', task.id)
        .where('state', '=', task.state)
        .execute(),
    );
    pushImport(ctx.kernel, { ...task, rowsDone, progressBp });
  };
}

async function annotate(task: ImportTaskRow, importer: Importer, checked: CheckedTable, staff: Staff, ctx: JobContext) {
  const { kernel } = ctx;
  const key = newStorageKey('IMPORT', ctx.now);
  const bytes = await annotatedTable(importer, checked.rows, checked.faults, watermarkOf(staff, ctx.now));
  const stored = await kernel.storage.put(key, bytes, { contentType: CONTENT_TYPES.XLSX });
  return { key, stored, name: `${task.fileName.replace(/\.[^.]+$/, '')}_标注.xlsx` };
}

async function settle(task: ImportTaskRow, importer: Importer, staff: Staff, checked: CheckedTable, ctx: JobContext): Promise<void> {
  const invalid = checked.counts.error > 0;
  const result = invalid ? await annotate(task, importer, checked, staff, ctx) : null;
  await ctx.transaction(async (writing) => {
    const current = await own(writing.tx)
      .selectFrom('filesImportTask')
      .selectAll()
      .where('id', '=', task.id)
      .forUpdate()
      .executeTakeFirst();
    if (current?.state !== 'VALIDATING' || current.version !== task.version) return; // cancelled or checked anew meanwhile
    await storeChecked(ctx.kernel, writing.tx, importer, task.id, checked);
    const file =
      result &&
      (await recordProduced(
        writing.tx,
        { purpose: 'IMPORT', ...result, source: 'IMPORT_RESULT', createdBy: task.createdBy, createdName: staff.displayName },
        ctx.now,
      ));
    const state = await moveState(systemMover(writing, ctx), importMachine, {
      targetType: 'files.importTask',
      targetId: task.id,
      targetNo: task.batchNo,
      action: invalid ? 'invalidated' : 'validated',
      from: current.state,
    });
    const { counts } = checked;
    const row = await own(writing.tx)
      .updateTable('filesImportTask')
      .set((eb) => ({
        state,
        rowsHash: checked.rowsHash,
        totalRows: counts.total,
        okRows: counts.ok,
        errorRows: counts.error,
        warnRows: counts.warn,
        newRows: counts.new,
        changedRows: counts.changed,
        sameRows: counts.same,
        errorCells: checked.faults.filter(({ severity }) => severity === 'ERROR').length,
        progressBp: 10_000,
        rowsDone: counts.total,
        validatedAt: ctx.now,
        resultFileId: file?.fileId ?? null,
        errorCode: null,
        errorMessage: null,
        version: eb('version', '+', 1),
      }))
      .where('id', '=', task.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    writing.afterCommit(() => pushImport(ctx.kernel, row));
  });
}

/** FAILED with the reason, unless somebody moved the task on meanwhile. */
export async function failImport(task: ImportTaskRow, error: unknown, ctx: JobContext): Promise<void> {
  if (!(error instanceof Refusal)) ctx.kernel.log.error({ error, traceId: ctx.traceId, batch: task.batchNo }, 'an import failed');
  const { code, message } =
    error instanceof Refusal ? error : { code: platformErrors.INTERNAL.code, message: `系统异常，请联系管理员（追踪号${ctx.traceId}）` };
  await ctx.transaction(async (writing) => {
    const row = await own(writing.tx)
      .updateTable('filesImportTask')
      .set((eb) => ({ state: 'FAILED', errorCode: code, errorMessage: message, progressBp: 0, version: eb('version', '+', 1) }))
      .where('id', '=', task.id)
      .where('state', '=', task.state)
      .returningAll()
      .executeTakeFirst();
    if (!row) return;
    await moveState(systemMover(writing, ctx), importMachine, {
      targetType: 'files.importTask',
      targetId: task.id,
      targetNo: task.batchNo,
      action: 'fail',
      from: task.state,
    });
    writing.afterCommit(() => pushImport(ctx.kernel, row));
  });
}

/** Checks every row of an uploaded table; nothing is written to the target. */
export const validateImport = job<{ taskId: string }>({
  name: 'files.validateImport',
  label: '校验导入文件',
  concurrency: 2,
  async run({ taskId }, ctx) {
    const task = await own(ctx.db).selectFrom('filesImportTask').selectAll().where('id', '=', taskId).executeTakeFirst();
    if (task?.state !== 'VALIDATING') return;
    try {
      const importer = importerOf(ctx.kernel, task.importerCode);
      const staff = await submitter(task, importer, ctx);
      const file = await findFile(ctx.db, task.fileId);
      if (!file) throw refuse(platformErrors.NOT_FOUND);
      const rows = await rowsOf(ctx.kernel, file, importer);
      const reading = { db: ctx.db, staff, params: paramsOf(task), now: ctx.now };
      const checked = await checkTable(importer, rows, reading, reporter(task, rows.length, ctx));
      await settle(task, importer, staff, checked, ctx);
    } catch (error) {
      await failImport(task, error, ctx);
    }
  },
});

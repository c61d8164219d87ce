import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { hours, plusMs } from '#kernel/contract/time.ts';
import { lockKeys } from '#kernel/server/command/lockKeys.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { importUndone } from '#events/files.ts';
import { fileErrors } from '../../contract/errors.ts';
import { filePermissions } from '../../contract/permissions.ts';
import { importMachine } from '../../contract/states.ts';
import { own } from '../database.ts';
import { commitImport, countsOf } from './commitImport.ts';
import { type ImportTaskRow, requireImporter, importerOf, lockTask, presentImport, undoDaysOf, undoPermission } from './importTasks.ts';
import { requireNewContent } from './startImport.ts';
import { plannedRows } from './storedRows.ts';
import { validateImport } from './validateImport.ts';

interface Seen {
  importTaskId: string;
  version: number;
}

/** A check is good for so long. */
const CHECK_HOURS = 24;

const target = (row: ImportTaskRow) => ({
  targetType: 'files.importTask',
  targetId: row.id,
  targetNo: row.batchNo,
  from: row.state,
});

const fresh = (kernel: Kernel, row: ImportTaskRow, seen: Seen, ctx: CommandContext) =>
  requireVersion(ctx, 'files.importTask', { ...row, updatedByName: row.createdName }, seen.version, () => presentImport(kernel, row, ctx));

async function update(ctx: CommandContext, row: ImportTaskRow, values: Partial<ImportTaskRow>): Promise<ImportTaskRow> {
  const { params: _params, id: _id, ...settable } = values;
  return own(ctx.tx)
    .updateTable('filesImportTask')
    .set((eb) => ({ ...settable, version: eb('version', '+', 1) }))
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** 确认提交. @throws Refusal SCM02036 checked too long ago, SCM02038 the same content is in already. */
export async function commitTask(kernel: Kernel, input: Seen, ctx: CommandContext): Promise<ImportTaskRow> {
  const row = await lockTask(kernel, ctx.tx, input.importTaskId, ctx);
  requireImporter(kernel, row.importerCode, ctx);
  await fresh(kernel, row, input, ctx);
  // An invalid table may be committed only where its correct rows alone are asked for.
  if (row.state === 'INVALID' && (row.mode !== 'VALID_ONLY' || row.okRows === 0)) {
    throw refuse(platformErrors.WRONG_STATE, { state: importMachine.states.INVALID.label });
  }
  const state = await moveState(ctx, importMachine, { ...target(row), action: 'commit' });
  if (!row.validatedAt || row.validatedAt < plusMs(ctx.now, -hours(CHECK_HOURS))) throw refuse(fileErrors.CHECK_EXPIRED);
  // Two commits of the same content meet here: the second waits for the first and then finds it. The unique index holds it anyway.
  await lockKeys(ctx.tx, 'files.importContent', [`${row.importerCode}:${row.scopeKey}:${row.rowsHash}`]);
  await requireNewContent(ctx.tx, importerOf(kernel, row.importerCode), row.scopeKey, row.rowsHash, row.id);
  const attempt = row.attempt + 1;
  const committed = await update(ctx, row, {
    state,
    attempt,
    heartbeatAt: ctx.now,
    progressBp: 0,
    rowsDone: 0,
    errorCode: null,
    errorMessage: null,
  });
  await ctx.enqueue(commitImport, { taskId: row.id, attempt }, { singletonKey: `${row.id}:${attempt}` });
  return committed;
}

/** 重新校验: the same file against the data of now. */
export async function revalidateTask(kernel: Kernel, input: Seen, ctx: CommandContext): Promise<ImportTaskRow> {
  const row = await lockTask(kernel, ctx.tx, input.importTaskId, ctx);
  requireImporter(kernel, row.importerCode, ctx);
  await fresh(kernel, row, input, ctx);
  const state = await moveState(ctx, importMachine, { ...target(row), action: 'revalidate' });
  await ctx.enqueue(validateImport, { taskId: row.id }, { singletonKey: `${row.id}:${row.version}` });
  return update(ctx, row, { state, heartbeatAt: ctx.now, progressBp: 0, rowsDone: 0, errorCode: null, errorMessage: null });
}

/** 取消, by who may import or who manages all tasks. */
export async function cancelTask(kernel: Kernel, input: Seen, ctx: CommandContext): Promise<ImportTaskRow> {
  const row = await lockTask(kernel, ctx.tx, input.importTaskId, ctx);
  if (!ctx.has(filePermissions['task.manage'])) requireImporter(kernel, row.importerCode, ctx);
  const state = await moveState(ctx, importMachine, { ...target(row), action: 'cancel' });
  return update(ctx, row, { state });
}

/** 整批撤销: all rows or none. @throws Refusal SCM02040 too late, SCM02041 not offered, SCM02042 used since. */
export async function undoTask(kernel: Kernel, input: Seen & { opinion: string }, ctx: CommandContext): Promise<ImportTaskRow> {
  const row = await lockTask(kernel, ctx.tx, input.importTaskId, ctx);
  const importer = importerOf(kernel, row.importerCode);
  ctx.requirePermission(undoPermission(importer));
  await fresh(kernel, row, input, ctx);
  const state = await moveState(ctx, importMachine, { ...target(row), action: 'undo', opinion: input.opinion });
  if (!importer.undo) throw refuse(fileErrors.NO_UNDO);
  if (!row.undoUntil || row.undoUntil <= ctx.now) throw refuse(fileErrors.UNDO_TOO_LATE, { days: undoDaysOf(importer) });
  const rows = await plannedRows(kernel, ctx.tx, importer, row.id);
  const used = await importer.undo(rows, row.batchNo, { ...ctx, staff: ctx.staff, now: ctx.now });
  if (used) throw refuse(fileErrors.ROW_IN_USE, { row: used.rowNo, no: used.no });
  const undone = await update(ctx, row, { state, undoneAt: ctx.now, undoneBy: ctx.staff.userId, undoReason: input.opinion });
  await ctx.publish(importUndone, row.id, {
    importTaskId: row.id,
    importerCode: row.importerCode,
    batchNo: row.batchNo,
    counts: countsOf(row),
  });
  return undone;
}

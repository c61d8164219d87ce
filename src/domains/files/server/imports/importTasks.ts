import type { Selectable } from 'kysely';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import type { Context, Db, Tx } from '#kernel/server/context.ts';
import type { Importer } from '#kernel/server/importing/importer.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { importModes } from '../../contract/dictionaries.ts';
import { filePermissions } from '../../contract/permissions.ts';
import { own } from '../database.ts';
import type { FilesImportTask } from '../tables.ts';

export type ImportTaskRow = Selectable<FilesImportTask>;
type Asking = Pick<Context, 'has'> & { staff: Pick<Context['staff'], 'userId'> };

export const paramsOf = (row: ImportTaskRow) => row.params as Record<string, unknown>;

const DEFAULT_UNDO_DAYS = 7;
export const undoDaysOf = (importer: Importer) => importer.undoDays ?? DEFAULT_UNDO_DAYS;

/** @throws Refusal SCM90040 when there is no such importer. */
export function importerOf(kernel: Kernel, code: string): Importer {
  const importer = kernel.registry.importers.find((candidate) => candidate.code === code);
  if (!importer) throw refuse(platformErrors.NOT_FOUND);
  return importer;
}

/** @throws Refusal SCM90010 without the importer's permission. */
export function requireImporter(kernel: Kernel, code: string, ctx: Pick<Context, 'requirePermission'>): Importer {
  const importer = importerOf(kernel, code);
  ctx.requirePermission(importer.permission);
  return importer;
}

/** Right to take a batch back: the importer's own, else that to import. */
export const undoPermission = (importer: Importer) => importer.undoPermission ?? importer.permission;

/** Whoever may import such tables, or take them back. */
export const worksWith = (importer: Importer | undefined, ctx: Pick<Context, 'has'>): boolean =>
  importer !== undefined && (ctx.has(importer.permission) || ctx.has(undoPermission(importer)));

/** Who submitted it, who may import the same or take it back, and who sees all tasks may look at it. */
function maySee(kernel: Kernel, row: ImportTaskRow, ctx: Asking): boolean {
  const importer = kernel.registry.importers.find(({ code }) => code === row.importerCode);
  if (row.createdBy === ctx.staff.userId) return true;
  return ctx.has(filePermissions['task.viewAll']) || ctx.has(filePermissions['task.manage']) || worksWith(importer, ctx);
}

/** @throws Refusal SCM90040 for a missing task and for one that is not to be seen alike. */
export async function visibleTask(kernel: Kernel, db: Db, taskId: string, ctx: Asking): Promise<ImportTaskRow> {
  const row = await own(db).selectFrom('filesImportTask').selectAll().where('id', '=', taskId).executeTakeFirst();
  if (!row || !maySee(kernel, row, ctx)) throw refuse(platformErrors.NOT_FOUND);
  return row;
}

/** The same, locked until the end of the transaction. */
export async function lockTask(kernel: Kernel, tx: Tx, taskId: string, ctx: Asking): Promise<ImportTaskRow> {
  const row = await own(tx).selectFrom('filesImportTask').selectAll().where('id', '=', taskId).forUpdate().executeTakeFirst();
  if (!row || !maySee(kernel, row, ctx)) throw refuse(platformErrors.NOT_FOUND);
  return row;
}

/** What leaves of a task, with this user's buttons. */
export function presentImport(kernel: Kernel, row: ImportTaskRow, ctx: Asking & { now: string }) {
  const importer = kernel.registry.importers.find(({ code }) => code === row.importerCode);
  const may = Boolean(importer && ctx.has(importer.permission));
  const state = row.state;
  const correctable = state === 'READY' || (state === 'INVALID' && row.mode === 'VALID_ONLY' && row.okRows > 0);
  return {
    importTaskId: row.id,
    batchNo: row.batchNo,
    importerCode: row.importerCode,
    importerLabel: row.importerLabel,
    fileId: row.fileId,
    fileName: row.fileName,
    mode: importModes.schema.parse(row.mode),
    totalRows: row.totalRows,
    okRows: row.okRows,
    errorRows: row.errorRows,
    errorCells: row.errorCells,
    warnRows: row.warnRows,
    newRows: row.newRows,
    changedRows: row.changedRows,
    sameRows: row.sameRows,
    state,
    progressBp: row.progressBp,
    rowsDone: row.rowsDone,
    errorCode: row.errorCode,
    errorMessage: row.errorMessage,
    traceId: row.traceId,
    hasResult: row.resultFileId !== null,
    createdBy: row.createdBy,
    createdName: row.createdName,
    createdAt: row.createdAt,
    committedAt: row.committedAt,
    undoneAt: row.undoneAt,
    undoReason: row.undoReason,
    undoUntil: row.undoUntil,
    mayCommit: may && correctable,
    mayUndo: Boolean(
      importer?.undo &&
      ctx.has(undoPermission(importer)) &&
      state === 'DONE' &&
      row.newRows + row.changedRows > 0 &&
      row.undoUntil !== null &&
      row.undoUntil > ctx.now,
    ),
    version: row.version,
  };
}

/** Tells the submitter's open pages to look again. */
export function pushImport(
  kernel: Kernel,
  row: Pick<ImportTaskRow, 'id' | 'createdBy' | 'state' | 'progressBp' | 'rowsDone' | 'totalRows'>,
): void {
  kernel.realtime.toUser(row.createdBy, 'importTask', {
    importTaskId: row.id,
    state: row.state,
    progressBp: row.progressBp,
    rowsDone: row.rowsDone,
    totalRows: row.totalRows,
  });
}

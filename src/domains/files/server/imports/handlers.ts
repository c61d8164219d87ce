import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { CONTENT_TYPES } from '#kernel/server/exporting/renderExport.ts';
import { FileAnswer } from '#kernel/server/fileAnswer.ts';
import { type Handler, command, query } from '#kernel/server/handler.ts';
import { DEFAULT_MAX_ROWS } from '#kernel/server/importing/readTable.ts';
import { templateOf } from '#kernel/server/importing/template.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import * as calls from '../../contract/calls/imports.ts';
import { cancelTask, commitTask, revalidateTask, undoTask } from './importActions.ts';
import { importTaskList, listImportRows } from './importLists.ts';
import { requireImporter, importerOf, presentImport, undoDaysOf, undoPermission, visibleTask } from './importTasks.ts';
import { startImport } from './startImport.ts';

export const importHandlers = (kernel: Kernel): Handler[] => [
  query(calls.downloadImportTemplate, async ({ importerCode }, ctx) => {
    const importer = requireImporter(kernel, importerCode, ctx);
    return new FileAnswer({ name: `${importer.label}导入模板.xlsx`, contentType: CONTENT_TYPES.XLSX, body: await templateOf(importer) });
  }),
  query(calls.queryImporter, async ({ importerCode }, ctx) => {
    const importer = requireImporter(kernel, importerCode, ctx);
    return {
      importerLabel: importer.label,
      columns: importer.columns.map(({ key, label }) => ({ key, label })),
      allowValidOnly: importer.allowValidOnly ?? false,
      mayUndo: Boolean(importer.undo) && ctx.has(undoPermission(importer)),
      maxRows: importer.maxRows ?? DEFAULT_MAX_ROWS,
      undoDays: undoDaysOf(importer),
    };
  }),
  command(calls.addImportTask, (input, ctx) => startImport(kernel, ctx, { ...input, staff: ctx.staff }, ctx.now, ctx.traceId)),
  query(calls.queryImportResult, async ({ importTaskId }, ctx) => {
    const row = await visibleTask(kernel, ctx.db, importTaskId, ctx);
    const importer = importerOf(kernel, row.importerCode);
    return {
      ...presentImport(kernel, row, ctx),
      columns: importer.columns.map(({ key, label }) => ({ key, label })),
      allowValidOnly: importer.allowValidOnly ?? false,
    };
  }),
  query(calls.queryImportRowList, (input, ctx) => listImportRows(kernel, input, ctx)),
  command(calls.commitImportTask, async (input, ctx) => presentImport(kernel, await commitTask(kernel, input, ctx), ctx)),
  command(calls.revalidateImportTask, async (input, ctx) => presentImport(kernel, await revalidateTask(kernel, input, ctx), ctx)),
  command(calls.cancelImportTask, async (input, ctx) => presentImport(kernel, await cancelTask(kernel, input, ctx), ctx)),
  command(calls.undoImportTask, async (input, ctx) => presentImport(kernel, await undoTask(kernel, input, ctx), ctx)),
  command(calls.downloadImportResult, async ({ importTaskId }, ctx) => {
    const row = await visibleTask(kernel, ctx.tx, importTaskId, ctx);
    if (!row.resultFileId) throw refuse(platformErrors.NOT_FOUND);
    ctx.target({ type: 'files.importTask', id: row.id, no: row.batchNo });
    const file = await kernel.ports.files.openRead(ctx.tx, row.resultFileId);
    return new FileAnswer({ name: file.fileName, contentType: file.contentType, body: file.body });
  }),
  importTaskList(kernel).handler,
];

import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { plainPermissionOf } from '#kernel/server/exporting/exportHandler.ts';
import { FileAnswer } from '#kernel/server/fileAnswer.ts';
import { type Handler, command, query } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import * as calls from '../../contract/calls/exports.ts';
import { signDownload } from '../objects/deliver.ts';
import { findFile } from '../objects/fileRows.ts';
import { cancelExport, rerunExport, retryExport, revealPassword, takeResult } from './exportActions.ts';
import { exportProgressOf, exportTaskList } from './exportLists.ts';
import { presentExport, queuePositions } from './exportRows.ts';
import { presetsOf, removePreset, savePreset } from './presets.ts';

export const exportHandlers = (kernel: Kernel): Handler[] => [
  exportTaskList.handler,
  query(calls.queryExportTaskProgress, ({ taskIds }, ctx) => exportProgressOf(taskIds, ctx)),
  command(calls.cancelExportTask, async (input, ctx) => presentExport(await cancelExport(input, ctx), ctx.now)),
  command(calls.retryExportTask, async (input, ctx) => {
    const row = await retryExport(kernel, input, ctx);
    return presentExport(row, ctx.now, (await queuePositions(ctx.tx, [row.id])).get(row.id) ?? null);
  }),
  command(calls.rerunExportTask, async (input, ctx) => {
    const row = await rerunExport(kernel, input, ctx);
    return presentExport(row, ctx.now, (await queuePositions(ctx.tx, [row.id])).get(row.id) ?? null);
  }),
  command(calls.downloadExportFile, async ({ taskId }, ctx) => {
    const { fileId, rowCount } = await takeResult(kernel, taskId, ctx);
    const file = await kernel.ports.files.openRead(ctx.tx, fileId);
    return new FileAnswer({
      name: file.fileName,
      contentType: file.contentType,
      body: file.body,
      ...(rowCount === null ? {} : { rowCount }),
    });
  }),
  command(calls.getExportFileUrl, async ({ taskId }, ctx) => {
    const { fileId } = await takeResult(kernel, taskId, ctx);
    const file = await findFile(ctx.tx, fileId);
    if (!file) throw refuse(platformErrors.NOT_FOUND);
    return { url: signDownload(kernel, ctx, fileId), fileName: file.fileName };
  }),
  command(calls.revealExportPassword, async ({ taskId }, ctx) => ({ password: await revealPassword(kernel, taskId, ctx) })),
  query(calls.queryColumnPreset, ({ source }, ctx) => presetsOf(ctx.db, ctx.staff.userId, source)),
  command(calls.saveColumnPreset, async (input, ctx) => {
    await savePreset(ctx.tx, { ...input, userId: ctx.staff.userId }, ctx.now);
    return presetsOf(ctx.tx, ctx.staff.userId, input.source);
  }),
  command(calls.delColumnPreset, async (input, ctx) => {
    await removePreset(ctx.tx, { ...input, userId: ctx.staff.userId });
    return presetsOf(ctx.tx, ctx.staff.userId, input.source);
  }),
  query(calls.queryExportColumns, async ({ source }, ctx) => {
    const found = kernel.registry.exports.find((candidate) => candidate.call.name === source);
    if (!found || (found.permission !== 'session' && !ctx.has(found.permission))) throw refuse(platformErrors.NOT_FOUND);
    return {
      title: found.title,
      columns: found.columns.map(({ key, label, sensitive }) => ({ key, label, sensitive: sensitive !== undefined })),
      mayPlain: ctx.has(plainPermissionOf(found)),
    };
  }),
];

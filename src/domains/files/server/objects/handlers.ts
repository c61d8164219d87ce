import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { watermarkOf } from '#kernel/server/exporting/renderExport.ts';
import { type Handler, command, procedure, query } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import * as calls from '../../contract/calls/objects.ts';
import { own } from '../database.ts';
import { allPurposes, requireUpload, purposeOf } from '../purposes.ts';
import { complete } from './complete.ts';
import { canBeMarked, shownType, signRead } from './deliver.ts';
import { presentFile, uploadersFile } from './fileRows.ts';
import { listFilesOf, objectList, storageUsage } from './lists.ts';
import { presign, renewParts } from './presign.ts';
import { requireRead } from './reading.ts';
import { removeFile } from './remove.ts';

export const objectHandlers = (kernel: Kernel): Handler[] => [
  command(calls.getPresignedUrl, async ({ purpose, files }, ctx) => {
    requireUpload(
      purposeOf(purpose),
      ctx,
      kernel.registry.importers.map(({ permission }) => permission),
    );
    const { userId, displayName, sessionId } = ctx.staff;
    const uploads = await presign(kernel, ctx, { userId, name: displayName, sessionId }, purpose, files, ctx.now);
    for (const { fileId } of uploads) ctx.target({ type: 'files.fileObject', id: fileId });
    return uploads;
  }),
  command(calls.renewPartUrl, ({ fileId, partNos }, ctx) => renewParts(kernel, ctx.tx, ctx.staff.userId, fileId, partNos, ctx.now)),
  procedure(calls.completeUpload, async ({ fileId }, ctx) => {
    const file = await uploadersFile(ctx.db, fileId, ctx.staff.userId);
    ctx.target({ type: 'files.fileObject', id: file.id, no: file.fileNo });
    return presentFile(await complete(kernel, file, (work) => ctx.transaction(work), ctx.now));
  }),
  query(calls.queryFileState, async ({ fileIds }, ctx) => {
    const rows = await own(ctx.db)
      .selectFrom('filesFileObject')
      .selectAll()
      .where('id', 'in', fileIds)
      .where('createdBy', '=', ctx.staff.userId)
      .execute();
    if (rows.length < new Set(fileIds).size) throw refuse(platformErrors.NOT_FOUND);
    return rows.map((row) => ({ fileId: row.id, state: row.state, rejectCode: row.rejectCode, rejectReason: row.rejectReason }));
  }),
  command(calls.getFileUrl, async ({ fileId, use, page, ...owner }, ctx) => {
    const { file, original } = await requireRead(ctx.tx, fileId, ctx, owner);
    if (!original && !canBeMarked(file)) throw refuse(platformErrors.NO_PERMISSION, { permission: '查看原件' });
    ctx.target({ type: 'files.fileObject', id: file.id, no: file.fileNo });
    const permit = {
      fileId,
      use,
      original: original && use === 'DOWNLOAD',
      sessionId: ctx.staff.sessionId,
      marks: file.sensitive ? watermarkOf(ctx.staff, ctx.now) : null,
      ...(page ? { page } : {}),
    };
    return {
      url: signRead(kernel, permit, ctx.now),
      fileName: file.fileName,
      contentType: shownType(file, permit),
      watermark: permit.marks !== null && !permit.original && canBeMarked(file),
      pageCount: file.pageCount,
      original,
    };
  }),
  query(calls.queryFileList, (input, ctx) => listFilesOf(input, ctx)),
  command(calls.deleteFile, async ({ fileId }, ctx) => {
    await removeFile(fileId, ctx);
    return {};
  }),
  objectList.handler,
  query(calls.queryFilePurposes, async () =>
    allPurposes().map(({ code, label, types, maxSize, count, compress }) => ({
      code,
      label,
      types: [...types],
      maxSize,
      count,
      compress: compress ?? false,
    })),
  ),
  query(calls.queryStorageUsage, (_input, ctx) => storageUsage(kernel, ctx)),
];

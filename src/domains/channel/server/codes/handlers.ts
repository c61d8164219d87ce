import { sql } from 'kysely';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { trailOf } from '#kernel/server/audit/transition.ts';
import { procedure, query, type Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { contrast, plainStyle, type CodeStyle } from '../../contract/calls/codeFields.ts';
import { downloadQrCode, previewQrCode, queryQrCodeDetail, queryScanStat } from '../../contract/calls/codes.ts';
import { codeStates } from '../../contract/states.ts';
import { scanList } from '../scans/list.ts';
import { scanStat } from '../scans/stat.ts';
import { batchList } from './batchTable.ts';
import { addBatch, cancelBatch, downloadBatch, retryBatch, voidBatch } from './batches.ts';
import { codeFiles } from './downloads.ts';
import { drawSvg } from './draw.ts';
import { hostList, saveHost } from './hosts.ts';
import { codeById, codeList } from './list.ts';
import { addCode, CODE_TARGET, modifyCode } from './save.ts';
import { batchChangeCodeState, changeCodeState } from './state.ts';
import { requireReadable, requireStyle, linkOf } from './target.ts';

export const codeHandlers = (kernel: Kernel): readonly Handler[] => [
  codeList(kernel).handler,
  query(queryQrCodeDetail, async ({ id }, ctx) => {
    const row = await codeById(kernel, ctx.db, ctx.staff, id);
    if (!row) throw refuse(platformErrors.NOT_FOUND);
    const { rows: history } = await sql<{ before: unknown; after: unknown; userName: string | null; at: string }>`
      select h.before, h.after, u.display_name as user_name, h.at
        from channel_qr_target_history h
        left join identity_staff_user u on u.id = h.user_id
        where h.code_id = ${id}
        order by h.id desc limit 100`.execute(ctx.db);
    return { ...row, history, trail: await trailOf(ctx.db, CODE_TARGET, id), allowedActions: codeStates.allowed(row.state, ctx.has) };
  }),
  addCode(kernel),
  modifyCode(kernel),
  changeCodeState,
  batchChangeCodeState,
  query(previewQrCode, async ({ id, style, format }, ctx) => {
    const row = id === undefined ? null : await codeById(kernel, ctx.db, ctx.staff, id);
    if (id !== undefined && row === null) throw refuse(platformErrors.NOT_FOUND);
    const shown = style ?? (row?.style as CodeStyle | undefined) ?? plainStyle;
    requireStyle(shown);
    const token = row?.token ?? '7K3QX9M2DX';
    const png = await requireReadable(kernel, ctx.db, shown, token);
    const link = linkOf(kernel, token);
    const dataUrl =
      format === 'SVG'
        ? `data:image/svg+xml;base64,${Buffer.from(drawSvg(link, shown)).toString('base64')}`
        : `data:image/png;base64,${png.toString('base64')}`;
    return { dataUrl, link, contrast: Math.round(contrast(shown.dark, shown.light) * 100) / 100 };
  }),
  addBatch(kernel),
  batchList.handler,
  retryBatch,
  cancelBatch,
  voidBatch,
  downloadBatch(kernel),
  procedure(downloadQrCode, ({ codeIds, format }, ctx) => codeFiles(kernel, ctx.db, ctx.staff, codeIds, format)),
  query(queryScanStat, (input, ctx) => scanStat(ctx.db, ctx.staff, input)),
  scanList.handler,
  hostList.handler,
  saveHost,
];

import { sql } from 'kysely';
import { platformErrors, refuse } from '../../../../kernel/contract/errors.ts';
import { trailOf } from '../../../../kernel/server/audit/transition.ts';
import { exportHandler } from '../../../../kernel/server/exporting/exportHandler.ts';
import { chunksDown } from '../../../../kernel/server/exporting/chunksById.ts';
import { exportSource, type ExportColumn } from '../../../../kernel/server/exporting/source.ts';
import { procedure, query, type Handler } from '../../../../kernel/server/handler.ts';
import { offsetOf, totalUpTo } from '../../../../kernel/server/http/paging.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import { contrast, plainStyle, type CodeStyle } from '../../contract/calls/codeFields.ts';
import {
  downloadQrCode,
  exportQrCodeList,
  previewQrCode,
  queryCommonQrCodeList,
  queryQrCodeDetail,
  queryScanList,
  queryScanStat,
  type CodeRow,
} from '../../contract/calls/codes.ts';
import { codeKinds, targetTypes } from '../../contract/dictionaries.ts';
import { channelPermissions } from '../../contract/permissions.ts';
import { codeStates } from '../../contract/states.ts';
import { own } from '../database.ts';
import { readScans, scanExportHandler, scanQuery } from '../scans/list.ts';
import { scanStat } from '../scans/stat.ts';
import { batchExport, listBatches } from './batchTable.ts';
import { addBatch, cancelBatch, downloadBatch, retryBatch, voidBatch } from './batches.ts';
import { codeFiles } from './downloads.ts';
import { drawSvg } from './draw.ts';
import { listHosts, saveHost } from './hosts.ts';
import { codeQuery, readCodes } from './list.ts';
import { addCode, CODE_TARGET, modifyCode } from './save.ts';
import { batchChangeCodeState, changeCodeState } from './state.ts';
import { demandReadable, demandStyle, linkOf } from './target.ts';

const columns: readonly ExportColumn<CodeRow>[] = [
  { key: 'name', label: '名称', width: 30, value: (row) => row.name },
  { key: 'token', label: '码值', value: (row) => row.token },
  { key: 'link', label: '地址', width: 40, value: (row) => row.link },
  { key: 'kind', label: '类别', dictionary: codeKinds, value: (row) => row.kind },
  { key: 'batchNo', label: '批次', value: (row) => row.batchNo },
  { key: 'channelName', label: '渠道', value: (row) => row.channelName },
  { key: 'targetType', label: '目标', dictionary: targetTypes, value: (row) => row.targetType },
  { key: 'validFrom', label: '生效时间', kind: 'instant', value: (row) => row.validFrom },
  { key: 'validTo', label: '失效时间', kind: 'instant', value: (row) => row.validTo },
  { key: 'pv', label: '扫码次数', kind: 'int', value: (row) => row.pv },
  { key: 'uv', label: '扫码人数', kind: 'int', value: (row) => row.uv },
  { key: 'lastScanAt', label: '最近扫码', kind: 'instant', value: (row) => row.lastScanAt },
  { key: 'state', label: '状态', dictionary: codeStates.dictionary, value: (row) => row.state },
];

export const codeExport = (kernel: Pick<Kernel, 'config'>) =>
  exportSource({
    call: exportQrCodeList,
    title: '二维码',
    routeKey: 'commonQRcode',
    permission: channelPermissions['code.export'].code,
    columns,
    count: ({ db, staff, filter }) => totalUpTo(own(db), codeQuery(db, staff, filter)),
    chunks: ({ db, staff, filter }) =>
      chunksDown((before, limit) => readCodes(kernel, codeQuery(db, staff, filter).where('q.id', '<', before), { limit, offset: 0 })),
  });

export const codeHandlers = (kernel: Kernel): readonly Handler[] => [
  query(queryCommonQrCodeList, async ({ pageNo, pageSize, ...filter }, ctx) => {
    const matching = codeQuery(ctx.db, ctx.staff, filter);
    return {
      rows: await readCodes(kernel, matching, { limit: pageSize, offset: offsetOf({ pageNo, pageSize }) }),
      total: await totalUpTo(own(ctx.db), matching),
    };
  }),
  query(queryQrCodeDetail, async ({ id }, ctx) => {
    const [row] = await readCodes(kernel, codeQuery(ctx.db, ctx.staff, { id }), { limit: 1, offset: 0 });
    if (!row) throw refuse(platformErrors.NOT_FOUND);
    const { rows: history } = await sql<{ before: unknown; after: unknown; userName: string | null; at: string }>`
      select h.before, h.after, u.display_name as user_name, h.at from channel_qr_target_history h left join identity_staff_user u on u.id = h.user_id where h.code_id = ${id} order by h.id desc limit 100`.execute(
      ctx.db,
    );
    return { ...row, history, trail: await trailOf(ctx.db, CODE_TARGET, id), allowedActions: codeStates.allowed(row.state, ctx.has) };
  }),
  addCode(kernel),
  modifyCode(kernel),
  changeCodeState,
  batchChangeCodeState,
  query(previewQrCode, async ({ id, style, format }, ctx) => {
    const row = id === undefined ? null : (await readCodes(kernel, codeQuery(ctx.db, ctx.staff, { id }), { limit: 1, offset: 0 }))[0];
    if (row === undefined) throw refuse(platformErrors.NOT_FOUND);
    const shown = style ?? (row?.style as CodeStyle | undefined) ?? plainStyle;
    demandStyle(shown);
    const token = row?.token ?? '7K3QX9M2DX';
    const png = await demandReadable(kernel, ctx.db, shown, token);
    const link = linkOf(kernel, token);
    const dataUrl =
      format === 'SVG'
        ? `data:image/svg+xml;base64,${Buffer.from(drawSvg(link, shown)).toString('base64')}`
        : `data:image/png;base64,${png.toString('base64')}`;
    return { dataUrl, link, contrast: Math.round(contrast(shown.dark, shown.light) * 100) / 100 };
  }),
  addBatch(kernel),
  listBatches,
  retryBatch,
  cancelBatch,
  voidBatch,
  downloadBatch(kernel),
  procedure(downloadQrCode, ({ codeIds, format }, ctx) => codeFiles(kernel, ctx.db, ctx.staff, codeIds, format)),
  query(queryScanStat, (input, ctx) => scanStat(ctx.db, ctx.staff, input)),
  query(queryScanList, async ({ pageNo, pageSize, ...filter }, ctx) => {
    const matching = scanQuery(ctx.db, ctx.staff, filter);
    return {
      rows: await readScans(matching, { limit: pageSize, offset: offsetOf({ pageNo, pageSize }) }),
      total: await totalUpTo(own(ctx.db), matching),
    };
  }),
  scanExportHandler(kernel),
  listHosts,
  saveHost,
  exportHandler(codeExport(kernel), kernel),
  exportHandler(batchExport, kernel),
];

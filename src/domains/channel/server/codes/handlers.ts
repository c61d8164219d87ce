import { sql } from 'kysely';
import { platformErrors, refuse } from '../../../../kernel/contract/errors.ts';
import { trailOf } from '../../../../kernel/server/audit/transition.ts';
import { exportHandler } from '../../../../kernel/server/exporting/exportHandler.ts';
import { exportSource, type ExportColumn } from '../../../../kernel/server/exporting/source.ts';
import { procedure, query, type Handler } from '../../../../kernel/server/handler.ts';
import { offsetOf, totalUpTo } from '../../../../kernel/server/http/paging.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import { contrast, plainStyle, type CodeStyle } from '../../contract/calls/codeFields.ts';
import { downloadQrCode, exportQrCodeList, previewQrCode, queryCommonQrCodeList, queryQrBatchList, queryQrCodeDetail, queryScanList, queryScanStat, type BatchRow, type CodeRow } from '../../contract/calls/codes.ts';
import { codeKinds, targetTypes } from '../../contract/dictionaries.ts';
import { channelPermissions } from '../../contract/permissions.ts';
import { codeStates } from '../../contract/states.ts';
import { seesChannel } from '../access.ts';
import { like, own } from '../database.ts';
import { readScans, scanExportHandler, scanQuery } from '../scans/list.ts';
import { scanStat } from '../scans/stat.ts';
import { addBatch, cancelBatch, downloadBatch, retryBatch, voidBatch } from './batches.ts';
import { codeFiles } from './downloads.ts';
import { drawSvg } from './draw.ts';
import { listHosts, saveHost } from './hosts.ts';
import { codeQuery, readCodes } from './list.ts';
import { addCode, CODE_TARGET, modifyCode } from './save.ts';
import { batchChangeCodeState, changeCodeState } from './state.ts';
import { demandReadable, demandStyle, linkOf } from './target.ts';

const CHUNK = 1_000;
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
    call: exportQrCodeList, title: '二维码', routeKey: 'commonQRcode', permission: channelPermissions['code.export'].code, columns,
    count: ({ db, staff, filter }) => totalUpTo(own(db), codeQuery(db, staff, filter)),
    async *chunks({ db, staff, filter }) {
      for (let before: string | null = null; ; ) {
        let found = codeQuery(db, staff, filter);
        if (before !== null) found = found.where('q.id', '<', before);
        const rows: CodeRow[] = await readCodes(kernel, found, { limit: CHUNK, offset: 0 });
        if (rows.length === 0) return;
        yield rows;
        before = rows.at(-1)!.id;
      }
    },
  });

export const codeHandlers = (kernel: Kernel): readonly Handler[] => [
  query(queryCommonQrCodeList, async ({ pageNo, pageSize, ...filter }, ctx) => {
    const matching = codeQuery(ctx.db, ctx.staff, filter);
    return { rows: await readCodes(kernel, matching, { limit: pageSize, offset: offsetOf({ pageNo, pageSize }) }), total: await totalUpTo(own(ctx.db), matching) };
  }),
  query(queryQrCodeDetail, async ({ id }, ctx) => {
    const [row] = await readCodes(kernel, codeQuery(ctx.db, ctx.staff, { id }), { limit: 1, offset: 0 });
    if (!row) throw refuse(platformErrors.NOT_FOUND);
    const { rows: history } = await sql<{ before: unknown; after: unknown; userName: string | null; at: string }>`
      select h.before, h.after, u.display_name as user_name, h.at from channel_qr_target_history h left join identity_staff_user u on u.id = h.user_id where h.code_id = ${id} order by h.id desc limit 100`.execute(ctx.db);
    return { ...row, history, trail: await trailOf(ctx.db, CODE_TARGET, id), allowedActions: codeStates.allowed(row.state, ctx.has) };
  }),
  addCode(kernel), modifyCode(kernel), changeCodeState, batchChangeCodeState,
  query(previewQrCode, async ({ id, style, format }, ctx) => {
    const row = id === undefined ? null : (await readCodes(kernel, codeQuery(ctx.db, ctx.staff, { id }), { limit: 1, offset: 0 }))[0];
    if (row === undefined) throw refuse(platformErrors.NOT_FOUND);
    const shown = style ?? (row?.style as CodeStyle | undefined) ?? plainStyle;
    demandStyle(shown);
    const token = row?.token ?? '7K3QX9M2DX';
    const png = await demandReadable(kernel, ctx.db, shown, token);
    const link = linkOf(kernel, token);
    const dataUrl = format === 'SVG' ? `data:image/svg+xml;base64,${Buffer.from(drawSvg(link, shown)).toString('base64')}` : `data:image/png;base64,${png.toString('base64')}`;
    return { dataUrl, link, contrast: Math.round(contrast(shown.dark, shown.light) * 100) / 100 };
  }),
  addBatch(kernel),
  query(queryQrBatchList, async ({ pageNo, pageSize, ...filter }, ctx) => {
    let matching = own(ctx.db).selectFrom('channelQrBatch as b').innerJoin('channelChannel as c', 'c.id', 'b.channelId').where(seesChannel(ctx.staff));
    if (filter.id) matching = matching.where('b.id', '=', filter.id);
    if (filter.batchNo) matching = matching.where('b.batchNo', 'like', like(filter.batchNo.toUpperCase()));
    if (filter.name) matching = matching.where('b.name', 'like', like(filter.name));
    if (filter.channelId) matching = matching.where('b.channelId', '=', filter.channelId);
    if (filter.state?.length) matching = matching.where('b.state', 'in', filter.state);
    const rows = await matching
      .select(['b.id', 'b.batchNo', 'b.name', 'b.mode', 'b.channelId', 'c.name as channelName', 'b.quantity', 'b.done', 'b.failed', 'b.failures', 'b.zipExpireAt', 'b.state', 'b.failReason', 'b.version', 'b.createdAt'])
      .select([
        sql<number>`(select count(*)::int from channel_qr_code q where q.batch_id = b.id and q.ok_count > 0)`.as('scanned'),
        sql<boolean>`coalesce(b.zip_file_id is not null and b.zip_expire_at > ${ctx.now}::timestamptz, false)`.as('hasZip'),
        sql<string | null>`(select u.display_name from identity_staff_user u where u.id = b.created_by)`.as('createdName'),
      ])
      .orderBy('b.id', 'desc').limit(pageSize).offset(offsetOf({ pageNo, pageSize })).execute();
    return { rows: rows.map((row) => ({ ...row, mode: row.mode as BatchRow['mode'], state: row.state as BatchRow['state'], failures: row.failures as BatchRow['failures'] })), total: await totalUpTo(own(ctx.db), matching) };
  }),
  retryBatch, cancelBatch, voidBatch, downloadBatch(kernel),
  procedure(downloadQrCode, ({ codeIds, format }, ctx) => codeFiles(kernel, ctx.db, ctx.staff, codeIds, format)),
  query(queryScanStat, (input, ctx) => scanStat(ctx.db, ctx.staff, input)),
  query(queryScanList, async ({ pageNo, pageSize, ...filter }, ctx) => {
    const matching = scanQuery(ctx.db, ctx.staff, filter);
    return { rows: await readScans(matching, { limit: pageSize, offset: offsetOf({ pageNo, pageSize }) }), total: await totalUpTo(own(ctx.db), matching) };
  }),
  scanExportHandler(kernel),
  listHosts, saveHost,
  exportHandler(codeExport(kernel), kernel),
];

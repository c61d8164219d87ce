import { platformErrors, refuse } from '../../../../kernel/contract/errors.ts';
import { trailOf } from '../../../../kernel/server/audit/transition.ts';
import { chunksById } from '../../../../kernel/server/exporting/chunksById.ts';
import { exportHandler } from '../../../../kernel/server/exporting/exportHandler.ts';
import { exportSource, type ExportColumn } from '../../../../kernel/server/exporting/source.ts';
import { command, query, type Handler } from '../../../../kernel/server/handler.ts';
import { offsetOf, totalUpTo } from '../../../../kernel/server/http/paging.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import { fileBriefs } from '../../../files/server/index.ts';
import {
  exportAttributionList,
  importAttributionChange,
  queryAttributionChangeDetail,
  queryAttributionChangeList,
  queryAttributionTrail,
  queryChannelFunnel,
  queryDoctorChannelList,
  queryPatientChannelList,
  type AttributionRow,
} from '../../contract/attributionCalls.ts';
import { attributionMethods, subjectTypes } from '../../contract/dictionaries.ts';
import { doctorPermissions } from '../../contract/permissions.ts';
import { own } from '../database.ts';
import { CHANGE_TARGET } from './access.ts';
import { changeQuery, presentChanges } from './changeList.ts';
import { changeHandlers } from './changes.ts';
import { attributionChangeExport } from './exportChanges.ts';
import { channelFunnel } from './funnel.ts';
import { attributionImporter } from './importChanges.ts';
import { attributionQuery, exportedName, presentAttributions, shownName } from './list.ts';
import { attributionTrail } from './trail.ts';

const columns: readonly ExportColumn<AttributionRow>[] = [
  { key: 'subjectType', label: '对象类型', dictionary: subjectTypes, value: (row) => row.subjectType },
  { key: 'subjectNo', label: '编号', width: 20, value: (row) => row.subjectNo ?? row.subjectId },
  { key: 'subjectName', label: '姓名', sensitive: 'name', value: (row) => exportedName(row.subjectType, row.subjectName) },
  { key: 'mobileMasked', label: '手机号', width: 14, value: (row) => row.mobileMasked },
  { key: 'channelName', label: '渠道', width: 24, value: (row) => row.channelName ?? '自然流量' },
  { key: 'sceneCodeNo', label: '场景码', width: 20, value: (row) => row.sceneCodeNo },
  { key: 'agentName', label: '代表', value: (row) => row.agentName },
  { key: 'viaDoctorName', label: '经由医生', value: (row) => row.viaDoctorName },
  { key: 'method', label: '归属方式', dictionary: attributionMethods, value: (row) => row.method },
  { key: 'scannedAt', label: '首次扫码', kind: 'instant', value: (row) => row.scannedAt },
  { key: 'startedAt', label: '归属时间', kind: 'instant', value: (row) => row.startedAt },
  { key: 'verified', label: '已认证/实名', kind: 'flag', value: (row) => row.verified },
  { key: 'orders', label: '订单数', kind: 'int', value: (row) => row.orders },
  { key: 'changes', label: '变更次数', kind: 'int', value: (row) => row.changes },
];

export const attributionExport = (kernel: Kernel) =>
  exportSource({
    call: exportAttributionList,
    title: '渠道归属',
    routeKey: 'doctorPatientChannelManagement',
    permission: doctorPermissions['attribution.export'].code,
    columns,
    count: async ({ db, staff, filter }) =>
      totalUpTo(own(db), (await attributionQuery(kernel, db, staff, filter.subjectType, filter)).query),
    chunks: ({ db, staff, filter }) =>
      chunksById(async (after, limit) => {
        // The list runs from the newest down, so the next chunk lies below the last id.
        const { query: matching } = await attributionQuery(kernel, db, staff, filter.subjectType, filter);
        return presentAttributions(db, filter.subjectType, matching, { limit, offset: 0 }, after === '0' ? undefined : after);
      }),
  });

export const attributionHandlers = (kernel: Kernel): readonly Handler[] => [
  ...(
    [
      [queryDoctorChannelList, 'DOCTOR'],
      [queryPatientChannelList, 'PATIENT'],
    ] as const
  ).map(([call, subjectType]) =>
    query(call, async ({ pageNo, pageSize, ...filter }, ctx) => {
      const { query: matching } = await attributionQuery(kernel, ctx.db, ctx.staff, subjectType, filter);
      const rows = await presentAttributions(ctx.db, subjectType, matching, { limit: pageSize, offset: offsetOf({ pageNo, pageSize }) });
      return {
        rows: rows.map((row) => ({ ...row, subjectName: shownName(subjectType, row.subjectName) })),
        total: await totalUpTo(own(ctx.db), matching),
      };
    }),
  ),
  query(queryAttributionTrail, (input, ctx) => attributionTrail(ctx, input)),
  query(queryChannelFunnel, (input, ctx) => channelFunnel(ctx.db, ctx.staff, input)),
  query(queryAttributionChangeList, async ({ pageNo, pageSize, ...filter }, ctx) => {
    const matching = changeQuery(ctx, filter);
    return {
      rows: await presentChanges(ctx, matching, { limit: pageSize, offset: offsetOf({ pageNo, pageSize }) }),
      total: await totalUpTo(own(ctx.db), matching),
    };
  }),
  query(queryAttributionChangeDetail, async ({ id }, ctx) => {
    const [change] = await presentChanges(ctx, changeQuery(ctx, { id }), { limit: 1, offset: 0 });
    if (!change) throw refuse(platformErrors.NOT_FOUND, { message: '归属变更单不存在或已删除' });
    const { evidenceFileIds } = await own(ctx.db)
      .selectFrom('doctorAttributionChange')
      .select('evidenceFileIds')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return { change, evidence: await fileBriefs(ctx.db, evidenceFileIds), trail: await trailOf(ctx.db, CHANGE_TARGET, id) };
  }),
  command(importAttributionChange, ({ fileId, mode }, ctx) =>
    kernel.ports.importTasks.start(ctx, { importerCode: attributionImporter.code, fileId, params: {}, mode, staff: ctx.staff }, ctx.now),
  ),
  exportHandler(attributionExport(kernel), kernel),
  exportHandler(attributionChangeExport, kernel),
  ...changeHandlers,
];

import { platformErrors, refuse } from '../../../../kernel/contract/errors.ts';
import { trailOf } from '../../../../kernel/server/audit/transition.ts';
import { exportHandler } from '../../../../kernel/server/exporting/exportHandler.ts';
import { chunksDown } from '../../../../kernel/server/exporting/chunksById.ts';
import { exportSource, type ExportColumn } from '../../../../kernel/server/exporting/source.ts';
import { command, query, type Handler } from '../../../../kernel/server/handler.ts';
import { offsetOf, totalUpTo } from '../../../../kernel/server/http/paging.ts';
import { dayOf } from '../../../../kernel/contract/time.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import { fileBriefs } from '../../../files/server/index.ts';
import {
  exportChannelVipList,
  importVipMember,
  queryChannelVipDetail,
  queryChannelVipList,
  type VipRow,
} from '../../contract/calls/vips.ts';
import { vipLevels } from '../../contract/dictionaries.ts';
import { channelPermissions } from '../../contract/permissions.ts';
import { vipStates } from '../../contract/states.ts';
import { lockVip } from '../access.ts';
import { own } from '../database.ts';
import { vipMemberImporter } from './importMembers.ts';
import { readVips, vipQuery } from './list.ts';
import { addVip, modifyVip, submitVip, VIP_TARGET } from './save.ts';
import { auditVip, changeVipState } from './state.ts';
import { listUsages, usageExport } from './usage.ts';

const columns: readonly ExportColumn<VipRow>[] = [
  { key: 'vipNo', label: 'VIP编号', value: (row) => row.vipNo },
  { key: 'channelName', label: '渠道', width: 30, value: (row) => row.channelName },
  { key: 'level', label: '等级', dictionary: vipLevels, value: (row) => row.level },
  { key: 'sponsorName', label: '出资方', value: (row) => row.sponsorName },
  { key: 'defaultDiscountBp', label: '默认折扣', kind: 'bp', value: (row) => row.defaultDiscountBp },
  { key: 'startDate', label: '开始日期', kind: 'day', value: (row) => row.startDate },
  { key: 'endDate', label: '结束日期', kind: 'day', value: (row) => row.endDate },
  { key: 'memberCount', label: '已用名额', kind: 'int', value: (row) => row.memberCount },
  { key: 'patientQuota', label: '名额', kind: 'int', value: (row) => row.patientQuota },
  { key: 'monthUsedFen', label: '本月已用（元）', kind: 'money', value: (row) => row.monthUsedFen },
  { key: 'monthlyBudgetFen', label: '月预算（元）', kind: 'money', value: (row) => row.monthlyBudgetFen },
  { key: 'usedFen', label: '已用（元）', kind: 'money', value: (row) => row.usedFen },
  { key: 'totalBudgetFen', label: '总预算（元）', kind: 'money', value: (row) => row.totalBudgetFen },
  { key: 'priorityAcceptMin', label: '接诊承诺（分钟）', kind: 'int', value: (row) => row.priorityAcceptMin },
  { key: 'state', label: '状态', dictionary: vipStates.dictionary, value: (row) => row.state },
];

export const vipExport = exportSource({
  call: exportChannelVipList,
  title: 'VIP渠道',
  routeKey: 'channelVip',
  permission: channelPermissions['vip.export'].code,
  columns,
  count: ({ db, staff, filter }) => totalUpTo(own(db), vipQuery(db, staff, filter)),
  chunks: ({ db, staff, filter, now }) =>
    chunksDown((before, limit) => readVips(vipQuery(db, staff, filter).where('v.id', '<', before), dayOf(now), { limit, offset: 0 })),
});

export const vipHandlers = (kernel: Kernel): readonly Handler[] => [
  query(queryChannelVipList, async ({ pageNo, pageSize, ...filter }, ctx) => {
    const matching = vipQuery(ctx.db, ctx.staff, filter);
    return {
      rows: await readVips(matching, ctx.today, { limit: pageSize, offset: offsetOf({ pageNo, pageSize }) }),
      total: await totalUpTo(own(ctx.db), matching),
    };
  }),
  query(queryChannelVipDetail, async ({ id }, ctx) => {
    const [row] = await readVips(vipQuery(ctx.db, ctx.staff, { id }), ctx.today, { limit: 1, offset: 0 });
    if (!row) throw refuse(platformErrors.NOT_FOUND);
    const previous =
      row.previousVipId === null
        ? []
        : await readVips(vipQuery(ctx.db, ctx.staff, { id: row.previousVipId }), ctx.today, { limit: 1, offset: 0 });
    const mayAudit = row.makerId !== ctx.staff.userId;
    return {
      ...row,
      previous: previous[0] ?? null,
      contracts: await fileBriefs(ctx.db, row.contractFileIds),
      trail: await trailOf(ctx.db, VIP_TARGET, id),
      allowedActions: vipStates.allowed(row.state, ctx.has).filter((action) => mayAudit || (action !== 'approve' && action !== 'reject')),
    };
  }),
  addVip,
  modifyVip,
  submitVip,
  auditVip,
  changeVipState,
  listUsages,
  command(importVipMember, async ({ vipId, fileId, mode }, ctx) => {
    await lockVip(ctx.tx, ctx.staff, vipId);
    return kernel.ports.importTasks.start(
      ctx,
      { importerCode: vipMemberImporter.code, fileId, params: { vipId }, mode, staff: ctx.staff },
      ctx.now,
    );
  }),
  exportHandler(vipExport, kernel),
  exportHandler(usageExport, kernel),
];

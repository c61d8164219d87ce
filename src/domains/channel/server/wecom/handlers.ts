import { platformErrors, refuse } from '../../../../kernel/contract/errors.ts';
import { exportHandler } from '../../../../kernel/server/exporting/exportHandler.ts';
import { chunksDown } from '../../../../kernel/server/exporting/chunksById.ts';
import { exportSource, type ExportColumn } from '../../../../kernel/server/exporting/source.ts';
import { command, query, type Handler } from '../../../../kernel/server/handler.ts';
import { offsetOf, totalUpTo } from '../../../../kernel/server/http/paging.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import { exportLiveCodeList, previewWelcome, queryLiveCodeList, type LiveCodeRow } from '../../contract/calls/liveCodes.ts';
import { syncWeChatWork } from '../../contract/calls/wecom.ts';
import { strategies } from '../../contract/dictionaries.ts';
import { channelErrors } from '../../contract/errors.ts';
import { channelPermissions } from '../../contract/permissions.ts';
import { liveCodeStates } from '../../contract/states.ts';
import { accessChannel } from '../access.ts';
import { own, ownTx } from '../database.ts';
import { liveQuery, readLiveCodes } from './liveList.ts';
import { listRuns, runExport } from './runList.ts';
import { openRun, type syncJob } from './sync.ts';
import { fillWelcome } from './welcome.ts';

const columns: readonly ExportColumn<LiveCodeRow>[] = [
  { key: 'liveCodeNo', label: '编号', value: (row) => row.liveCodeNo },
  { key: 'name', label: '名称', width: 30, value: (row) => row.name },
  { key: 'link', label: '地址', width: 40, value: (row) => row.link },
  { key: 'corpName', label: '企业', value: (row) => row.corpName },
  { key: 'channelName', label: '渠道', width: 30, value: (row) => row.channelName },
  { key: 'strategy', label: '策略', dictionary: strategies, value: (row) => row.strategy },
  {
    key: 'members',
    label: '成员',
    width: 40,
    value: (row) => row.members.map((member) => `${member.name}${member.isBackup ? '（备用）' : ''}`).join('、'),
  },
  { key: 'tags', label: '标签', value: (row) => row.tags.join('、') },
  { key: 'pv', label: '扫码次数', kind: 'int', value: (row) => row.pv },
  { key: 'state', label: '状态', dictionary: liveCodeStates.dictionary, value: (row) => row.state },
];

export const liveCodeExport = (kernel: Pick<Kernel, 'config'>) =>
  exportSource({
    call: exportLiveCodeList,
    title: '活码',
    routeKey: 'weChatWorkManagement',
    permission: channelPermissions['liveCode.export'].code,
    columns,
    count: ({ db, staff, filter }) => totalUpTo(own(db), liveQuery(db, staff, filter)),
    chunks: ({ db, staff, filter, now }) =>
      chunksDown((before, limit) =>
        readLiveCodes(kernel, liveQuery(db, staff, filter).where('l.id', '<', before), now, { limit, offset: 0 }),
      ),
  });

export const liveHandlers = (kernel: Kernel, sync: ReturnType<typeof syncJob>): readonly Handler[] => [
  query(queryLiveCodeList, async ({ pageNo, pageSize, ...filter }, ctx) => {
    const matching = liveQuery(ctx.db, ctx.staff, filter);
    return {
      rows: await readLiveCodes(kernel, matching, ctx.now, { limit: pageSize, offset: offsetOf({ pageNo, pageSize }) }),
      total: await totalUpTo(own(ctx.db), matching),
    };
  }),
  query(previewWelcome, async ({ welcome, channelId }, ctx) => {
    const channel = await accessChannel(ctx.db, ctx.staff, channelId);
    return {
      text: fillWelcome(welcome.text, { contact: '张女士', member: '王医助', channel: channel.name }),
      length: [...welcome.text].length,
    };
  }),
  exportHandler(liveCodeExport(kernel), kernel),
  command(syncWeChatWork, async ({ corpRowId, kind }, ctx) => {
    const corp = await ownTx(ctx.tx)
      .selectFrom('channelWecomCorp')
      .select(['state', 'corpId'])
      .where('id', '=', corpRowId)
      .executeTakeFirst();
    if (!corp) throw refuse(platformErrors.NOT_FOUND);
    if (corp.state !== 'CONNECTED') throw refuse(channelErrors.CORP_NOT_CONNECTED);
    const id = await openRun(ctx, { corpRowId, kind, trigger: 'MANUAL' }, sync, ctx.now);
    ctx.target({ type: 'channel.wecomCorp', id: corpRowId, no: corp.corpId });
    return { id };
  }),
  listRuns,
  exportHandler(runExport, kernel),
];

import { platformErrors, refuse } from '../../../../kernel/contract/errors.ts';
import { exportHandler } from '../../../../kernel/server/exporting/exportHandler.ts';
import { exportSource, type ExportColumn } from '../../../../kernel/server/exporting/source.ts';
import { command, query, type Handler } from '../../../../kernel/server/handler.ts';
import { offsetOf, totalUpTo } from '../../../../kernel/server/http/paging.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import { exportLiveCodeList, previewWelcome, queryLiveCodeList, type LiveCodeRow } from '../../contract/calls/liveCodes.ts';
import { querySyncRunList, syncWeChatWork, type SyncRunRow } from '../../contract/calls/wecom.ts';
import { strategies } from '../../contract/dictionaries.ts';
import { channelErrors } from '../../contract/errors.ts';
import { channelPermissions } from '../../contract/permissions.ts';
import { liveCodeStates } from '../../contract/states.ts';
import { accessChannel } from '../access.ts';
import { own, ownTx } from '../database.ts';
import { liveQuery, readLiveCodes } from './liveList.ts';
import { openRun, type syncJob } from './sync.ts';
import { fillWelcome } from './welcome.ts';

const CHUNK = 200;
const columns: readonly ExportColumn<LiveCodeRow>[] = [
  { key: 'liveCodeNo', label: '编号', value: (row) => row.liveCodeNo },
  { key: 'name', label: '名称', width: 30, value: (row) => row.name },
  { key: 'link', label: '地址', width: 40, value: (row) => row.link },
  { key: 'corpName', label: '企业', value: (row) => row.corpName },
  { key: 'channelName', label: '渠道', width: 30, value: (row) => row.channelName },
  { key: 'strategy', label: '策略', dictionary: strategies, value: (row) => row.strategy },
  { key: 'members', label: '成员', width: 40, value: (row) => row.members.map((member) => `${member.name}${member.isBackup ? '（备用）' : ''}`).join('、') },
  { key: 'pv', label: '扫码次数', kind: 'int', value: (row) => row.pv },
  { key: 'state', label: '状态', dictionary: liveCodeStates.dictionary, value: (row) => row.state },
];

export const liveCodeExport = (kernel: Pick<Kernel, 'config'>) =>
  exportSource({
    call: exportLiveCodeList, title: '活码', routeKey: 'weChatWorkManagement', permission: channelPermissions['liveCode.export'].code, columns,
    count: ({ db, staff, filter }) => totalUpTo(own(db), liveQuery(db, staff, filter)),
    async *chunks({ db, staff, filter, now }) {
      for (let before: string | null = null; ; ) {
        let found = liveQuery(db, staff, filter);
        if (before !== null) found = found.where('l.id', '<', before);
        const rows: LiveCodeRow[] = await readLiveCodes(kernel, found, now, { limit: CHUNK, offset: 0 });
        if (rows.length === 0) return;
        yield rows;
        before = rows.at(-1)!.id;
      }
    },
  });

export const liveHandlers = (kernel: Kernel, sync: ReturnType<typeof syncJob>): readonly Handler[] => [
  query(queryLiveCodeList, async ({ pageNo, pageSize, ...filter }, ctx) => {
    const matching = liveQuery(ctx.db, ctx.staff, filter);
    return { rows: await readLiveCodes(kernel, matching, ctx.now, { limit: pageSize, offset: offsetOf({ pageNo, pageSize }) }), total: await totalUpTo(own(ctx.db), matching) };
  }),
  query(previewWelcome, async ({ welcome, channelId }, ctx) => {
    const channel = await accessChannel(ctx.db, ctx.staff, channelId);
    return { text: fillWelcome(welcome.text, { contact: '张女士', member: '王医助', channel: channel.name }), length: [...welcome.text].length };
  }),
  exportHandler(liveCodeExport(kernel), kernel),
  command(syncWeChatWork, async ({ corpRowId, kind }, ctx) => {
    const corp = await ownTx(ctx.tx).selectFrom('channelWecomCorp').select(['state', 'corpId']).where('id', '=', corpRowId).executeTakeFirst();
    if (!corp) throw refuse(platformErrors.NOT_FOUND);
    if (corp.state !== 'CONNECTED') throw refuse(channelErrors.CORP_NOT_CONNECTED);
    const id = await openRun(ctx, { corpRowId, kind, trigger: 'MANUAL' }, sync, ctx.now);
    ctx.target({ type: 'channel.wecomCorp', id: corpRowId, no: corp.corpId });
    return { id };
  }),
  query(querySyncRunList, async ({ pageNo, pageSize, corpId, kind, state }, ctx) => {
    let matching = own(ctx.db).selectFrom('channelSyncRun as r').innerJoin('channelWecomCorp as k', 'k.id', 'r.corpRowId').where('r.kind', '<>', 'TAG');
    if (corpId) matching = matching.where('r.corpRowId', '=', corpId);
    if (kind) matching = matching.where('r.kind', '=', kind);
    if (state?.length) matching = matching.where('r.state', 'in', state);
    const rows = await matching.select(['r.id', 'k.name as corpName', 'r.corpRowId', 'r.kind', 'r.trigger', 'r.total', 'r.done', 'r.added', 'r.changed', 'r.removed', 'r.errors', 'r.state', 'r.startedAt', 'r.endedAt']).orderBy('r.id', 'desc').limit(pageSize).offset(offsetOf({ pageNo, pageSize })).execute();
    return { rows: rows.map((row) => ({ ...row, kind: row.kind as SyncRunRow['kind'], trigger: row.trigger as SyncRunRow['trigger'], state: row.state as SyncRunRow['state'], errors: row.errors as SyncRunRow['errors'] })), total: await totalUpTo(own(ctx.db), matching) };
  }),
];

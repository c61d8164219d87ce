import type { CheckedInputOf } from '../../../../kernel/contract/call.ts';
import { chunksDown } from '../../../../kernel/server/exporting/chunksById.ts';
import { exportSource, type ExportColumn } from '../../../../kernel/server/exporting/source.ts';
import { query } from '../../../../kernel/server/handler.ts';
import { offsetOf, totalUpTo } from '../../../../kernel/server/http/paging.ts';
import type { Db } from '../../../../kernel/server/context.ts';
import { exportSyncRunList, querySyncRunList, type SyncRunRow } from '../../contract/calls/wecom.ts';
import { syncKinds, syncStates, syncTriggers } from '../../contract/dictionaries.ts';
import { channelPermissions } from '../../contract/permissions.ts';
import { own } from '../database.ts';

type Filter = Omit<CheckedInputOf<typeof querySyncRunList>, 'pageNo' | 'pageSize'>;

function runQuery(db: Db, { corpId, kind, state }: Filter) {
  let query = own(db).selectFrom('channelSyncRun as r').innerJoin('channelWecomCorp as k', 'k.id', 'r.corpRowId');
  if (corpId) query = query.where('r.corpRowId', '=', corpId);
  if (kind) query = query.where('r.kind', '=', kind);
  if (state?.length) query = query.where('r.state', 'in', state);
  return query;
}

async function readRuns(query: ReturnType<typeof runQuery>, page: { limit: number; offset: number }): Promise<SyncRunRow[]> {
  const rows = await query
    .select([
      'r.id',
      'k.name as corpName',
      'r.corpRowId',
      'r.kind',
      'r.trigger',
      'r.total',
      'r.done',
      'r.added',
      'r.changed',
      'r.removed',
      'r.errors',
      'r.state',
      'r.startedAt',
      'r.endedAt',
    ])
    .orderBy('r.id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return rows.map((row) => ({
    ...row,
    errors: row.errors as SyncRunRow['errors'],
  }));
}

const columns: readonly ExportColumn<SyncRunRow>[] = [
  { key: 'startedAt', label: '开始时间', kind: 'instant', value: (row) => row.startedAt },
  { key: 'corpName', label: '企业', value: (row) => row.corpName },
  { key: 'kind', label: '类型', dictionary: syncKinds, value: (row) => row.kind },
  { key: 'trigger', label: '触发', dictionary: syncTriggers, value: (row) => row.trigger },
  { key: 'total', label: '总数', kind: 'int', value: (row) => row.total },
  { key: 'done', label: '已处理', kind: 'int', value: (row) => row.done },
  { key: 'added', label: '新增', kind: 'int', value: (row) => row.added },
  { key: 'changed', label: '变更', kind: 'int', value: (row) => row.changed },
  { key: 'removed', label: '移除', kind: 'int', value: (row) => row.removed },
  { key: 'state', label: '状态', dictionary: syncStates, value: (row) => row.state },
  {
    key: 'errors',
    label: '错误',
    width: 40,
    value: (row) => row.errors.map((fault) => `${fault.ref} ${fault.errmsg}（${fault.errcode}）`).join('；'),
  },
  { key: 'endedAt', label: '结束时间', kind: 'instant', value: (row) => row.endedAt },
];

export const runExport = exportSource({
  call: exportSyncRunList,
  title: '企业微信同步记录',
  routeKey: 'weChatWorkManagement',
  permission: channelPermissions['wecom.view'].code,
  columns,
  count: ({ db, filter }) => totalUpTo(own(db), runQuery(db, filter)),
  chunks: ({ db, filter }) =>
    chunksDown((before, limit) => readRuns(runQuery(db, filter).where('r.id', '<', before), { limit, offset: 0 })),
});

export const listRuns = query(querySyncRunList, async ({ pageNo, pageSize, ...filter }, ctx) => {
  const matching = runQuery(ctx.db, filter);
  return {
    rows: await readRuns(matching, { limit: pageSize, offset: offsetOf({ pageNo, pageSize }) }),
    total: await totalUpTo(own(ctx.db), matching),
  };
});

import { type ExportColumn } from '../../../../kernel/server/exporting/source.ts';
import { listExport } from '../../../../kernel/server/list/listExport.ts';
import { listOf } from '../../../../kernel/server/list/listOf.ts';
import { exportSyncRunList, querySyncRunList, type SyncRunRow } from '../../contract/calls/wecom.ts';
import { syncKinds, syncStates, syncTriggers } from '../../contract/dictionaries.ts';
import { own } from '../database.ts';

export const runList = listOf(querySyncRunList)
  .from(({ db }) => own(db).selectFrom('channelSyncRun as r').innerJoin('channelWecomCorp as k', 'k.id', 'r.corpRowId'))
  .with({
    where: { corpId: 'r.corpRowId', kind: 'r.kind', state: 'r.state' },
    id: 'r.id',
    select: (query) =>
      query.select([
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
      ]),
    present: (rows) =>
      rows.map((row) => ({
        ...row,
        kind: row.kind as SyncRunRow['kind'],
        trigger: row.trigger as SyncRunRow['trigger'],
        state: row.state as SyncRunRow['state'],
        errors: row.errors as SyncRunRow['errors'],
      })),
  });

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

export const runExport = listExport(runList, {
  call: exportSyncRunList,
  title: '企业微信同步记录',
  routeKey: 'weChatWorkManagement',
  columns,
});

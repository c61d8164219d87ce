import { listExport } from '../../../../kernel/server/list/listExport.ts';
import { listOf } from '../../../../kernel/server/list/listOf.ts';
import { exportSyncRunList, querySyncRunList, type SyncRunRow } from '../../contract/calls/wecom.ts';
import { own } from '../database.ts';

export const runList = listOf(querySyncRunList)
  .from(({ db }) => own(db).selectFrom('channelSyncRun as r').innerJoin('channelWecomCorp as k', 'k.id', 'r.corpRowId'))
  .with({
    where: { corpId: 'r.corpRowId', kind: 'r.kind', state: 'r.state' },
    id: 'r.id',
    sorts: { startedAt: 'r.id' },
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
        errors: row.errors as SyncRunRow['errors'],
      })),
  });

export const runExport = listExport(runList, {
  call: exportSyncRunList,
  title: '企业微信同步记录',
  routeKey: 'weChatWorkManagement',
  columns: ['startedAt', 'corpName', 'kind', 'trigger', 'total', 'done', 'added', 'changed', 'removed', 'state', 'errors', 'endedAt'],
});

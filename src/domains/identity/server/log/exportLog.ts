import { exportSource, type ExportColumn } from '../../../../kernel/server/exporting/source.ts';
import { showInstant } from '../../../../kernel/contract/time.ts';
import { rowsOf } from '../../../../kernel/server/list/rowsOf.ts';
import { exportOperationLog, queryOperationLogList } from '../../contract/calls/logs.ts';
import { logKinds } from '../../contract/dictionaries.ts';
import { identityPermissions } from '../../contract/permissions.ts';
import { logQuery, logView, logViewColumns, rangeOf, type LogView } from './list.ts';

const shown = (value: unknown) =>
  value === null || value === undefined ? '空' : typeof value === 'string' ? value : JSON.stringify(value);

const columns: readonly ExportColumn<LogView>[] = [
  { key: 'id', label: '编号', value: (row) => row.id },
  { key: 'at', label: '时间', kind: 'instant', value: (row) => row.at },
  { key: 'displayName', label: '操作人', value: (row) => row.displayName ?? row.apiClientName ?? row.jobName },
  { key: 'opNo', label: '工号', value: (row) => row.opNo },
  { key: 'roleName', label: '角色', value: (row) => row.roleName ?? row.roleCode },
  { key: 'menuRouteKey', label: '菜单', value: (row) => row.menuRouteKey },
  { key: 'label', label: '操作', value: (row) => row.label },
  { key: 'kind', label: '类型', dictionary: logKinds, value: (row) => row.kind },
  { key: 'targetNo', label: '对象', value: (row) => row.targetNo ?? row.targetId },
  {
    key: 'diff',
    label: '变更',
    width: 60,
    value: (row) => row.diff.map(({ label, before, after }) => `${label}：${shown(before)} → ${shown(after)}`).join('；'),
  },
  { key: 'resultCode', label: '结果', value: (row) => (row.resultCode === '0000000' ? '成功' : `${row.resultCode} ${row.message ?? ''}`) },
  { key: 'durationMs', label: '耗时（毫秒）', kind: 'int', value: (row) => row.durationMs },
  { key: 'ip', label: 'IP', value: (row) => row.ip },
  { key: 'traceId', label: '追踪号', value: (row) => row.traceId },
];

export const logExport = exportSource({
  call: exportOperationLog,
  list: queryOperationLogList,
  title: '操作日志',
  routeKey: 'operationLog',
  permission: identityPermissions['log.export'].code,
  columns,
  describe: (filter) => {
    if (filter.from === undefined && filter.to === undefined) return '今天';
    const range = rangeOf(filter, filter.to ?? filter.from ?? '');
    return `${showInstant(range.from)} 至 ${showInstant(range.to)}`;
  },
  count: async ({ db, filter, now }) =>
    Number(
      (
        await logQuery(db, filter, rangeOf(filter, now))
          .select(({ fn }) => fn.countAll<string>().as('n'))
          .executeTakeFirstOrThrow()
      ).n,
    ),
  async *chunks({ db, filter, now }) {
    const rows = logQuery(db, filter, rangeOf(filter, now)).select(logViewColumns).orderBy('l.at', 'desc').orderBy('l.id', 'desc');
    for await (const found of rowsOf(db, rows)) yield found.map(logView);
  },
});

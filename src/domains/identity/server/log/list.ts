import { sql, type SqlBool } from 'kysely';
import { refuseField } from '#kernel/contract/errors.ts';
import { dayOf, days, plusDays, showInstant, startOfDay, type Instant } from '#kernel/contract/time.ts';
import type { OutputOf } from '#kernel/contract/call.ts';
import type { Db } from '#kernel/server/context.ts';
import { containsPattern } from '#kernel/server/database/search.ts';
import { elsewhere } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf, type FilterOf } from '#kernel/server/list/listOf.ts';
import { own } from '../database.ts';
import { exportOperationLog, queryOperationLogList } from '../../contract/calls/logs.ts';

type LogFilter = FilterOf<typeof queryOperationLogList>;
export type LogView = OutputOf<typeof queryOperationLogList>;

const LONGEST_MS = days(93);

/** The range asked for, today by default. @throws SCM90020 beyond 93 days. */
export function rangeOf(filter: Pick<LogFilter, 'from' | 'to'>, now: Instant): { from: Instant; to: Instant } {
  const to = filter.to === undefined ? startOfDay(plusDays(dayOf(filter.from ?? now), 1)) : new Date(filter.to).toISOString();
  const from =
    filter.from === undefined
      ? startOfDay(dayOf(filter.to === undefined ? now : new Date(Date.parse(to) - 1).toISOString()))
      : new Date(filter.from).toISOString();
  if (from > to) throw refuseField('from', '开始时间不能晚于结束时间');
  if (Date.parse(to) - Date.parse(from) > LONGEST_MS) throw refuseField('to', '时间跨度不能超过93天');
  return { from, to };
}

/** All rows of the log, with the names of roles and machines. */
export const logs = (db: Db) =>
  own(db)
    .selectFrom('identityOperationLog as l')
    .leftJoin('identityRole as r', 'r.roleCode', 'l.roleCode')
    .leftJoin('identityApiClient as c', 'c.id', 'l.apiClientId');

export const logViewColumns = [
  'l.id',
  'l.at',
  'l.traceId',
  'l.durationMs',
  'l.userId',
  'l.opNo',
  'l.displayName',
  'l.roleCode',
  'r.name as roleName',
  'c.name as apiClientName',
  'l.jobName',
  'l.menuRouteKey',
  'l.call',
  'l.label',
  'l.kind',
  'l.targetType',
  'l.targetId',
  'l.targetNo',
  'l.targetCount',
  'l.diff',
  'l.diffTruncated',
  'l.resultCode',
  'l.message',
  'l.ip',
] as const;

/** Narrows what the table says to what the contract promises. */
export const logView = (row: Omit<LogView, 'diff'> & { diff: unknown }): LogView => ({
  ...row,
  diff: Array.isArray(row.diff) ? (row.diff as LogView['diff']) : [],
});

/** What happened in the range asked for, the newest first. */
export const logList = listOf(queryOperationLogList)
  .from(({ db, now, filter }) => {
    const range = rangeOf(filter, now);
    return logs(db).where('l.at', '>=', range.from).where('l.at', '<', range.to);
  })
  .with({
    where: {
      from: elsewhere,
      to: elsewhere,
      userId: 'l.userId',
      operator: (eb, operator) =>
        eb.or([eb('l.displayName', 'like', containsPattern(operator)), eb('l.opNo', '=', operator.toUpperCase())]),
      roleCode: 'l.roleCode',
      kind: 'l.kind',
      call: (eb, call) => eb.or([eb('l.call', '=', call), eb('l.label', 'like', containsPattern(call))]),
      menuRouteKey: 'l.menuRouteKey',
      targetType: 'l.targetType',
      targetId: 'l.targetId',
      targetNo: 'l.targetNo',
      // The code stands in the text: only so does the index of what failed answer.
      resultOk: (_eb, ok) => (ok ? sql<SqlBool>`l.result_code = '0000000'` : sql<SqlBool>`l.result_code <> '0000000'`),
      ip: 'l.ip',
      traceId: 'l.traceId',
    },
    order: [['l.at', 'desc']],
    id: 'l.id',
    position: ({ at, id }) => [at, id],
    select: (query) => query.select(logViewColumns),
    present: (rows) => rows.map(logView),
  });

export const logExport = listExport(logList, {
  call: exportOperationLog,
  title: '操作日志',
  routeKey: 'operationLog',
  describe: (filter) => {
    if (filter.from === undefined && filter.to === undefined) return '今天';
    const range = rangeOf(filter, filter.to ?? filter.from ?? '');
    return `${showInstant(range.from)} 至 ${showInstant(range.to)}`;
  },
  columns: [
    'id',
    'at',
    { key: 'actor', label: '操作人', value: (row) => row.displayName ?? row.apiClientName ?? row.jobName },
    'opNo',
    { key: 'role', label: '角色', value: (row) => row.roleName ?? row.roleCode },
    'menuRouteKey',
    'label',
    'kind',
    { key: 'target', label: '对象', value: (row) => row.targetNo ?? row.targetId },
    'diff',
    { key: 'result', label: '结果', value: (row) => (row.resultCode === '0000000' ? '成功' : `${row.resultCode} ${row.message ?? ''}`) },
    'durationMs',
    'ip',
    'traceId',
  ],
});

import { sql, type SqlBool } from 'kysely';
import { refuseField } from '../../../../kernel/contract/errors.ts';
import { dayOf, days, startOfDay, plusDays, type Instant } from '../../../../kernel/contract/time.ts';
import type { CheckedInputOf, OutputOf } from '../../../../kernel/contract/call.ts';
import type { Db } from '../../../../kernel/server/context.ts';
import { own } from '../database.ts';
import type { queryOperationLogList } from '../../contract/calls/logs.ts';

export type LogFilter = Omit<CheckedInputOf<typeof queryOperationLogList>, 'pageNo' | 'pageSize' | 'cursor'>;
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

const like = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** Log rows of a filter, newest first; `filter` of a target needs no range. */
export function logQuery(db: Db, filter: LogFilter, range: { from: Instant; to: Instant } | null) {
  let query = own(db)
    .selectFrom('identityOperationLog as l')
    .leftJoin('identityRole as r', 'r.roleCode', 'l.roleCode')
    .leftJoin('identityApiClient as c', 'c.id', 'l.apiClientId');
  if (range) query = query.where('l.at', '>=', range.from).where('l.at', '<', range.to);
  const { userId, operator, roleCode, kind, call, menuRouteKey, targetType, targetId, targetNo, resultOk, ip, traceId } = filter;
  if (userId !== undefined) query = query.where('l.userId', '=', userId);
  if (operator)
    query = query.where((eb) => eb.or([eb('l.displayName', 'like', like(operator)), eb('l.opNo', '=', operator.toUpperCase())]));
  if (roleCode) query = query.where('l.roleCode', '=', roleCode);
  if (kind?.length) query = query.where('l.kind', 'in', kind);
  if (call) query = query.where((eb) => eb.or([eb('l.call', '=', call), eb('l.label', 'like', like(call))]));
  if (menuRouteKey) query = query.where('l.menuRouteKey', '=', menuRouteKey);
  if (targetType) query = query.where('l.targetType', '=', targetType);
  if (targetId) query = query.where('l.targetId', '=', targetId);
  if (targetNo) query = query.where('l.targetNo', '=', targetNo);
  if (resultOk !== undefined) query = query.where(sql<SqlBool>`(l.result_code = '0000000') = ${resultOk}`);
  if (ip) query = query.where('l.ip', '=', ip);
  if (traceId) query = query.where('l.traceId', '=', traceId);
  return query;
}

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

import { sql, type SqlBool } from 'kysely';
import type { OutputOf } from '../../../../kernel/contract/call.ts';
import { plusDays, startOfDay } from '../../../../kernel/contract/time.ts';
import { query, type Handler } from '../../../../kernel/server/handler.ts';
import { offsetOf, totalUpTo } from '../../../../kernel/server/http/paging.ts';
import { queryLoginFailureTrend, queryLoginLogList } from '../../contract/calls/logs.ts';
import { own } from '../database.ts';

export const loginLogHandlers = (): Handler[] => [
  query(queryLoginLogList, async ({ pageNo, pageSize, userName, userId, ip, result, method, abnormal, from, to }, { db }) => {
    let found = own(db).selectFrom('identityLoginLog as l').leftJoin('identityStaffUser as u', 'u.id', 'l.userId');
    if (userName)
      found = found.where((eb) =>
        eb(eb.fn<string>('lower', ['l.userName']), 'like', `%${userName.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`),
      );
    if (userId) found = found.where('l.userId', '=', userId);
    if (ip) found = found.where('l.ip', '=', ip);
    if (result?.length) found = found.where('l.result', 'in', result);
    if (method) found = found.where('l.method', '=', method);
    if (abnormal?.length) found = found.where(sql<SqlBool>`l.abnormal ?| ${[...abnormal]}::text[]`);
    if (from) found = found.where('l.at', '>=', from);
    if (to) found = found.where('l.at', '<', to);
    const rows = await found
      .select(['l.id', 'l.at', 'l.userName', 'u.displayName', 'l.method', 'l.result', 'l.abnormal', 'l.ip', 'l.userAgent', 'l.deviceLabel'])
      .orderBy('l.at', 'desc')
      .orderBy('l.id', 'desc')
      .limit(pageSize)
      .offset(offsetOf({ pageNo, pageSize }))
      .execute();
    return {
      rows: rows.map((row) => ({ ...row, abnormal: row.abnormal as OutputOf<typeof queryLoginLogList>['abnormal'] })),
      total: await totalUpTo(db, found),
    };
  }),

  query(queryLoginFailureTrend, async (_input, { db, today }) => {
    const from = plusDays(today, -6);
    const { rows } = await sql<{ day: string; failed: number; ok: number }>`
      select (at at time zone 'Asia/Shanghai')::date as day, count(*) filter (where result <> 'OK')::int as failed,
        count(*) filter (where result = 'OK')::int as ok
      from identity_login_log where at >= ${startOfDay(from)} group by 1`.execute(db);
    const known = new Map(rows.map((row) => [row.day, row]));
    return Array.from({ length: 7 }, (_, index) => known.get(plusDays(from, index)) ?? { day: plusDays(from, index), failed: 0, ok: 0 });
  }),
];

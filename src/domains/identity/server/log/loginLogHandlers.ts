import { sql, type SqlBool } from 'kysely';
import type { OutputOf } from '#kernel/contract/call.ts';
import { plusDays, startOfDay } from '#kernel/contract/time.ts';
import { query, type Handler } from '#kernel/server/handler.ts';
import { containsPattern } from '#kernel/server/database/search.ts';
import { from } from '#kernel/server/list/conditions.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { queryLoginFailureTrend, queryLoginLogList } from '../../contract/calls/logs.ts';
import { own } from '../database.ts';

const loginLogList = listOf(queryLoginLogList)
  .from(({ db }) => own(db).selectFrom('identityLoginLog as l').leftJoin('identityStaffUser as u', 'u.id', 'l.userId'))
  .with({
    where: {
      userName: (eb, name) => eb(eb.fn<string>('lower', ['l.userName']), 'like', containsPattern(name.toLowerCase())),
      userId: 'l.userId',
      ip: 'l.ip',
      result: 'l.result',
      method: 'l.method',
      abnormal: (_eb, kinds) => sql<SqlBool>`l.abnormal ?| ${[...kinds]}::text[]`,
      from: from('l.at'),
      to: (eb, to) => eb('l.at', '<', to),
    },
    id: 'l.id',
    sorts: { at: 'l.at' },
    order: [['l.at', 'desc']],
    select: (query) =>
      query.select([
        'l.id',
        'l.at',
        'l.userName',
        'u.displayName',
        'l.method',
        'l.result',
        'l.abnormal',
        'l.ip',
        'l.userAgent',
        'l.deviceLabel',
      ]),
    present: (rows) => rows.map((row) => ({ ...row, abnormal: row.abnormal as OutputOf<typeof queryLoginLogList>['abnormal'] })),
  });

export const loginLogHandlers = (): Handler[] => [
  loginLogList.handler,

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

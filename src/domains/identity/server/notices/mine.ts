import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import type { Instant } from '#kernel/contract/time.ts';
import type { Staff } from '#kernel/server/context.ts';
import { command, query, type Handler } from '#kernel/server/handler.ts';
import { offsetOf } from '#kernel/server/http/paging.ts';
import { queryMyNoticeList, queryUnreadCount, readAllNotice, readNotice } from '../../contract/calls/notices.ts';
import type { AnswerOf } from '#kernel/contract/call.ts';

type MyNotice = AnswerOf<typeof queryMyNoticeList>['rows'][number];

/** What is published now and addressed to somebody: to all, to him, to his active role, or to a permission he holds. */
const addressedTo = (staff: Staff, now: Instant): RawBuilder<SqlBool> => sql<SqlBool>`(
  n.state = 'PUBLISHED' and n.publish_at <= ${now}::timestamptz and (n.expire_at is null or n.expire_at > ${now}::timestamptz)
  and ((n.audience ->> 'all')::boolean is true
    or n.audience -> 'userIds' ? ${staff.userId}
    or n.audience -> 'roleCodes' ? ${staff.roleCode ?? ''}
    or n.audience ->> 'permission' = any(${[...staff.permissions]}::text[])))`;

const join = (staff: Staff) =>
  sql`from identity_notice n left join identity_notice_read r on r.notice_id = n.id and r.user_id = ${staff.userId}`;

/** The bell: what concerns the user who asks. */
export const myNoticeHandlers: readonly Handler[] = [
  // No `listOf`: the bell asks often; its rows are counted in the same statement.
  query(queryMyNoticeList, async (input, { db, staff, now }) => {
    const { rows } = await sql<MyNotice & { total: number }>`
      select n.id, n.notice_no, n.kind, n.title, n.body, n.level, n.link, n.publish_at, r.read_at, n.state,
        least(count(*) over (), 10001)::int as total
      ${join(staff)}
      where ${addressedTo(staff, now)} and (${input.kind ?? null}::text is null or n.kind = ${input.kind ?? null})
        and (${input.unread ?? false}::boolean is false or r.read_at is null)
      order by n.publish_at desc, n.id desc limit ${input.pageSize} offset ${offsetOf(input)}`.execute(db);
    return { rows: rows.map(({ total: _, ...row }) => row), total: rows[0]?.total ?? 0 };
  }),

  query(queryUnreadCount, async (_input, { db, staff, now }) => {
    const { rows } = await sql<{ kind: MyNotice['kind']; count: number }>`
      select n.kind, count(*)::int as count ${join(staff)}
      where ${addressedTo(staff, now)} and r.read_at is null group by n.kind`.execute(db);
    const counts = { ANNOUNCE: 0, TODO: 0, ALERT: 0, RESULT: 0, ...Object.fromEntries(rows.map(({ kind, count }) => [kind, count])) };
    return { ...counts, total: rows.reduce((sum, { count }) => sum + count, 0) };
  }),

  command(readNotice, async ({ id }, { tx, staff, now }) => {
    const { rows } = await sql`
      insert into identity_notice_read (notice_id, user_id, read_at)
      select n.id, ${staff.userId}, ${now}::timestamptz from identity_notice n where n.id = ${id} and ${addressedTo(staff, now)}
      on conflict (notice_id, user_id) do update set read_at = identity_notice_read.read_at
      returning notice_id`.execute(tx);
    if (rows.length === 0) throw refuse(platformErrors.NOT_FOUND);
    return {};
  }),

  command(readAllNotice, async ({ kind }, { tx, staff, now }) => {
    const { rows } = await sql`
      insert into identity_notice_read (notice_id, user_id, read_at)
      select n.id, ${staff.userId}, ${now}::timestamptz from identity_notice n
      where ${addressedTo(staff, now)} and (${kind ?? null}::text is null or n.kind = ${kind ?? null})
      on conflict do nothing returning notice_id`.execute(tx);
    return { count: rows.length };
  }),
];

import { sql } from 'kysely';
import type { Instant } from '../../../../kernel/contract/time.ts';
import type { Writing } from '../../../../kernel/server/context.ts';
import { job } from '../../../../kernel/server/jobs/declaration.ts';
import { publishUnbound, type EndedBinding } from './endBindings.ts';

const CHUNK = 1_000;

/** Ends bindings whose time is over, at most a chunk of them. @returns how many. */
async function expireSome(ctx: Pick<Writing, 'tx' | 'publishMany'>, now: Instant): Promise<number> {
  // Groups are locked before their bindings, in the order of all writers.
  await sql`
    select id
      from content_tag_group
      where id in (
        select d.group_id
          from (
            select group_id
              from content_mark_binding
              where ended_at is null and expire_at <= ${now}::timestamptz
              order by expire_at limit ${CHUNK}
          ) d
      )
      order by id for update`.execute(ctx.tx);
  const { rows } = await sql<EndedBinding>`
    update content_mark_binding b set ended_at = ${now}, end_reason = 'EXPIRED'
      from content_mark m
     where m.id = b.mark_id
       and b.id in (
         select id from content_mark_binding where ended_at is null and expire_at <= ${now}::timestamptz order by expire_at limit ${CHUNK}
       )
    returning b.mark_id::text, m.mark_code, b.object_type, b.object_id::text, b.source`.execute(ctx.tx);
  await publishUnbound({ ...ctx, now }, rows);
  return rows.length;
}

export const expireBindings = job({
  name: 'content.expireMarks',
  label: '标签到期',
  cron: '10 * * * *',
  expireSeconds: 1800,
  async run(_data, ctx) {
    for (let ended = CHUNK; ended === CHUNK && !ctx.signal.aborted;)
      ended = await ctx.transaction((writing) => expireSome(writing, ctx.now));
  },
});

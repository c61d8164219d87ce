import { sql } from 'kysely';
import { markBound, markUnbound } from '#events/content.ts';
import type { Instant } from '#kernel/contract/time.ts';
import type { Staff, Writing } from '#kernel/server/context.ts';
import { job } from '#kernel/server/jobs/declaration.ts';
import type { ContentMarkBinding } from '../../tables.ts';

type Source = ContentMarkBinding['source'];
export type EndReason = NonNullable<ContentMarkBinding['endReason']>;

type Ending = Pick<Writing, 'tx' | 'publishMany'> & { now: Instant; staffOrNull?: Pick<Staff, 'userId'> | null };

interface Which {
  markIds: readonly string[];
  /** Absent: whatever carries the marks. */
  objectIds?: readonly string[];
  sources?: readonly Source[];
}

export interface EndedBinding {
  markId: string;
  markCode: string;
  objectType: string;
  objectId: string;
  source: Source;
}

/** Ends live bindings and tells who keeps copies. The groups of the marks are locked by the caller. */
export async function endBindings(ctx: Ending, which: Which, reason: EndReason): Promise<EndedBinding[]> {
  if (which.markIds.length === 0) return [];
  const objects = which.objectIds ? sql`and b.object_id = any(${[...which.objectIds]}::bigint[])` : sql``;
  const sources = which.sources ? sql`and b.source = any(${[...which.sources]}::text[])` : sql``;
  const { rows } = await sql<EndedBinding>`
    update content_mark_binding b
      set ended_at = ${ctx.now}, ended_by = ${ctx.staffOrNull?.userId ?? null}, end_reason = ${reason}
      from content_mark m
      where m.id = b.mark_id and b.ended_at is null and b.mark_id = any(${[...which.markIds]}::bigint[]) ${objects} ${sources}
      returning b.mark_id::text, m.mark_code, b.object_type, b.object_id::text, b.source`.execute(ctx.tx);
  await publishUnbound(ctx, rows);
  return rows;
}

export const publishUnbound = (ctx: Ending, rows: readonly EndedBinding[]): Promise<void> =>
  ctx.publishMany(
    markUnbound,
    rows.map((row) => ({ aggregateId: `${row.objectType}:${row.objectId}:${row.markId}`, payload: { ...row, at: ctx.now } })),
  );

interface Made {
  markId: string;
  markCode: string;
  objectType: string;
  objectId: string;
  source: string;
}

/**
 * What carries one mark carries another of its group afterwards, with source, end and note as they were; one binding per object is kept.
 * @returns how many objects changed their mark, and how many had both.
 */
export async function moveBindings(ctx: Ending, fromId: string, intoId: string): Promise<{ moved: number; ended: number }> {
  // Ended first: in a group of single choice the new binding stands in the place of the old one.
  const ended = await endBindings(ctx, { markIds: [fromId] }, 'REPLACED');
  if (ended.length === 0) return { moved: 0, ended: 0 };
  const { rows } = await sql<Made>`
    insert into content_mark_binding (
      mark_id, group_id, object_type, select_mode, object_id, source, source_id, bound_at, bound_by, expire_at, note
    )
    select ${intoId}::bigint, b.group_id, b.object_type, b.select_mode, b.object_id, b.source, b.source_id, b.bound_at, b.bound_by,
      b.expire_at, b.note
      from content_mark_binding b
     where b.mark_id = ${fromId}
       and b.ended_at = ${ctx.now}::timestamptz
       and b.end_reason = 'REPLACED'
       and b.object_id = any(${ended.map(({ objectId }) => objectId)}::bigint[])
    on conflict do nothing
    returning mark_id::text, (select mark_code from content_mark where id = ${intoId}) as mark_code, object_type, object_id::text,
      source`.execute(ctx.tx);
  await ctx.publishMany(
    markBound,
    rows.map((row) => ({ aggregateId: `${row.objectType}:${row.objectId}:${row.markId}`, payload: { ...row, at: ctx.now } })),
  );
  return { moved: rows.length, ended: ended.length - rows.length };
}

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

import { sql } from 'kysely';
import { markBound } from '../../../../events/content.ts';
import { endBindings, type Ending } from './endBindings.ts';

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

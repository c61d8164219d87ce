import { sql } from 'kysely';
import { markBound } from '#events/content.ts';
import { patientCancelled, patientMerged, patientUnmerged } from '#events/patient.ts';
import { consumer, type ConsumerContext } from '#kernel/server/outbox/consumer.ts';
import { endBindings, type EndedBinding } from './bindings/end.ts';

/** Locks the groups of a person's marks, and answers the marks that are live on him. */
async function marksOn(ctx: ConsumerContext, patientIds: readonly string[]): Promise<string[]> {
  await sql`
    select id
      from content_tag_group
      where id in (
        select group_id from content_mark_binding where object_type = 'PATIENT' and object_id = any(${[...patientIds]}::bigint[])
      )
      order by id for update`.execute(ctx.tx);
  const { rows } = await sql<{ markId: string }>`
    select distinct mark_id::text
      from content_mark_binding
      where object_type = 'PATIENT' and object_id = any(${[...patientIds]}::bigint[]) and ended_at is null`.execute(ctx.tx);
  return rows.map(({ markId }) => markId);
}

/**
 * Marks that a merge of records ended on one person are on another from now on, with source, end and note as they were. What the other
 * carries already stays, and so does his choice in a group of single choice.
 */
async function takeOver(ctx: ConsumerContext, fromId: string, intoId: string): Promise<void> {
  const { rows } = await sql<EndedBinding>`
    insert into content_mark_binding (
      mark_id, group_id, object_type, select_mode, object_id, source, source_id, bound_at, bound_by, expire_at, note
    )
      select distinct on (b.mark_id) b.mark_id, b.group_id, b.object_type, b.select_mode, ${intoId}::bigint, b.source, b.source_id,
          b.bound_at, b.bound_by, b.expire_at, b.note
        from content_mark_binding b
        where b.object_type = 'PATIENT'
          and b.object_id = ${fromId}
          and b.end_reason = 'MERGED'
          and b.ended_at = (
            select max(x.ended_at)
              from content_mark_binding x
              where x.object_type = 'PATIENT' and x.object_id = ${fromId} and x.end_reason = 'MERGED'
          )
          and (b.expire_at is null or b.expire_at > ${ctx.now}::timestamptz)
        order by b.mark_id, b.id desc
        on conflict do nothing
        returning mark_id::text, (select m.mark_code from content_mark m where m.id = mark_id) as mark_code, object_type, object_id::text,
          source`.execute(ctx.tx);
  await ctx.publishMany(
    markBound,
    rows.map((row) => ({ aggregateId: `${row.objectType}:${row.objectId}:${row.markId}`, payload: { ...row, at: ctx.now } })),
  );
}

export const markConsumers = [
  consumer('content', patientMerged, async ({ payload: { fromId, intoId } }, ctx) => {
    await marksOn(ctx, [fromId, intoId]);
    const markIds = await marksOn(ctx, [fromId]);
    const ended = await endBindings(ctx, { markIds, objectIds: [fromId] }, 'MERGED');
    if (ended.length > 0) await takeOver(ctx, fromId, intoId);
  }),
  // What the merge took from the record comes back to it; the other keeps what it has.
  consumer('content', patientUnmerged, async ({ payload: { fromId } }, ctx) => {
    await marksOn(ctx, [fromId]);
    await takeOver(ctx, fromId, fromId);
  }),
  consumer('content', patientCancelled, async ({ payload: { patientId } }, ctx) => {
    const markIds = await marksOn(ctx, [patientId]);
    await endBindings(ctx, { markIds, objectIds: [patientId] }, 'MANUAL');
  }),
];

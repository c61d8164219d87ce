import { sql } from 'kysely';
import { markUnbound } from '../../../../events/content.ts';
import type { Instant } from '../../../../kernel/contract/time.ts';
import type { Staff, Writing } from '../../../../kernel/server/context.ts';
import type { ContentMarkBinding } from '../tables.ts';

type Source = ContentMarkBinding['source'];
export type EndReason = NonNullable<ContentMarkBinding['endReason']>;

export type Ending = Pick<Writing, 'tx' | 'publishMany'> & { now: Instant; staffOrNull?: Pick<Staff, 'userId'> | null };

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

import { sql } from 'kysely';
import { markBound } from '../../../../events/content.ts';
import type { Writing } from '../../../../kernel/server/context.ts';
import { publishMarks } from './publish.ts';

interface Bound {
  markId: string;
  markCode: string;
  objectType: string;
  objectId: string;
  source: string;
  at: string;
}

/** Tells the domains that keep copies of marks what the demonstration's doctors and medicines carry. */
export async function publishDemoMarks(writing: Writing, markIds: readonly string[]): Promise<void> {
  const { rows } = await sql<Bound>`
    select b.mark_id::text, m.mark_code, b.object_type, b.object_id::text, b.source, b.bound_at as at
      from content_mark_binding b join content_mark m on m.id = b.mark_id
     where b.ended_at is null and b.mark_id = any(${[...markIds]}::bigint[]) and b.object_type in ('DOCTOR', 'MEDICINE')
     order by b.id`.execute(writing.tx);
  await publishMarks(writing, markIds);
  await writing.publishMany(
    markBound,
    rows.map((row) => ({ aggregateId: `${row.objectType}:${row.objectId}:${row.markId}`, payload: row })),
  );
}

import { sql } from 'kysely';
import { dayOf, plusDays, startOfDay } from '#kernel/contract/time.ts';
import { query } from '#kernel/server/handler.ts';
import { querySceneFigures } from '../../contract/figureCalls.ts';
import { rateOf } from '../../contract/stats/rates.ts';
import { own } from '../database.ts';
import { draftSnapshot, hashOf } from '../versions/draft.ts';

/** Today and the six days before it. */
const DAYS = 7;

interface Row {
  scenePackageId: string;
  publishedSeq: number | null;
  contentHash: string | null;
  liveRuns: number;
  sent: number;
  read: number;
  converted: number;
}

/** Figures of all scenes of a disease. */
export const sceneFigures = query(querySceneFigures, async ({ diseaseId }, ctx) => {
  const from = startOfDay(plusDays(dayOf(ctx.now), 1 - DAYS));
  const { rows } = await sql<Row>`
    select p.id as scene_package_id, v.seq as published_seq, v.content_hash,
        (select count(*)::int from corpus_follow_run r where r.scene_package_id = p.id and r.state in ('RUNNING', 'PAUSED')) as live_runs,
        coalesce(t.sent, 0) as sent, coalesce(t.read, 0) as read, coalesce(t.converted, 0) as converted
      from corpus_scene_package p
      join corpus_scene s on s.id = p.scene_id and s.deleted_at is null
      left join corpus_package_version v on v.scene_package_id = p.id and v.state = 'PUBLISHED'
      left join lateral (
        select count(*)::int as sent, count(f.read_at)::int as read, count(f.converted_at)::int as converted
          from corpus_follow_send f
          where f.scene_package_id = p.id and f.state = 'SENT' and f.due_at >= ${from}::timestamptz
      ) t on true
      where p.disease_id = ${diseaseId}::bigint
      order by s.sort_no, s.id`.execute(ctx.db);
  const figures = [];
  for (const { contentHash, read, converted, ...row } of rows)
    figures.push({
      ...row,
      isDirty: contentHash !== null && hashOf(await draftSnapshot(own(ctx.db), row.scenePackageId)) !== contentHash,
      readBp: rateOf(read, row.sent),
      convertedBp: rateOf(converted, row.sent),
    });
  return figures;
});

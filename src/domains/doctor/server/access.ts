import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { scopeFilter, scopedResource } from '#kernel/server/auth/scope.ts';
import type { Viewer } from '#kernel/server/auth/viewer.ts';
import { recordOf } from '#kernel/server/record/recordOf.ts';
import { own, type DoctorDb } from './database.ts';

const dimensions = scopedResource({ region: { column: 'd.adcode' }, insurer: 'free', channel: { column: 'd.channel_id' }, own: 'free' });

/**
 * What somebody sees of doctors (alias `d`) and of what hangs on one: region, channel of the live attribution, own = bound as assistant
 * or entered.
 */
export function seesDoctor(viewer: Viewer): RawBuilder<SqlBool> {
  const mine = viewer.scope.own
    ? sql<SqlBool>`(
      d.created_by = ${viewer.userId}
      or exists (
        select 1
          from doctor_assistant_bind b
          join doctor_assistant a on a.id = b.assistant_id
          where b.doctor_id = d.id and b.ended_at is null and a.user_id = ${viewer.userId}
      )
    )`
    : sql<SqlBool>`true`;
  return sql<SqlBool>`(${scopeFilter(dimensions, viewer)} and ${mine})`;
}

export const doctorsSeen = (db: DoctorDb, viewer: Viewer) => db.selectFrom('doctorDoctor as d').where(seesDoctor(viewer));

export const doctorRecords = recordOf((db) => own(db).selectFrom('doctorDoctor as d').selectAll('d')).with({
  noun: '医生',
  type: 'doctor.doctor',
  id: 'd.id',
  scope: seesDoctor,
});
export type DoctorRecord = Awaited<ReturnType<typeof doctorRecords.get>>;

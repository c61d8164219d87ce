import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { scopeFilter, scopedResource } from '#kernel/server/auth/scope.ts';
import type { Viewer } from '#kernel/server/auth/viewer.ts';
import { recordOf } from '#kernel/server/record/recordOf.ts';
import { own } from '../database.ts';

export const CHANGE_TARGET = 'doctor.attributionChange';

const doctorsRegion = scopedResource({ region: { column: 'd.adcode' }, insurer: 'free', channel: 'free', own: 'free' });

/**
 * The region of a subject: a doctor's own, a patient's that of a doctor whom he follows or who brought him. Somebody without
 * any doctor lies outside every region.
 * @param alias of the row that names the subject
 */
function ofRegion(viewer: Viewer, alias: 't' | 'g'): RawBuilder<SqlBool> {
  if (viewer.scope.region === null) return sql<SqlBool>`true`;
  const column = (name: string) => sql.ref(`${alias}.${name}`);
  const within = scopeFilter(doctorsRegion, viewer);
  return sql<SqlBool>`
    case
      when ${column('subject_type')} = 'DOCTOR' then exists (select from doctor_doctor d where d.id = ${column('subject_id')} and ${within})
      else exists (
        select from doctor_patient f join doctor_doctor d on d.id = f.doctor_id where f.patient_id = ${column('subject_id')} and ${within}
      )
      or exists (
        select from doctor_attribution v
          join doctor_doctor d on d.id = v.via_doctor_id
          where v.subject_type = 'PATIENT' and v.subject_id = ${column('subject_id')} and v.ended_at is null and ${within}
      )
    end`;
}

const dimensions = scopedResource({ region: 'free', insurer: 'free', channel: { column: 't.channel_id' }, own: 'free' });
/** What somebody sees of attributions (alias `t`): those of his channels and regions. */
export const seesAttribution = (viewer: Viewer): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${scopeFilter(dimensions, viewer)} and ${ofRegion(viewer, 't')})`;

const changeDimensions = scopedResource({ region: 'free', insurer: 'free', channel: { column: 'g.from_channel_id' }, own: 'free' });
/** Of changes (alias `g`): from or to one of his channels, of subjects of his regions. */
export function seesChange(viewer: Viewer): RawBuilder<SqlBool> {
  const { channel } = viewer.scope;
  const arriving = channel === null ? sql<SqlBool>`true` : sql<SqlBool>`g.to_channel_id::text = any(${[...channel]}::text[])`;
  return sql<SqlBool>`((${scopeFilter(changeDimensions, viewer)} or ${arriving}) and ${ofRegion(viewer, 'g')})`;
}

export const changeRecords = recordOf((db) => own(db).selectFrom('doctorAttributionChange as g').selectAll('g')).with({
  noun: '归属变更单',
  type: CHANGE_TARGET,
  id: 'g.id',
  scope: seesChange,
});

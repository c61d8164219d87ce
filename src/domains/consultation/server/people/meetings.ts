import { sql, type SqlBool } from 'kysely';
import { registerMeetings } from '#domains/doctor/server/index.ts';
import { inGroup } from '../visits/scope.ts';
import { inPool } from './pool.ts';

/** Tells doctor whom an assistant meets: the doctors (alias `d`) of his conversations, and of those that wait for one like him. */
export function provideMeetings(): void {
  registerMeetings(
    (userId) => sql<SqlBool>`exists (
      select from consultation_medical_group g where g.doctor_operator_id = d.operator_id
        and (${inGroup(userId)} or (g.work_state = 'QUEUED' and exists (
          select from consultation_assistant_duty a where a.user_id = ${userId}::bigint and ${inPool(sql.ref('a.assistant_id'))}))))`,
  );
}

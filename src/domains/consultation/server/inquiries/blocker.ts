import { sql } from 'kysely';
import type { Db } from '#kernel/server/context.ts';
import { registerBlocker } from '#domains/patient/server/index.ts';

/**
 * What must be settled in the chat before a person is cancelled or loses the proof of identity: live inquiries, and groups that somebody
 * still attends to.
 */
export async function liveChats(db: Db, patientIds: readonly string[]): Promise<{ count: number; link: string }> {
  const ids = [...patientIds];
  const { rows } = await sql<{ n: number }>`
    select (
      select count(*)
        from consultation_medical_group g
        where g.archived_at is null
          and (g.work_state <> 'DONE' or g.current_inquiry_id is not null)
          and (
            g.patient_id = any(${ids}::bigint[])
            or exists (select from consultation_inquiry i where i.id = g.current_inquiry_id and i.patient_id = any(${ids}::bigint[]))
          )
    )::int + (
      select count(*) from consultation_inquiry i where i.patient_id = any(${ids}::bigint[]) and i.server_status = '0'
    )::int as n`.execute(db);
  return { count: rows[0]?.n ?? 0, link: '/visitRecords' };
}

export const registerLiveChats = (): void => registerBlocker('进行中会话', liveChats);

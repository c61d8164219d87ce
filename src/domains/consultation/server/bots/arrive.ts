import { sql } from 'kysely';
import type { JobContext } from '#kernel/server/jobs/declaration.ts';
import { systemDeed } from '../deed.ts';
import { ownTx } from '../database.ts';
import { openDeskGroup } from '../desks/open.ts';
import { aliveSince } from '../im/sockets/presence.ts';
import { MOST_BOTS } from './scenes.ts';
import { arrivalGapOf } from './script.ts';

interface Desk {
  bots: number;
  arrived: number;
  newest: string | null;
  attended: boolean;
}

/** Every few minutes, while an assistant is there and on, somebody new comes to the default desk. */
export async function arrive(context: JobContext): Promise<void> {
  const { db, kernel, now } = context;
  const { rows } = await sql<Desk>`
    select (
      select (count(distinct sufferer_operator_id) + count(distinct doctor_operator_id))::int
        from consultation_medical_group
        where demo_bot and archived_at is null
    ) as bots,
      (select count(*)::int from consultation_medical_group where demo_bot and kind = 'DESK') as arrived,
      (select max(created_at) from consultation_medical_group where demo_bot and kind = 'DESK') as newest,
      exists (
        select 1
          from consultation_assistant_duty d
          join consultation_im_connection c on c.im_user_id = 'A' || d.operator_id and c.last_seen_at > ${aliveSince(kernel)}
          where d.state = 'ON'
      ) as attended`.execute(db);
  const { bots = 0, arrived = 0, newest = null, attended = false } = rows[0] ?? {};
  if (!attended || (newest !== null && Date.parse(now) - Date.parse(newest) < arrivalGapOf(arrived))) return;
  if (bots >= MOST_BOTS && !(await makeRoom(context))) return;
  const guests = await sql<{ patientId: string; operatorId: string }>`
    select p.id as patient_id, a.operator_id
      from patient_patient p
      join patient_account_person a on a.patient_id = p.id and a.is_default and a.removed_at is null
      where p.state = 'ACTIVE'
        and p.life_state = 'ALIVE'
        and not exists (select 1 from consultation_medical_group g where g.sufferer_operator_id = a.operator_id)
      order by (p.id * 7919 + ${arrived} * 104729) % 1009, p.id limit 1`.execute(db);
  const guest = guests.rows[0];
  if (!guest) return;
  await context.transaction(async (writing) => {
    const group = await openDeskGroup(systemDeed(writing, context), { ...guest, source: null });
    if (group)
      await ownTx(writing.tx).updateTable('consultationMedicalGroup').set({ demoBot: true }).where('groupId', '=', group.groupId).execute();
  });
}

/** Of those whose matter is settled the oldest is played no more. */
async function makeRoom({ transaction }: JobContext): Promise<boolean> {
  return transaction(async ({ tx }) => {
    const { rows } = await sql`
      update consultation_medical_group
        set demo_bot = false
        where group_id = (
          select group_id
            from consultation_medical_group
            where demo_bot and kind = 'DESK' and work_state = 'DONE'
            order by last_message_at nulls first limit 1
        )
        returning group_id`.execute(tx);
    return rows.length > 0;
  });
}

import { sql } from 'kysely';
import type { Instant } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';

/** Staff, to whom members of WeChat Work are bound, as their events will bring them. */
export async function copyStaff(tx: Tx, now: Instant): Promise<void> {
  await sql`
    insert into channel_ref_copy (kind, ref_id, name, usable, facts, updated_at)
      select 'USER', id, display_name, state = 'ENABLED', jsonb_build_object('no', op_no, 'state', state), ${now}
        from identity_staff_user
        on conflict do nothing`.execute(tx);
}

/** Doctors, scenes and services of the demonstration, as their events will bring them. */
export async function copyOthers(tx: Tx, now: Instant): Promise<void> {
  await sql`
    insert into channel_ref_copy (kind, ref_id, name, usable, facts, updated_at)
      select 'DOCTOR', id, name, practice_ok, jsonb_build_object('no', doctor_no, 'hospitalName', hospital_name), ${now}::timestamptz
        from doctor_doctor
    union all
    select 'SCENE', s.id, s.name, coalesce(p.state, 'UNPUBLISHED') <> 'OFFLINE',
        jsonb_build_object(
          'diseaseId', s.disease_id::text, 'diseaseName', d.disease_name, 'chatFlag', s.chat_flag, 'state', coalesce(p.state, 'UNPUBLISHED')
        ),
        ${now}
      from corpus_scene s
      join corpus_disease d on d.id = s.disease_id
      left join corpus_scene_package p on p.scene_id = s.id
      where s.deleted_at is null
    union all
    select 'ITEM', i.id, i.name, true, jsonb_build_object('priceFen', min(o.price_fen)::text), ${now}
      from doctor_service_item i
      join doctor_service_opening o on o.item_id = i.id
      group by i.id, i.name
      on conflict do nothing`.execute(tx);
}

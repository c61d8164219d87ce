import { sql } from 'kysely';
import type { JobContext } from '#kernel/server/jobs/declaration.ts';
import type { MessagePayload, MessageType } from '../../contract/im/types.ts';
import { aliveSince } from '../im/sockets/presence.ts';

/** Patients and doctors whom the program plays, each counted once; so many at the most. */
export const MOST_BOTS = 40;

/** A group in which somebody is played. */
export interface Scene {
  groupId: string;
  convId: string;
  kind: 'DOCTOR' | 'DESK';
  patientUser: string;
  doctorUser: string | null;
  /** Somebody real speaks for them just now. */
  patientReal: boolean;
  doctorReal: boolean;
  icd10: string | null;
  allergy: string | null;
  serverId: string | null;
  serverStatus: string | null;
  statusAt: string | null;
  /** The newest ended inquiry that nobody has rated. */
  unratedId: string | null;
  unratedSince: string | null;
  /** 0 before anybody spoke. */
  lastSeq: number;
  lastSender: string;
  lastType: MessageType | null;
  lastPayload: MessagePayload | null;
  lastAt: string;
  patientRead: number;
  doctorRead: number;
  /** Messages of the patient since the doctor's last word. */
  unanswered: number;
  /** The patient has shown a report since he is played. */
  shown: boolean;
  patientSentAt: string | null;
  doctorSentAt: string | null;
}

const sentAt = (user: 'patient' | 'doctor') =>
  sql`(
    select to_timestamp(u.recent_sends[cardinality(u.recent_sends)] / 1000.0)
      from consultation_im_user u
      where u.im_user_id = v.${sql.ref(user)}
  )`;

/** Groups with bots, oldest first, as long as no more people than allowed are played in them. */
const played = sql`
  select g.*
    from (
      select n.*, sum(n.patient_comes + n.doctor_comes) over (order by n.created_at, n.group_id) as people
        from (
          select g.*, 'P' || g.sufferer_operator_id as patient, 'D' || g.doctor_operator_id as doctor,
              (row_number() over (partition by g.sufferer_operator_id order by g.created_at, g.group_id) = 1)::int as patient_comes,
              (
                g.doctor_operator_id is not null
                and row_number() over (partition by g.doctor_operator_id order by g.created_at, g.group_id) = 1
              )::int as doctor_comes
            from consultation_medical_group g
            where g.demo_bot and g.archived_at is null
        ) n
    ) g
    where g.people <= ${MOST_BOTS}`;

/** The groups with bots, oldest first. */
export async function scenesOf({ db, kernel }: JobContext): Promise<Scene[]> {
  const real = (user: 'patient' | 'doctor') =>
    sql`
      exists (
        select 1
          from consultation_im_connection k
          where k.im_user_id = v.${sql.ref(user)} and k.device <> 'bot' and k.last_seen_at > ${aliveSince(kernel)}
      )`;
  const { rows } = await sql<Scene>`
    with v as (${played})
    select v.group_id, v.conv_id, v.kind, v.patient as patient_user, v.doctor as doctor_user, ${real('patient')} as patient_real,
        ${real('doctor')} as doctor_real,
        (select d.icd10 from patient_diagnosis d where d.patient_id = v.patient_id and d.is_primary and d.voided_at is null) as icd10,
        (select p.allergy_history from patient_patient p where p.id = v.patient_id) as allergy, i.id as server_id, i.server_status,
        i.status_at, e.id as unrated_id, e.ended_at as unrated_since, coalesce(m.seq, 0)::int as last_seq,
        coalesce(m.sender_id, '') as last_sender, m.type as last_type, m.payload as last_payload,
        coalesce(m.sent_at, v.created_at) as last_at,
        coalesce((
          select x.read_seq from consultation_im_member x where x.conv_id = v.conv_id and x.im_user_id = v.patient
        ), 0)::int as patient_read,
        coalesce((
          select x.read_seq from consultation_im_member x where x.conv_id = v.conv_id and x.im_user_id = v.doctor
        ), 0)::int as doctor_read,
        (
          select count(*)::int
            from consultation_im_message x
            where x.conv_id = v.conv_id
              and x.sender_id = v.patient
              and x.seq > coalesce((
                select max(y.seq) from consultation_im_message y where y.conv_id = v.conv_id and y.sender_id = v.doctor
              ), 0)
        ) as unanswered,
        exists (
          select 1
            from consultation_im_message x
            where x.conv_id = v.conv_id and x.sender_id = v.patient and x.client_msg_id like 'bot:%:report'
        ) as shown,
        ${sentAt('patient')} as patient_sent_at, ${sentAt('doctor')} as doctor_sent_at
      from v
      left join consultation_inquiry i on i.id = v.current_inquiry_id
      left join lateral (
        select x.id, x.ended_at
          from consultation_inquiry x
          where x.group_id = v.group_id and x.server_status = '4' and x.rated_at is null
          order by x.ended_at desc limit 1
      ) e on true
      left join lateral (
        select x.seq, x.sender_id, x.type, x.payload, x.sent_at
          from consultation_im_message x
          where x.conv_id = v.conv_id and x.sender_id <> 'SYSTEM' and x.revoked_at is null
          order by x.seq desc limit 1
      ) m on true
      order by v.created_at, v.group_id`.execute(db);
  return rows;
}

import { sql, type RawBuilder } from 'kysely';
import { dayOf, daysBetween, hours, plusMs, type Instant } from '#kernel/contract/time.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { answering } from './conversations.ts';

export interface ConversationFact {
  conversationId: string;
  code: string;
  value: string;
  /** When it came about. */
  at: Instant;
  sourceType: string;
  sourceId: string;
}
type Raw = Omit<ConversationFact, 'code'>;
type Present = (raw: Raw, now: Instant) => string;
interface Reader {
  statement(ids: readonly string[], now: Instant): RawBuilder<Raw>;
  present: Present;
}

const HOUR_MS = hours(1);
const DAYS_7 = hours(7 * 24);
const asItIs: Present = ({ value }) => value;
const daysSince: Present = ({ at }, now) => String(Math.max(0, daysBetween(dayOf(at), dayOf(now))));
const hoursSince: Present = ({ at }, now) => String(Math.max(0, Math.floor((Date.parse(now) - Date.parse(at)) / HOUR_MS)));
const asked = (ids: readonly string[]) => sql`unnest(${[...ids]}::bigint[]) as a (id)`;

/** The last message that a person of a role wrote. */
const lastMessage = (letter: 'P' | 'D' | 'A', present: Present): Reader => ({
  statement: (ids) => sql<Raw>`
    select a.id as conversation_id, '' as value, m.sent_at as at, 'message' as source_type, a.id || '-' || m.seq as source_id
      from ${asked(ids)}
      join lateral (
        select seq, sent_at
          from consultation_im_message x
          where x.conv_id = a.id and x.sender_id like ${`${letter}%`} and not x.auto
          order by x.seq desc limit 1
      ) m on true`,
  present,
});

const readers: Readonly<Record<string, Reader>> = {
  'patient.groupDays': {
    statement: (ids) =>
      sql<Raw>`
        select a.id as conversation_id, '' as value, c.created_at as at, 'conversation' as source_type, a.id as source_id
          from ${asked(ids)}
          join consultation_im_conversation c on c.conv_id = a.id`,
    present: daysSince,
  },
  'patient.daysSinceReply': lastMessage('P', daysSince),
  'doctor.hoursSinceMessage': lastMessage('D', hoursSince),
  'assistant.hoursSinceMessage': lastMessage('A', hoursSince),
  'patient.daysSinceRevisit': {
    statement: (ids) => sql<Raw>`
      select a.id as conversation_id, '' as value, v.visit_time as at, 'visitRecord' as source_type, v.id as source_id
        from ${asked(ids)}
        join consultation_medical_group g on g.conv_id = a.id
        join lateral (
          select x.id, x.visit_time
            from consultation_visit_record x
            where x.patient_id = g.patient_id and x.current and x.state in ('CONFIRMED', 'ARCHIVED')
            order by x.visit_time desc, x.id desc limit 1
        ) v on true`,
    present: daysSince,
  },
  'patient.unreadFollowUps': {
    statement: (ids, now) => sql<Raw>`
      select a.id as conversation_id, count(x.seq)::text as value, coalesce(max(x.sent_at), ${now}::timestamptz) as at,
          'conversation' as source_type, a.id as source_id
        from ${asked(ids)}
        join consultation_im_member m on m.conv_id = a.id and m.user_role = 'PATIENT' and m.left_at is null
        left join consultation_im_message x on x.conv_id = a.id
          and x.seq > m.read_seq
          and x.source_ref like 'corpus:%'
          and x.revoked_at is null
        group by a.id`,
    present: asItIs,
  },
  'doctor.messagesIn7Days': {
    statement: (ids, now) => sql<Raw>`
      select a.id as conversation_id, count(x.seq)::text as value, coalesce(max(x.sent_at), ${now}::timestamptz) as at,
          'conversation' as source_type, a.id as source_id
        from ${asked(ids)}
        join consultation_medical_group g on g.conv_id = a.id and g.kind = 'DOCTOR'
        left join consultation_im_message x on x.conv_id = a.id
          and x.sender_id like 'D%'
          and not x.auto
          and x.sent_at > ${plusMs(now, -DAYS_7)}::timestamptz
        group by a.id`,
    present: asItIs,
  },
  'doctor.patientCount': {
    statement: (ids, now) => sql<Raw>`
      select a.id as conversation_id, n.count::text as value, ${now}::timestamptz as at, 'doctor' as source_type, g.doctor_id as source_id
        from ${asked(ids)}
        join consultation_medical_group g on g.conv_id = a.id and g.doctor_id is not null
        join lateral (
          select count(distinct o.sufferer_operator_id) as count
            from consultation_medical_group o
            where o.doctor_operator_id = g.doctor_operator_id and o.archived_at is null
        ) n on true`,
    present: asItIs,
  },
  'assistant.groupCount': {
    statement: (ids, now) => sql<Raw>`
      select a.id as conversation_id, n.count::text as value, ${now}::timestamptz as at, 'assistant' as source_type,
          d.assistant_id as source_id
        from ${asked(ids)}
        join consultation_medical_group g on g.conv_id = a.id ${answering}
        join lateral (
          select count(*) as count
            from consultation_im_member m
            join consultation_medical_group o on o.conv_id = m.conv_id and o.archived_at is null
            where m.im_user_id = 'A' || d.operator_id and m.left_at is null
        ) n on d.assistant_id is not null`,
    present: asItIs,
  },
};

/** Codes that `factsFor` answers. */
export const factCodes: readonly string[] = Object.keys(readers);

/** Facts of conversations for conditions: one statement a code; no row where nothing is known. */
export async function factsFor(
  db: Db | Tx,
  conversationIds: readonly string[],
  codes: readonly string[],
  now: Instant,
): Promise<ConversationFact[]> {
  if (conversationIds.length === 0) return [];
  const facts: ConversationFact[] = [];
  for (const code of codes) {
    const reader = readers[code];
    if (!reader) continue;
    const { rows } = await reader.statement(conversationIds, now).execute(db);
    facts.push(...rows.map((raw) => ({ ...raw, code, value: reader.present(raw, now) })));
  }
  return facts;
}

import { sql, type RawBuilder } from 'kysely';
import type { Instant } from '#kernel/contract/time.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { own } from '../database.ts';

export type ConversationKind = 'DOCTOR' | 'DESK' | 'C2C';
export interface OpenConversation {
  conversationId: string;
  groupId: string | null;
  kind: ConversationKind;
  suffererOperatorId: string;
  patientId: string;
  doctorId: string | null;
  /** Owner, else the doctor's primary assistant; of a single chat, its assistant. */
  assistantId: string | null;
  assistantOperatorId: string | null;
  openedAt: Instant;
  /** Last message that a person of this role wrote; engines and the system are no persons. */
  lastHumanMessageAt: { PATIENT: Instant | null; DOCTOR: Instant | null; ASSISTANT: Instant | null };
}

/** The assistant who answers for a group of alias `g`, as `d`. */
export const answering: RawBuilder<unknown> = sql`
  left join lateral (
    select b.assistant_id from consultation_bind_copy b where b.doctor_id = g.doctor_id and b.role = 'PRIMARY' limit 1
  ) p on true
  left join consultation_assistant_duty d on d.assistant_id = coalesce(g.owner_assistant_id, p.assistant_id)`;

/** Time of the last message of a role in conversation `o`. */
const lastOf = (letter: 'P' | 'D' | 'A') => sql`(
  select m.sent_at
    from consultation_im_message m
    where m.conv_id = o.conversation_id and m.sender_id like ${`${letter}%`} and not m.auto
    order by m.seq desc limit 1
)`;

interface Row extends Omit<OpenConversation, 'lastHumanMessageAt'> {
  patientAt: Instant | null;
  doctorAt: Instant | null;
  assistantAt: Instant | null;
}

/** Conversations of patients, by their accounts or persons, that can still be written in; oldest first. */
export async function listOpenConversations(
  db: Db | Tx,
  whose: ({ operatorIds: readonly string[] } | { patientIds: readonly string[] }) & { kinds: readonly ConversationKind[] },
): Promise<OpenConversation[]> {
  // One or the other, never both in one condition: then each finds its index.
  const [ofGroup, ofUser] =
    'operatorIds' in whose
      ? [
          sql`g.sufferer_operator_id = any(${[...whose.operatorIds]}::bigint[])`,
          sql`u.operator_id = any(${[...whose.operatorIds]}::bigint[])`,
        ]
      : [sql`g.patient_id = any(${[...whose.patientIds]}::bigint[])`, sql`u.ref_id = any(${[...whose.patientIds]}::bigint[])`];
  const { rows } = await sql<Row>`
    with o as (
      select g.conv_id as conversation_id, g.group_id, g.kind, g.sufferer_operator_id, g.patient_id, g.doctor_id, d.assistant_id,
          d.operator_id as assistant_operator_id, g.created_at as opened_at
        from consultation_medical_group g ${answering}
        where g.archived_at is null and g.kind = any(${[...whose.kinds]}::text[]) and ${ofGroup}
      union all
      select c.conv_id, null, 'C2C', u.operator_id, u.ref_id, null, d.assistant_id, d.operator_id, c.created_at
        from consultation_im_conversation c
        join consultation_im_user u on u.im_user_id = c.user_high
        left join consultation_assistant_duty d on c.user_low = 'A' || d.operator_id
        where c.type = 'C2C' and c.dissolved_at is null and 'C2C' = any(${[...whose.kinds]}::text[]) and u.ref_id is not null and ${ofUser}
    )
    select o.*, ${lastOf('P')} as patient_at, ${lastOf('D')} as doctor_at, ${lastOf('A')} as assistant_at
      from o
      order by o.conversation_id`.execute(db);
  return rows.map(({ patientAt, doctorAt, assistantAt, ...row }) => ({
    ...row,
    lastHumanMessageAt: { PATIENT: patientAt, DOCTOR: doctorAt, ASSISTANT: assistantAt },
  }));
}

export interface GroupFacts {
  groupId: string;
  conversationId: string;
  kind: 'DOCTOR' | 'DESK';
  name: string;
  doctorId: string | null;
  deskId: string | null;
  suffererOperatorId: string;
  patientId: string;
  currentInquiryId: string | null;
  ownerAssistantId: string | null;
  isArchived: boolean;
}

/** A group, by its own id or that of its conversation. */
export async function getGroup(db: Db | Tx, by: { groupId: string } | { conversationId: string }): Promise<GroupFacts | null> {
  const base = own(db)
    .selectFrom('consultationMedicalGroup')
    .select([
      'groupId',
      'convId',
      'kind',
      'name',
      'doctorId',
      'deskId',
      'suffererOperatorId',
      'patientId',
      'currentInquiryId',
      'ownerAssistantId',
      'archivedAt',
    ]);
  const row = await (
    'groupId' in by ? base.where('groupId', '=', by.groupId) : base.where('convId', '=', by.conversationId)
  ).executeTakeFirst();
  if (!row) return null;
  const { convId, kind, archivedAt, ...facts } = row;
  return { ...facts, conversationId: convId, kind: kind === 'DESK' ? 'DESK' : 'DOCTOR', isArchived: archivedAt !== null };
}

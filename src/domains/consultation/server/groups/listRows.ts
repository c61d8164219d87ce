import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Instant } from '#kernel/contract/time.ts';
import { digestOf } from '../../contract/im/cards.ts';
import type { MessagePayload, MessageType } from '../../contract/im/types.ts';
import type { GroupRow } from '../../contract/calls/shared.ts';
import type { Me } from '../people/me.ts';
import { inPool, isMember } from '../people/pool.ts';

interface Raw extends Omit<GroupRow, 'lastMessageDigest' | 'canWatch'> {
  lastMessage: { type: MessageType; payload: MessagePayload; isRevoked: boolean } | null;
}

/** Columns of one row of a list of groups (alias `g`) for somebody; names come from the chat's own accounts. */
export const listColumns = (me: Me): RawBuilder<Raw> => sql<Raw>`
  g.group_id, g.name as group_name, g.kind, g.doctor_operator_id, d.nick as doctor_name, g.desk_id, k.desk_name, g.sufferer_operator_id,
  p.nick as sufferer_name, i.id as server_id, i.server_status, i.service_type, g.work_state, g.owner_assistant_id,
  o.name as owner_assistant_name, g.waiting_since, g.sla_due_at, g.queued_at, g.snooze_until, g.unanswered, g.priority,
  g.crisis_at is not null and g.priority = 2 as crisis, g.tags, g.last_message_at, g.version,
  ${inPool(me.assistantId)} and g.work_state = 'QUEUED' as can_take, ${isMember(me.imUserId)} as member,
  (
    select jsonb_build_object('type', m.type, 'payload', m.payload, 'isRevoked', m.revoked_at is not null)
      from consultation_im_message m
      where m.conv_id = g.conv_id and m.seq = c.last_seq
  ) as last_message`;

/** Tables behind those columns; the inquiry is the current one, else the latest. */
export const listTables: RawBuilder<unknown> = sql`
  consultation_medical_group g
  join consultation_im_conversation c on c.conv_id = g.conv_id
  left join consultation_im_user d on d.im_user_id = 'D' || g.doctor_operator_id
  left join consultation_im_user p on p.im_user_id = 'P' || g.sufferer_operator_id
  left join consultation_guidance_desk k on k.id = g.desk_id
  left join consultation_assistant_duty o on o.assistant_id = g.owner_assistant_id
  left join lateral (
    select x.id, x.server_status, x.service_type
      from consultation_inquiry x
      where x.group_id = g.group_id
      order by (x.id = g.current_inquiry_id) desc nulls last, x.id desc limit 1
  ) i on true`;

export const orders: Readonly<Record<'lastMessage' | 'waiting' | 'sla', RawBuilder<unknown>>> = {
  lastMessage: sql`g.last_message_at desc nulls last, g.group_id desc`,
  waiting: sql`g.waiting_since nulls last, g.queued_at, g.group_id`,
  sla: sql`g.priority desc, g.sla_due_at nulls last, g.queued_at, g.group_id`,
};

/** What somebody may see in lists: own groups and those of his pool that wait; watchers see all. */
export const visibleTo = (me: Me, watcher: boolean): RawBuilder<SqlBool> =>
  watcher ? sql<SqlBool>`true` : sql<SqlBool>`(${isMember(me.imUserId)} or (g.work_state = 'QUEUED' and ${inPool(me.assistantId)}))`;

export const listRow = (raw: Raw, watcher: boolean): GroupRow => {
  const { lastMessage, ...row } = raw;
  return { ...row, lastMessageDigest: lastMessage === null ? '' : digestOf(lastMessage), canWatch: watcher };
};
export const overdue = (now: Instant): RawBuilder<SqlBool> => sql<SqlBool>`(g.sla_due_at is not null and g.sla_due_at < ${now})`;

import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { AnswerOf } from '#kernel/contract/call.ts';
import type { QueryContext } from '#kernel/server/context.ts';
import { query, type Handler } from '#kernel/server/handler.ts';
import { queryFollowUps, queryGroupsOfPatient } from '../../contract/calls/groups.ts';
import { consultationPermissions as may } from '../../contract/permissions.ts';
import type { ServerStatus } from '../../contract/states.ts';
import { idsOfPatient } from '../partners.ts';
import { meOrNull } from '../people/me.ts';
import { isMember } from '../people/pool.ts';
import { seesVisit } from '../visits/scope.ts';

interface Rights {
  watcher: boolean;
  member: RawBuilder<SqlBool>;
  /** Of inquiries (aliases `i`, `g`, `p`). */
  reads: RawBuilder<SqlBool>;
}
/** Watchers see all groups (alias `g`), members their own, readers of visit records the inquiries of their scope. */
async function rightsOf(ctx: QueryContext): Promise<Rights> {
  const me = ctx.has(may['chat.send']) ? await meOrNull(ctx.db, ctx) : null;
  const nobody = sql<SqlBool>`false`;
  return {
    watcher: me !== null && ctx.has(may['chat.watch']),
    member: me === null ? nobody : isMember(me.imUserId),
    reads: ctx.has(may['visit.view']) ? sql<SqlBool>`(i.id is not null and ${seesVisit(ctx.staff)})` : nobody,
  };
}

interface OfPatient {
  groupId: string;
  groupName: string;
  kind: 'DOCTOR' | 'DESK';
  serverId: string | null;
  inquiryNo: string | null;
  serverStatus: ServerStatus | null;
  startSeq: string | null;
  lastMessageAt: string | null;
  canOpen: boolean;
}
/**
 * All inquiries of a patient with the group in which each was held: watchers see all, readers of visit records those of their scope,
 * members their own.
 */
const ofPatient: Handler = query(queryGroupsOfPatient, async ({ patientId }, ctx) => {
  const { watcher, member, reads } = await rightsOf(ctx);
  const ids = await idsOfPatient(ctx.db, patientId);
  const { rows } = await sql<OfPatient>`
    select g.group_id, g.name as group_name, g.kind, i.id as server_id, i.inquiry_no, i.server_status, i.start_seq, g.last_message_at,
        (${member} or ${watcher}) as can_open
      from consultation_medical_group g
      left join consultation_inquiry i on i.group_id = g.group_id and i.patient_id = any(${ids}::bigint[])
      left join consultation_doctor_place p on p.doctor_id = i.doctor_id
      where (i.id is not null or g.patient_id = any(${ids}::bigint[])) and (${watcher} or ${reads} or ${member})
      order by i.id desc nulls last, g.last_message_at desc nulls last limit 100`.execute(ctx.db);
  return rows;
});

const FOLLOW_UPS = 50;
type FollowUpRow = AnswerOf<typeof queryFollowUps>[number];
/** What was agreed and sent for the time after an inquiry: revisits, follow-up services, messages of the follow-up engine. */
const followUps: Handler = query(queryFollowUps, async ({ patientId }, ctx) => {
  const { watcher, member, reads } = await rightsOf(ctx);
  const ids = await idsOfPatient(ctx.db, patientId);
  const { rows } = await sql<FollowUpRow>`
    with held as (
      select i.*, g.conv_id, (${watcher} or ${member}) as can_open
        from consultation_inquiry i
        join consultation_medical_group g on g.group_id = i.group_id
        left join consultation_doctor_place p on p.doctor_id = i.doctor_id
        where i.patient_id = any(${ids}::bigint[]) and (${watcher} or ${member} or ${reads})
    ),
    told as (
      select 'REVISIT' as kind, (v.revisit_on::timestamp at time zone 'Asia/Shanghai') as at, '复诊' as title,
          case
            when exists (
              select from consultation_inquiry n
                where n.patient_id = any(${ids}::bigint[])
                  and n.doctor_id = h.doctor_id
                  and n.id > h.id
                  and n.server_status in ('1', '2', '3', '4')
            ) then 'DONE'
            when v.revisit_on < ${ctx.today}::date then 'MISSED'
            else 'DUE'
          end as state,
          h.doctor_name, h.id as server_id, h.inquiry_no, h.group_id, null::bigint as seq, h.can_open
        from held h
        join consultation_visit_record v on v.inquiry_id = h.id and v.current and v.state in ('CONFIRMED', 'ARCHIVED')
        where v.revisit_on is not null
      union all
      select 'SERVICE', coalesce(h.accepted_at, h.created_at), h.item_name, h.server_status, h.doctor_name, h.id, h.inquiry_no, h.group_id,
          null, h.can_open
        from held h
        where h.service_type = 'FOLLOW_UP'
      union all
      select 'MESSAGE', m.sent_at, coalesce(nullif(m.payload ->> 'description', ''), left(m.payload ->> 'text', 60), '[随访消息]'),
          case when p.read_seq >= m.seq then 'READ' else 'UNREAD' end, o.doctor_name, null, null, o.group_id, m.seq, o.can_open
        from (select distinct on (conv_id) conv_id, group_id, doctor_name, can_open from held order by conv_id, id desc) o
        join consultation_im_message m on m.conv_id = o.conv_id and m.source_ref like 'corpus:%' and m.revoked_at is null
        left join consultation_im_member p on p.conv_id = m.conv_id and p.user_role = 'PATIENT' and p.left_at is null
    )
    select kind, at, title, state, doctor_name, server_id, inquiry_no, group_id, seq::int as seq, can_open
      from told
      order by at desc, kind limit ${FOLLOW_UPS}`.execute(ctx.db);
  return rows;
});

export const ofPatientHandlers: readonly Handler[] = [ofPatient, followUps];

import { sql } from 'kysely';
import { counted, n, type Check } from './check.ts';

/** I5, I6, I9: groups, whom they belong to, and their rooms. */
export const groupChecks: readonly Check[] = [
  counted('会话有多个进行中问诊', () =>
    n(
      sql`
        select 1
          from consultation_inquiry i
          where i.group_id is not null and i.server_status in ('1', '2', '3')
          group by i.group_id
          having count(*) > 1`,
    ),
  ),
  counted('会话的当前问诊不符', () =>
    n(sql`
      select 1
        from consultation_medical_group g
        left join consultation_inquiry i on i.group_id = g.group_id and i.server_status in ('1', '2', '3')
        where g.current_inquiry_id is distinct from i.id`),
  ),
  counted('责任医助与接待状态不符', () =>
    n(sql`select 1 from consultation_medical_group g where (g.owner_assistant_id is not null) <> (g.work_state in ('SERVING', 'SNOOZED'))`),
  ),
  counted('责任医助不在会话中', () =>
    n(sql`
      select 1 from consultation_medical_group g join consultation_assistant_duty d on d.assistant_id = g.owner_assistant_id
       where not exists (
         select from consultation_im_member m where m.conv_id = g.conv_id and m.im_user_id = 'A' || d.operator_id and m.left_at is null
       )`),
  ),
  counted('医患群缺少成员', () =>
    n(sql`
      select 1
        from consultation_medical_group g
        left join consultation_bind_copy b on b.doctor_id = g.doctor_id and b.role = 'PRIMARY'
        left join consultation_assistant_duty d on d.assistant_id = b.assistant_id
        cross join lateral unnest(
          array['P' || g.sufferer_operator_id, 'D' || g.doctor_operator_id, 'A' || d.operator_id]
        ) as wanted (im_user_id)
        where g.kind = 'DOCTOR'
          and g.archived_at is null
          and wanted.im_user_id is not null
          and not exists (
            select from consultation_im_member m where m.conv_id = g.conv_id and m.im_user_id = wanted.im_user_id and m.left_at is null
          )`),
  ),
  counted('会话有多个进行中通话', () =>
    n(sql`select 1 from consultation_video_room r where r.state in ('CALLING', 'IN_CALL') group by r.conv_id having count(*) > 1`),
  ),
];

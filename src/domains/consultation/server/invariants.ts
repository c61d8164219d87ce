/** Statements that count rows which break a rule (consultation.md I1-I12, as far as one statement can tell); I2 and I3 are about what happens, and tested there. */
export const consultationInvariants: readonly (readonly [name: string, statement: string])[] = [
  ['消息序号不连续', `select count(*)::int as n from consultation_im_conversation c left join (select conv_id, count(*) as total, max(seq) as last, min(seq) as first from consultation_im_message group by conv_id) m on m.conv_id = c.conv_id
     where c.last_seq <> coalesce(m.last, 0) or coalesce(m.total, 0) <> c.last_seq or coalesce(m.first, 1) <> 1`],
  ['事件序号不连续', `select count(*)::int as n from (select im_user_id, count(*) as total, max(event_seq) - min(event_seq) + 1 as span, max(event_seq) as last from consultation_im_event group by im_user_id) e join consultation_im_user u on u.im_user_id = e.im_user_id where e.total <> e.span or e.last <> u.last_event_seq`],
  ['已读位置超出', 'select count(*)::int as n from consultation_im_member m join consultation_im_conversation c on c.conv_id = m.conv_id where m.read_seq > c.last_seq'],
  ['成员角色与账号不符', `select count(*)::int as n from consultation_im_member where left(im_user_id, 1) <> left(user_role, 1)`],
  ['会话类型与编号不符', `select count(*)::int as n from consultation_medical_group where (kind = 'DOCTOR') <> (group_id like 'YH%')`],
  ['进行中的问诊多于一个', `select count(*)::int as n from (select group_id from consultation_inquiry where server_status in ('1', '2', '3') group by group_id having count(*) > 1) x`],
  ['当前问诊不符', `select count(*)::int as n from consultation_medical_group g where g.current_inquiry_id is distinct from (select i.id from consultation_inquiry i where i.group_id = g.group_id and i.server_status in ('1', '2', '3'))`],
  ['责任医助与接待状态不符', `select count(*)::int as n from consultation_medical_group where (owner_assistant_id is not null) <> (work_state in ('SERVING', 'SNOOZED'))`],
  ['责任医助不在会话中', `select count(*)::int as n from consultation_medical_group g join consultation_assistant_duty d on d.assistant_id = g.owner_assistant_id
     where not exists (select 1 from consultation_im_member m where m.conv_id = g.conv_id and m.im_user_id = 'A' || d.operator_id and m.left_at is null)`],
  ['医患群缺少成员', `select count(*)::int as n from consultation_medical_group g left join consultation_bind_copy b on b.doctor_id = g.doctor_id and b.role = 'PRIMARY' left join consultation_assistant_duty d on d.assistant_id = b.assistant_id
     where g.kind = 'DOCTOR' and g.current_inquiry_id is not null and exists (select 1 from unnest(array['P' || g.sufferer_operator_id, 'D' || g.doctor_operator_id, 'A' || d.operator_id]) v (id)
       where v.id is not null and not exists (select 1 from consultation_im_member m where m.conv_id = g.conv_id and m.im_user_id = v.id and m.left_at is null))`],
  ['已结算问诊未完成订单', `select count(*)::int as n from consultation_inquiry i where i.server_status = '4' and i.settled_at is not null and (select count(*) from doctor_consult_step s where s.order_id = i.order_id and s.step = 'COMPLETE') <> 1`],
  ['关闭的问诊未退款', `select count(*)::int as n from consultation_inquiry i where i.server_status in ('5', '6', '7') and i.group_id is not null and i.fee_fen > 0 and i.refund_state = 'NONE'
     and (select count(*) from doctor_consult_step s where s.order_id = i.order_id and s.step in ('NO_ACCEPT', 'NO_REPLY', 'DOCTOR_REFUSE', 'PATIENT')) <> 1`],
  ['问诊与咨询订单状态不符', `select count(*)::int as n from consultation_inquiry i join doctor_consult_order o on o.id = i.order_id
     where (i.server_status = '1' and o.state <> 'PAID') or (i.server_status in ('2', '3') and o.state not in ('SERVING', 'REFUNDING')) or (i.server_status = '0' and o.state <> 'WAIT_PAY')`],
  ['会话中视频多于一个', `select count(*)::int as n from (select conv_id from consultation_video_room where state in ('CALLING', 'IN_CALL') group by conv_id having count(*) > 1) x`],
  ['归档文件与校验值不符', `select count(*)::int as n from consultation_visit_record r where r.state = 'ARCHIVED' and not exists (select 1 from files_file_object f where f.id = r.archived_file_id and f.sha256 = r.sha256)`],
  ['轮次与消息不符', `with said as (
      select i.id, m.seq, left(m.sender_id, 1) as who from consultation_inquiry i join consultation_medical_group g on g.group_id = i.group_id
        join consultation_im_message m on m.conv_id = g.conv_id and m.seq >= i.start_seq and m.seq <= coalesce(i.end_seq, 9000000000000000000) and m.sender_id <> 'SYSTEM' and not m.auto where i.start_seq is not null
    ), rounds as (
      select id, count(*) filter (where who = 'D') as replies, count(*) filter (where who = 'D' and before_it = 'P') as used from (
        select id, who, lag(who) over (partition by id order by seq) as before_it from said where who in ('P', 'D')) x group by id)
    select count(*)::int as n from consultation_inquiry i left join rounds r on r.id = i.id where i.start_seq is not null and (i.round_used <> coalesce(r.used, 0) or i.doctor_reply_count <> coalesce(r.replies, 0))`],
];

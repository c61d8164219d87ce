import { sql } from 'kysely';
import { imModeOf } from '../tencent/mode.ts';
import { counted, n, type Check } from './check.ts';

/** I1-I4: the message store. Numbers of the vendor's mode are the vendor's; its own job compares them (I11). */
export const storeChecks: readonly Check[] = [
  {
    name: '消息序号不连续',
    async broken(look) {
      if (imModeOf(look.kernel) === 'TENCENT') return 0;
      return counted('', ({ since }) =>
        n(sql`
          select 1
            from consultation_im_conversation c
            cross join lateral (
              select count(*) as messages, coalesce(max(m.seq), 0) as highest from consultation_im_message m where m.conv_id = c.conv_id
            ) s
            where (c.last_message_at is null or c.last_message_at > ${since}) and (s.messages <> c.last_seq or s.highest <> c.last_seq)`),
      ).broken(look);
    },
  },
  counted('账号事件序号不连续', () =>
    n(sql`
      select 1
        from (
          select e.im_user_id, count(*) as events, min(e.event_seq) as lowest, max(e.event_seq) as highest
            from consultation_im_event e
            group by e.im_user_id
        ) e
        join consultation_im_user u on u.im_user_id = e.im_user_id
        where e.events <> e.highest - e.lowest + 1 or e.highest <> u.last_event_seq`),
  ),
  counted('已读位置超出会话', () =>
    n(
      sql`
        select 1 from consultation_im_member m join consultation_im_conversation c on c.conv_id = m.conv_id where m.read_seq > c.last_seq`,
    ),
  ),
  counted('成员角色与账号不符', () =>
    n(sql`
      select 1
        from consultation_im_member m
        where m.user_role is distinct from case left(m.im_user_id, 1)
          when 'P' then 'PATIENT'
          when 'D' then 'DOCTOR'
          when 'A' then 'ASSISTANT'
        end`),
  ),
  counted('会话类型与编号不符', () =>
    n(
      sql`
        select 1
          from consultation_medical_group g
          where (g.kind = 'DOCTOR') <> (g.group_id like 'YH%') or (g.kind = 'DESK') <> (g.group_id like 'DZT%')`,
    ),
  ),
];

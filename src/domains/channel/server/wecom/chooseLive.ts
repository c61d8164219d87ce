import { sql } from 'kysely';
import { dayOf } from '../../../../kernel/contract/time.ts';
import type { ChooseLive } from '../landing/record.ts';
import { chooseMember, type LiveCandidate, type Strategy } from './choose.ts';

/** Chooses and counts under the lock of the live code's row, so that parallel scans are shared out fairly. */
export const chooseLive: ChooseLive = async (tx, codeId, visitorId, now) => {
  const { rows: codes } = await sql<{
    id: string;
    strategy: Strategy;
    offHoursText: string;
  }>`select id, strategy, off_hours_text from channel_live_code where code_id = ${codeId} and state = 'ACTIVE' for update`.execute(tx);
  const code = codes[0];
  if (!code) return { liveMemberId: null, memberName: null, qrUrl: null, offHoursText: '' };
  const { rows } = await sql<LiveCandidate & { name: string; qrUrl: string | null }>`
    select m.id, m.member_id, w.name, w.status, w.can_contact, m.way_state, m.weight, m.daily_limit, m.spans, m.is_backup, m.last_shown_at,
        coalesce(d.shown, 0) as shown, coalesce(d.added, 0) as added, m.qr_url
      from channel_live_code_member m
      join channel_wecom_member w on w.id = m.member_id
      left join channel_live_member_day d on d.live_code_member_id = m.id and d.day = ${dayOf(now)}::date
      where m.live_code_id = ${code.id} and not m.removed
      order by m.id`.execute(tx);
  const { rows: earlier } =
    code.strategy === 'SAME'
      ? await sql<{ memberId: string }>`
        select member_id
          from channel_wecom_contact
          where visitor_id = ${visitorId} and status = 'ACTIVE'
          order by added_at desc limit 1`.execute(tx)
      : { rows: [] };
  const chosen = chooseMember(rows, code.strategy, now, earlier[0]?.memberId ?? null);
  if (!chosen) return { liveMemberId: null, memberName: null, qrUrl: null, offHoursText: code.offHoursText };
  await sql`update channel_live_code_member set last_shown_at = ${now} where id = ${chosen.id}`.execute(tx);
  await sql`
    insert into channel_live_member_day (live_code_member_id, day, shown)
      values (${chosen.id}, ${dayOf(now)}, 1)
      on conflict (live_code_member_id, day) do update
      set shown = channel_live_member_day.shown + 1`.execute(tx);
  const row = rows.find(({ id }) => id === chosen.id)!;
  return { liveMemberId: chosen.id, memberName: row.name, qrUrl: row.qrUrl, offHoursText: code.offHoursText };
};

import { sql } from 'kysely';
import { dayOf, plusDays, startOfDay, type Instant } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';
import { sumDays } from '../scans/sums.ts';

const SCANS = 45_000;
const DAYS = 90;

/** 45,000 scans over 90 days, more by day than by night and on workdays, with all results; registrations and orders that follow. */
export async function writeScans(tx: Tx, now: Instant): Promise<void> {
  await sql`
    insert into channel_qr_scan (
      code_id, token, channel_id, agent_id, scene_code_id, doctor_id, at, visitor_id, ip_hash, client, os, is_new, counted, result
    )
      select c.id, coalesce(c.token, '0000000000'), c.channel_id, c.agent_id, c.scene_code_id, c.doctor_id, s.at, s.visitor,
          md5('ip' || s.n % 4000), s.client, s.os, s.n % 3 <> 0 and s.result = 'OK', s.result = 'OK', s.result
        from (
          select n, (1 + (n::bigint * 7919) % (select count(*) from channel_qr_code)) as place,
              ${now}::timestamptz - interval '1 hour' - (((n::bigint * 104729) % ${DAYS}) || ' days')::interval - (
                (power(((n::bigint * 31) % 1000) / 1000.0, 1.6) * 14 * 3600)::int || ' seconds'
              )::interval as at,
              substr(md5('v' || (n::bigint * 17) % 21000), 1, 22) as visitor,
              (array['WECHAT', 'WECHAT', 'WECHAT', 'WECHAT', 'WECOM', 'ALIPAY', 'BROWSER', 'BROWSER'])[1 + n % 8] as client,
              (array['iOS', 'Android', 'Android', 'Android', 'Windows'])[1 + n % 5] as os,
              case
                when n % 60 = 7 then 'BOT'
                when n % 70 = 9 then 'THROTTLED'
                when n % 90 = 11 then 'EXPIRED'
                when n % 110 = 13 then 'DISABLED'
                when n % 130 = 17 then 'LIMIT'
                when n % 300 = 19 then 'NOT_STARTED'
                else 'OK'
              end as result
            from generate_series(1, ${SCANS}::int) n
        ) s
        join (
          select q.id, q.token, q.channel_id, ch.agent_id, x.id as scene_code_id, x.doctor_id, row_number() over (order by q.id) as place
            from channel_qr_code q
            join channel_channel ch on ch.id = q.channel_id
            left join channel_scene_code x on x.code_id = q.id
        ) c on c.place = s.place`.execute(tx);
  await sql`
    insert into channel_scan_conversion (kind, subject_key, scan_id, code_id, channel_id, amount_fen, match, at)
    select case when n % 10 = 0 then 'REGISTER_DOCTOR' else 'REGISTER_PATIENT' end, 'demo' || n, id, code_id, channel_id, 0, 'EXACT', at
    from (select s.*, row_number() over (order by md5(s.id::text)) as n from channel_qr_scan s where s.counted) r where n <= 2000`.execute(
    tx,
  );
  await sql`
    insert into channel_scan_conversion (kind, subject_key, scan_id, code_id, channel_id, amount_fen, match, at)
      select k.kind, 'demo' || k.kind || v.id, v.scan_id, v.code_id, v.channel_id, 9900, 'EXACT', v.at
        from (select * from channel_scan_conversion where kind = 'REGISTER_PATIENT' order by id limit 600) v
        cross join (values ('ORDER'), ('FIRST_ORDER')) k(kind)`.execute(tx);
  await sql`
    update channel_qr_code q
      set ok_count = n.n, last_scan_at = n.last
      from (select code_id, count(*)::int as n, max(at) as last from channel_qr_scan where result = 'OK' group by 1) n
      where n.code_id = q.id`.execute(tx);
  await sql`
    update channel_channel c
      set doctor_count = n.doctors, patient_count = n.patients, order_count = n.orders, order_fen = n.fen
      from (
        select channel_id, count(*) filter (where kind = 'REGISTER_DOCTOR')::int as doctors,
            count(*) filter (where kind = 'REGISTER_PATIENT')::int as patients, count(*) filter (where kind = 'ORDER')::int as orders,
            coalesce(sum(amount_fen) filter (where kind = 'ORDER'), 0) as fen
          from channel_scan_conversion
          group by 1
      ) n
      where n.channel_id = c.id`.execute(tx);
  await keepOldAgent(tx, now);
  const today = dayOf(now);
  await sumDays(tx, plusDays(today, -DAYS), today);
}

/** A representative who left handed a channel over on his last day: scans of before keep his name. */
async function keepOldAgent(tx: Tx, now: Instant): Promise<void> {
  const day = plusDays(dayOf(now), -20);
  const { rows } = await sql<{ channelId: string; fromId: string }>`
    with moved as (
      select c.id, c.agent_id, (select a.id from pharma_agent a where a.state = 'LEFT' order by a.id limit 1) as from_id
        from channel_channel c
        where c.agent_id is not null and c.depth = 3
        order by c.id limit 1
    )
    insert into channel_handover (handover_no, from_agent_id, to_agent_id, channel_ids, effective_on, applied_at)
    select 'JJ' || to_char(${day}::date, 'YYYYMMDD') || '000001', from_id, agent_id, array[id], ${day}::date,
        ${startOfDay(day)}::timestamptz
      from moved
      where from_id is not null
      returning channel_ids[1]::text as channel_id, from_agent_id::text as from_id`.execute(tx);
  for (const { channelId, fromId } of rows)
    await sql`
      update channel_qr_scan set agent_id = ${fromId} where channel_id = ${channelId} and at < ${startOfDay(day)}::timestamptz`.execute(tx);
}

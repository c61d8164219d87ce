import { sql } from 'kysely';
import { daysBetween, plusDays, startOfDay, type Day } from '#kernel/contract/time.ts';
import { lockKeys } from '#kernel/server/command/lockKeys.ts';
import type { Tx } from '#kernel/server/context.ts';

const dayOfRow = sql`(at at time zone 'Asia/Shanghai')::date`;

/** Makes the sums of some days again, per code and per channel, from scans and conversions; the counters of the codes after it. */
export async function sumDays(tx: Tx, first: Day, last: Day): Promise<void> {
  // Two nodes that sum the same days wait for each other.
  const days = Array.from({ length: daysBetween(first, last) + 1 }, (_, n) => plusDays(first, n));
  await lockKeys(tx, 'channel.sumDay', days);
  const within = sql`at >= ${startOfDay(first)}::timestamptz and at < ${startOfDay(plusDays(last, 1))}::timestamptz`;
  for (const [table, key] of [
    ['channel_qr_scan_daily', 'code_id'],
    ['channel_daily', 'channel_id'],
  ] as const) {
    const id = sql.ref(key);
    const extra = key === 'code_id' ? sql`, channel_id` : sql``;
    const extraValue = key === 'code_id' ? sql`, (select q.channel_id from channel_qr_code q where q.id = k.id)` : sql``;
    await sql`delete from ${sql.table(table)} where day between ${first}::date and ${last}::date`.execute(tx);
    await sql`
      insert into ${sql.table(table)} (${id}, day ${extra}, pv, uv, new_uv, registered, contacts, orders, pay_fen)
        select k.id, k.day ${extraValue}, coalesce(s.pv, 0), coalesce(s.uv, 0), coalesce(s.new_uv, 0), coalesce(v.registered, 0),
            coalesce(v.contacts, 0), coalesce(v.orders, 0), coalesce(v.pay_fen, 0)
          from (
            select ${id} as id, ${dayOfRow} as day
              from channel_qr_scan
              where counted and ${within}
            union
            select ${id}, ${dayOfRow}
              from channel_scan_conversion
              where ${id} is not null and ${within}
          ) k
          left join (
            select ${id} as id, ${dayOfRow} as day, count(*)::int as pv, count(distinct visitor_id)::int as uv,
                count(distinct visitor_id) filter (where is_new)::int as new_uv
              from channel_qr_scan
              where counted and ${within}
              group by 1, 2
          ) s on s.id = k.id
            and s.day = k.day
          left join (
            select ${id} as id, ${dayOfRow} as day,
                count(*) filter (where kind in ('REGISTER_DOCTOR', 'REGISTER_PATIENT'))::int as registered,
                count(*) filter (where kind = 'ADD_CONTACT')::int as contacts, count(*) filter (where kind = 'ORDER')::int as orders,
                coalesce(sum(amount_fen) filter (where kind = 'ORDER'), 0)::bigint as pay_fen
              from channel_scan_conversion
              where ${within}
              group by 1, 2
          ) v on v.id = k.id
            and v.day = k.day
          where k.id is not null`.execute(tx);
  }
  await sql`
    update channel_qr_code q
      set pv = n.pv, uv = n.uv
      from (
        select s.code_id, count(*)::int as pv, count(distinct s.visitor_id)::int as uv
          from channel_qr_scan s
          where s.counted and s.code_id in (select code_id from channel_qr_scan_daily where day between ${first}::date and ${last}::date)
          group by 1
      ) n
      where n.code_id = q.id and (q.pv, q.uv) is distinct from (n.pv, n.uv)`.execute(tx);
  await sql`delete from channel_dirty_day where day between ${first}::date and ${last}::date`.execute(tx);
}

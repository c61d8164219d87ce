import { sql } from 'kysely';
import { refuse, refuseField } from '#kernel/contract/errors.ts';
import { daysBetween, plusDays, startOfDay, type Day } from '#kernel/contract/time.ts';
import type { AnswerOf, CheckedInputOf } from '#kernel/contract/call.ts';
import type { Db } from '#kernel/server/context.ts';
import type { queryChannelStat } from '../../contract/calls/channels.ts';
import type { Series } from '../../contract/calls/shared.ts';
import { channelErrors } from '../../contract/errors.ts';
import { seesChannel, type Viewer } from '../access.ts';

const LONGEST = 366;

/** @throws Refusal SCM08017 above 366 days; SCM90020 when the period is upside down. */
export function requirePeriod({ from, to }: { from: Day; to: Day }): void {
  if (to < from) throw refuseField('to', '结束日期不能早于开始日期');
  if (daysBetween(from, to) + 1 > LONGEST) throw refuse(channelErrors.PERIOD_TOO_LONG);
}

/** Daily sums with a point for every day of the period. */
export async function dailySeries(
  db: Db,
  where: 'channel' | 'code',
  ids: readonly string[],
  period: { from: Day; to: Day },
): Promise<Series> {
  const table = sql.table(where === 'channel' ? 'channel_daily' : 'channel_qr_scan_daily');
  const { rows } = await sql<Series[number]>`
    select to_char(g, 'YYYY-MM-DD') as key, to_char(g, 'MM-DD') as label, coalesce(sum(d.pv), 0)::int as pv,
        coalesce(sum(d.uv), 0)::int as uv, coalesce(sum(d.new_uv), 0)::int as new_uv, coalesce(sum(d.registered), 0)::int as registered,
        coalesce(sum(d.contacts), 0)::int as contacts, coalesce(sum(d.orders), 0)::int as orders,
        coalesce(sum(d.pay_fen), 0)::text as pay_fen
      from generate_series(${period.from}::timestamp, ${period.to}::timestamp, interval '1 day') g
      left join ${table} d on d.day = g::date and d.${sql.ref(where === 'channel' ? 'channel_id' : 'code_id')} = any(${[...ids]}::bigint[])
      group by g
      order by g`.execute(db);
  return rows;
}

const grouped = {
  CHANNEL: { join: sql`join channel_channel n on n.id = d.channel_id`, key: sql`d.channel_id`, label: sql`n.name` },
  CODE: { join: sql`join channel_qr_code n on n.id = d.code_id`, key: sql`d.code_id`, label: sql`n.name` },
  DOCTOR: {
    join: sql`
      join channel_scene_code x on x.code_id = d.code_id left join channel_ref_copy n on n.kind = 'DOCTOR' and n.ref_id = x.doctor_id`,
    key: sql`coalesce(x.doctor_id, 0)`,
    label: sql`coalesce(n.name, '未指定医生')`,
  },
} as const;

/** Numbers of several channels over a period, by day, channel, code or doctor, with the funnel from scan to first order. */
export async function channelStat(
  db: Db,
  viewer: Viewer,
  input: CheckedInputOf<typeof queryChannelStat>,
): Promise<AnswerOf<typeof queryChannelStat>> {
  requirePeriod(input);
  const { from, to, groupBy } = input;
  const seen = await sql<{
    id: string;
  }>`select c.id from channel_channel c where c.id = any(${input.channelIds}::bigint[]) and ${seesChannel(viewer)}`.execute(db);
  const ids = seen.rows.map(({ id }) => id);
  const begin = startOfDay(from);
  const end = startOfDay(plusDays(to, 1));
  let series: Series;
  if (groupBy === 'DAY') series = await dailySeries(db, 'channel', ids, { from, to });
  else {
    const { join, key, label } = grouped[groupBy];
    const { rows } = await sql<Series[number]>`
      select ${key}::text as key, ${label} as label, sum(d.pv)::int as pv, sum(d.uv)::int as uv, sum(d.new_uv)::int as new_uv,
          sum(d.registered)::int as registered, sum(d.contacts)::int as contacts, sum(d.orders)::int as orders,
          sum(d.pay_fen)::text as pay_fen
        from channel_qr_scan_daily d ${join}
        where d.channel_id = any(${ids}::bigint[]) and d.day between ${from}::date and ${to}::date
        group by 1, 2
        order by sum(d.pv) desc limit 100`.execute(db);
    series = rows;
  }
  return { series, funnel: await funnelOf(db, ids, begin, end) };
}

/** 扫码 → 注册 → 首单, in people. */
export async function funnelOf(
  db: Db,
  channelIds: readonly string[],
  begin: string,
  end: string,
): Promise<{ label: string; value: number }[]> {
  const { rows } = await sql<{ visitors: number; registered: number; firstOrders: number }>`
    select (
      select count(distinct visitor_id)::int
        from channel_qr_scan
        where channel_id = any(${[...channelIds]}::bigint[]) and counted and at >= ${begin}::timestamptz and at < ${end}::timestamptz
    ) as visitors,
        count(*) filter (where kind in ('REGISTER_DOCTOR', 'REGISTER_PATIENT'))::int as registered,
        count(*) filter (where kind = 'FIRST_ORDER')::int as first_orders
      from channel_scan_conversion
      where channel_id = any(${[...channelIds]}::bigint[]) and at >= ${begin}::timestamptz and at < ${end}::timestamptz`.execute(db);
  const { visitors, registered, firstOrders } = rows[0]!;
  return [
    { label: '扫码', value: visitors },
    { label: '注册', value: registered },
    { label: '首单', value: firstOrders },
  ];
}

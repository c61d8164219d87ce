import { sql, type RawBuilder } from 'kysely';
import { dayOf, days, plusMs, type Instant } from '#kernel/contract/time.ts';
import { job } from '#kernel/server/jobs/declaration.ts';
import { channelPermissions } from '../contract/permissions.ts';
import { readToken } from './codes/token.ts';

const LOOK_BACK_DAYS = 3;

/** What must never be found, as the number of rows that break it. */
const checks = (now: Instant): Readonly<Record<string, RawBuilder<{ n: number }>>> => {
  const since = plusMs(now, -days(LOOK_BACK_DAYS));
  return {
    VIP已用金额与明细不符: sql`select count(*)::int as n from channel_vip v where v.previous_vip_id is null
      and v.used_fen <> coalesce((
        select sum(case kind when 'RESERVE' then amount_fen else -amount_fen end) from channel_vip_usage u where u.vip_id = v.id
      ), 0)`,
    VIP月度已用与明细不符: sql`select count(*)::int as n from channel_vip_month m
      where m.used_fen <> coalesce((
        select sum(case kind when 'RESERVE' then amount_fen else -amount_fen end)
          from channel_vip_usage u
          where u.vip_id = m.vip_id and u.month = m.month
      ), 0)`,
    扫码统计与明细不符: sql`
      select count(*)::int as n
        from channel_qr_scan_daily d
        where d.day between ${dayOf(since)}::date and ${dayOf(plusMs(now, -days(1)))}::date
          and not exists (select from channel_dirty_day x where x.day = d.day)
          and (d.pv, d.uv) <> (
            select count(*)::int, count(distinct s.visitor_id)::int
              from channel_qr_scan s
              where s.code_id = d.code_id and s.counted and (s.at at time zone 'Asia/Shanghai')::date = d.day
          )`,
    扫码次数超过上限: sql`select count(*)::int as n from channel_qr_code where ok_count > scan_limit`,
    有效期外的成功扫码: sql`
      select count(*)::int as n
        from channel_qr_scan s
        join channel_qr_code q on q.id = s.code_id
        where s.at > ${since}::timestamptz and s.result = 'OK' and q.updated_at < s.at and (s.at < q.valid_from or s.at >= q.valid_to)`,
    转化早于扫码: sql`
      select count(*)::int as n
        from channel_scan_conversion v
        join channel_qr_scan s on s.id = v.scan_id
        where v.at > ${since}::timestamptz and v.at < s.at`,
    批次码数不符: sql`
      select count(*)::int as n
        from channel_qr_batch b
        where b.state = 'READY'
          and (b.quantity <> b.done or b.quantity <> (select count(*) from channel_qr_code q where q.batch_id = b.id))`,
    跳转域名未启用: sql`select count(*)::int as n from channel_qr_code q where q.state = 'ACTIVE' and q.target->>'url' is not null
      and not exists (
        select from channel_code_host h where h.enabled and h.host = lower(substring(q.target->>'url' from '^https://([^/?#]+)'))
      )`,
    活码展示次数不符: sql`select count(*)::int as n from channel_live_member_day d where d.day = ${dayOf(plusMs(now, -days(1)))}::date
      and d.shown <> (
        select count(*)
          from channel_qr_scan s
          where s.live_member_id = d.live_code_member_id and (s.at at time zone 'Asia/Shanghai')::date = d.day
      )`,
    // Somebody who left and came back on one day counts twice, so more is right.
    活码添加次数不符: sql`
      select count(*)::int as n
        from channel_live_member_day d
        join channel_live_code_member m on m.id = d.live_code_member_id
        where d.day = ${dayOf(plusMs(now, -days(1)))}::date
          and d.added < (
            select count(*)
              from channel_wecom_contact t
              where t.live_code_id = m.live_code_id
                and t.member_id = m.member_id
                and t.way_key is not null
                and (t.added_at at time zone 'Asia/Shanghai')::date = d.day
          )`,
  };
};

/** Looks every night for what must not be; whatever is found becomes an alert. */
export const checkInvariants = job({
  name: 'channel.checkInvariants',
  label: '渠道数据核对',
  cron: '40 1 * * *',
  async run(_data, ctx) {
    const found: string[] = [];
    for (const [name, check] of Object.entries(checks(ctx.now))) {
      const { rows } = await check.execute(ctx.db);
      if (rows[0]!.n > 0) found.push(`${name}（${rows[0]!.n}条）`);
    }
    const { rows: tokens } = await sql<{
      token: string;
    }>`select token from channel_qr_code where created_at > ${plusMs(ctx.now, -days(2))}::timestamptz`.execute(ctx.db);
    const wrong = tokens.filter(({ token }) => readToken(token) !== token).length;
    if (wrong > 0) found.push(`码值校验位错误（${wrong}条）`);
    if (found.length === 0) return;
    await ctx.transaction(({ tx }) =>
      ctx.kernel.ports.notices.addAlert(
        tx,
        {
          businessKey: `channel.invariants.${dayOf(ctx.now)}`,
          title: '渠道数据核对发现异常',
          body: found.join('；'),
          link: '/commonQRcode',
          permission: channelPermissions['channel.edit'].code,
        },
        ctx.now,
      ),
    );
  },
});

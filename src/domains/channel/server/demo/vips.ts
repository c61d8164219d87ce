import { sql } from 'kysely';
import { dayOf, plusDays, plusMs, days, type Instant } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';

// Used shares of the budget in percent; the second row stands at 96 %.
const ROWS = [
  ['DRAFT', 0],
  ['ACTIVE', 96],
  ['PENDING', 0],
  ['WAITING', 0],
  ['SUSPENDED', 40],
  ['REJECTED', 0],
  ['EXPIRED', 88],
  ['TERMINATED', 25],
] as const;
const LEVELS = ['GOLD', 'PLATINUM', 'DIAMOND'];

const ORDERS = 20;

/** Eight VIP rows, one in each state. */
export async function writeVips(tx: Tx, now: Instant): Promise<void> {
  const today = dayOf(now);
  const month = today.slice(0, 7);
  const { rows: channels } = await sql<{
    id: string;
  }>`select id from channel_channel where depth = 2 and state = 'ENABLED' order by id limit 8`.execute(tx);
  const { rows: people } = await sql<{
    id: string;
  }>`select id from identity_staff_user order by (user_name = 'chan_ops') desc, id limit 1`.execute(tx);
  for (const [index, [state, percent]] of ROWS.entries()) {
    const total = 1_000_000;
    const used = total * (percent / 100);
    const [start, end] = state === 'WAITING' ? [5, 370] : state === 'EXPIRED' ? [-400, -5] : [-60, 300];
    const { rows } = await sql<{ id: string }>`
      insert into channel_vip (
        vip_no, channel_id, level, sponsor_name, default_discount_bp, item_discounts, priority_accept_min, patient_quota,
        monthly_budget_fen, total_budget_fen, used_fen, start_date, end_date, state, maker_id, created_at, updated_at
      )
        values (
          ${await nextNumber(tx, 'VP', today)}, ${channels[index]!.id}, ${LEVELS[index % 3]}, ${index % 2 ? '康桥药业' : '恒泰医药'}, ${1_250},
          '[{"itemId":"1","discountBp":1250},{"itemId":"3","discountBp":2000}]', ${30}, ${index === 1 ? 200 : null}, ${total}, ${total},
          ${used}, ${plusDays(today, start)}, ${plusDays(today, end)}, ${state}, ${people[0]?.id ?? null}, ${plusMs(now, -days(70))}, ${now}
        )
        returning id`.execute(tx);
    if (used === 0) continue;
    await sql`insert into channel_vip_month (vip_id, month, used_fen) values (${rows[0]!.id}, ${month}, ${used})`.execute(tx);
  }
}

/** The orders behind what was used. */
export async function writeUsages(tx: Tx, now: Instant): Promise<void> {
  await sql`
    insert into channel_vip_usage (vip_id, order_id, kind, amount_fen, month, doctor_name, at)
    select v.id, o.id, 'RESERVE', v.used_fen / ${ORDERS}::int, m.month, o.doctor_name, ${now}::timestamptz - o.n * interval '6 hours'
    from channel_vip v join channel_vip_month m on m.vip_id = v.id
      cross join (
        select c.id, d.name as doctor_name, row_number() over (order by c.id) as n
          from doctor_consult_order c
          join doctor_doctor d on d.id = c.doctor_id
          order by c.id limit ${ORDERS}
      ) o
    where v.used_fen > 0`.execute(tx);
}

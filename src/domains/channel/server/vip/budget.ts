import { sql } from 'kysely';
import { refuse } from '#kernel/contract/errors.ts';
import { dayOf, type Instant } from '#kernel/contract/time.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { channelErrors } from '../../contract/errors.ts';
import { own, ownTx } from '../database.ts';

export interface VipBenefit {
  vipId: string;
  discountBp: number;
  level: string;
}

/**
 * The benefit that an order of this channel has: of the channel's own active VIP or its nearest ancestor's.
 * With a patient quota the patient must be one of the members.
 */
export async function getVipBenefit(
  db: Db,
  order: { channelId: string; itemId: string; at: Instant; patientId?: string },
): Promise<VipBenefit | null> {
  const { rows } = await sql<VipBenefit & { patientQuota: number | null; isMember: boolean }>`
    select v.id as vip_id, v.level, v.patient_quota,
        coalesce((
          select (i->>'discountBp')::int from jsonb_array_elements(v.item_discounts) i where i->>'itemId' = ${order.itemId}
        ), v.default_discount_bp) as discount_bp,
        exists (select from channel_vip_member m where m.vip_id = v.id and m.patient_id = ${order.patientId ?? null}::bigint) as is_member
      from channel_channel c
      join channel_vip v on v.channel_id = any(c.path)
      join channel_channel o on o.id = v.channel_id
      where c.id = ${order.channelId} and v.state = 'ACTIVE' and ${dayOf(order.at)}::date between v.start_date and v.end_date
      order by o.depth desc limit 1`.execute(db);
  const best = rows[0];
  if (!best || (best.patientQuota !== null && !best.isMember)) return null;
  return { vipId: best.vipId, discountBp: best.discountBp, level: best.level };
}

/**
 * Takes a discount out of the VIP's budgets, in the caller's transaction. The rows are locked in one order (VIP, month), so
 * parallel orders wait for each other and can never pass a budget together.
 * @param amountFen discount in fen, above 0
 * @returns false when a budget has no room: the order goes on at full price (预算已用完).
 */
export async function reserveVip(
  tx: Tx,
  vipId: string,
  order: { orderId: string; amountFen: bigint; doctorName?: string },
  now: Instant,
): Promise<boolean> {
  const month = dayOf(now).slice(0, 7);
  const amount = String(order.amountFen);
  const vip = await ownTx(tx)
    .selectFrom('channelVip')
    .select(['state', 'usedFen', 'totalBudgetFen', 'monthlyBudgetFen'])
    .where('id', '=', vipId)
    .forUpdate()
    .executeTakeFirst();
  if (!vip || vip.state !== 'ACTIVE' || order.amountFen <= 0n) return false;
  const known = await ownTx(tx)
    .selectFrom('channelVipUsage')
    .select('id')
    .where('vipId', '=', vipId)
    .where('orderId', '=', order.orderId)
    .where('kind', '=', 'RESERVE')
    .executeTakeFirst();
  if (known) return true;
  await sql`insert into channel_vip_month (vip_id, month) values (${vipId}, ${month}) on conflict do nothing`.execute(tx);
  const used = await ownTx(tx)
    .selectFrom('channelVipMonth')
    .select('usedFen')
    .where('vipId', '=', vipId)
    .where('month', '=', month)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const fitsTotal = BigInt(vip.usedFen) + order.amountFen <= BigInt(vip.totalBudgetFen);
  const fitsMonth = vip.monthlyBudgetFen === null || BigInt(used.usedFen) + order.amountFen <= BigInt(vip.monthlyBudgetFen);
  if (!fitsTotal || !fitsMonth) return false;
  await sql`update channel_vip set used_fen = used_fen + ${amount}::bigint where id = ${vipId}`.execute(tx);
  await sql`update channel_vip_month set used_fen = used_fen + ${amount}::bigint where vip_id = ${vipId} and month = ${month}`.execute(tx);
  await ownTx(tx)
    .insertInto('channelVipUsage')
    .values({ vipId, orderId: order.orderId, kind: 'RESERVE', amountFen: amount, month, doctorName: order.doctorName ?? null, at: now })
    .execute();
  return true;
}

/** Gives a discount back when its order closes or is refunded in full, once, in the month it was taken from. */
export async function releaseVip(tx: Tx, orderId: string, now: Instant): Promise<void> {
  const taken = await ownTx(tx)
    .selectFrom('channelVipUsage')
    .select('vipId')
    .where('orderId', '=', orderId)
    .where('kind', '=', 'RESERVE')
    .execute();
  for (const { vipId } of taken) {
    await ownTx(tx).selectFrom('channelVip').select('id').where('id', '=', vipId).forUpdate().executeTakeFirstOrThrow();
    const { rows } = await sql<{ amountFen: string; month: string }>`
      insert into channel_vip_usage (vip_id, order_id, kind, amount_fen, month, doctor_name, at)
        select vip_id, order_id, 'RELEASE', amount_fen, month, doctor_name, ${now}
          from channel_vip_usage
          where vip_id = ${vipId} and order_id = ${orderId} and kind = 'RESERVE'
          on conflict do nothing
          returning amount_fen, month`.execute(tx);
    const released = rows[0];
    if (!released) continue;
    await sql`update channel_vip set used_fen = used_fen - ${released.amountFen}::bigint where id = ${vipId}`.execute(tx);
    await sql`
      update channel_vip_month
        set used_fen = used_fen - ${released.amountFen}::bigint
        where vip_id = ${vipId} and month = ${released.month}`.execute(tx);
  }
}

/**
 * Takes a patient into the VIP of a channel, first come first served, under the row's lock.
 * @throws Refusal SCM08024 when the quota is full.
 */
export async function joinVip(tx: Tx, vipId: string, member: { patientId: string; scanId: string | null }, now: Instant): Promise<void> {
  const vip = await ownTx(tx).selectFrom('channelVip').select('patientQuota').where('id', '=', vipId).forUpdate().executeTakeFirstOrThrow();
  const known = await ownTx(tx)
    .selectFrom('channelVipMember')
    .select('patientId')
    .where('vipId', '=', vipId)
    .where('patientId', '=', member.patientId)
    .executeTakeFirst();
  if (known) return;
  if (vip.patientQuota !== null) {
    const { n } = await ownTx(tx)
      .selectFrom('channelVipMember')
      .select(sql<number>`count(*)::int`.as('n'))
      .where('vipId', '=', vipId)
      .executeTakeFirstOrThrow();
    if (n >= vip.patientQuota) throw refuse(channelErrors.QUOTA_FULL);
  }
  await ownTx(tx)
    .insertInto('channelVipMember')
    .values({ vipId, ...member, joinedAt: now })
    .execute();
}

/** The active VIP of a channel or its nearest ancestor, for somebody who comes by one of its codes. */
export async function activeVipOf(db: Db, channelId: string): Promise<string | null> {
  const row = await own(db)
    .selectFrom('channelVip as v')
    .innerJoin('channelChannel as o', 'o.id', 'v.channelId')
    .select('v.id')
    .where('v.state', '=', 'ACTIVE')
    .where(sql<boolean>`v.channel_id = any(select unnest(path) from channel_channel where id = ${channelId})`)
    .orderBy('o.depth', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

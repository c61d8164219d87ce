import { sql } from 'kysely';
import { days, daysBetween, dayOf, hours, plusMs, showInstant } from '#kernel/contract/time.ts';
import type { TypedFacts } from '#kernel/contract/rules/groups.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { getBaseInfo } from '#domains/patient/server/index.ts';
import { linesOf, type OrderRecord } from '../orders/access.ts';

const truth = (held: boolean) => (held ? '1' : '0');
const PROVINCE_DIGITS = 2;

interface History {
  earlier: number;
  lastSame: string | null;
  sameGoods: number;
  sameAddress: number;
  sameMobile: number;
  otherPatients: number;
}
/** What else was ordered before it: orders that were cancelled do not count. */
async function historyOf(db: Db | Tx, order: OrderRecord, goodsCodes: readonly string[]): Promise<History> {
  const dayBefore = plusMs(order.createdAt, -hours(24));
  const monthBefore = plusMs(order.createdAt, -days(30));
  const { rows } = await sql<History>`
    select (
        select count(*)::int from order_order o where o.patient_id = ${order.patientId} and o.id < ${order.id} and o.state <> 'CANCELLED'
      ) as earlier,
      to_char((
        select max(o.created_at)
          from order_order o
          join order_line l on l.order_id = o.id
          where o.patient_id = ${order.patientId} and o.id < ${order.id} and o.state <> 'CANCELLED' and l.goods_code = any(${goodsCodes})
      ) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as last_same,
      (
        select coalesce(sum(l.quantity), 0)::int
          from order_order o
          join order_line l on l.order_id = o.id
          where o.patient_id = ${order.patientId} and o.id < ${order.id} and o.state <> 'CANCELLED' and l.goods_code = any(${goodsCodes})
            and o.created_at >= ${monthBefore}
      ) as same_goods,
      (
        select count(*)::int
          from order_order o
          where o.address_hash = ${order.addressHash} and o.id < ${order.id} and o.state <> 'CANCELLED' and o.created_at >= ${dayBefore}
      ) as same_address,
      (
        select count(*)::int
          from order_order o
          where o.buyer_mobile_hash = ${order.buyerMobileHash} and o.id < ${order.id} and o.state <> 'CANCELLED'
            and o.created_at >= ${dayBefore}
      ) as same_mobile,
      (
        select count(distinct o.patient_id)::int
          from order_order o
          where o.address_hash = ${order.addressHash} and o.id < ${order.id} and o.state <> 'CANCELLED'
            and o.patient_id <> ${order.patientId} and o.created_at >= ${monthBefore}
      ) as other_patients`.execute(db);
  return rows[0]!;
}

/** What rules may ask of an order, as it stood when it was placed; null: nobody knows. */
export async function factsOf(db: Db | Tx, order: OrderRecord): Promise<TypedFacts> {
  const lines = await linesOf(db, order.id);
  const goodsCodes = [...new Set(lines.map(({ goodsCode }) => goodsCode))];
  const history = await historyOf(db, order, goodsCodes);
  const { age } = await getBaseInfo(db, order.patientId, order.createdAt);
  return {
    payableFen: order.payableFen,
    selfPayFen: order.selfPayFen,
    pieces: String(lines.reduce((sum, { quantity }) => sum + quantity, 0)),
    goodsCodes,
    bizLine: order.bizLine,
    orderType: order.orderType,
    productCode: order.productCode,
    provinceCode: order.adcode === null ? null : order.adcode.slice(0, PROVINCE_DIGITS).padEnd(order.adcode.length, '0'),
    coldChain: truth(lines.some(({ coldChain }) => coldChain)),
    rxRequired: truth(lines.some(({ rxRequired }) => rxRequired)),
    patientAge: age === null ? null : String(age),
    hourOfDay: String(Number(showInstant(order.createdAt).slice(11, 13))),
    isFirstOrder: truth(history.earlier === 0),
    daysSinceLastSameGoods: history.lastSame === null ? null : String(daysBetween(dayOf(history.lastSame), dayOf(order.createdAt))),
    sameGoods30d: String(history.sameGoods),
    orders24hSameAddress: order.addressHash === null ? null : String(history.sameAddress),
    orders24hSameMobile: String(history.sameMobile),
    patients30dSameAddress: order.addressHash === null ? null : String(history.otherPatients),
  };
}

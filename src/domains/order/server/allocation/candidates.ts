import { sql } from 'kysely';
import { plusDays, startOfDay, type Day, type Instant } from '#kernel/contract/time.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { distanceM } from '#domains/institution/contract/geometry.ts';
import { getDrugstores } from '#domains/institution/server/index.ts';
import { cityOf } from '../../contract/rules/city.ts';
import type { Candidate, Need, Offer } from '../../contract/rules/allocation.ts';
import { own } from '../database.ts';
import type { OrderRecord } from '../orders/access.ts';

interface At {
  now: Instant;
  today: Day;
}

/** What of an order still has no supplier: neither given to one nor refunded before it was sent. */
export async function needsOf(db: Db | Tx, orderId: string): Promise<Need[]> {
  const { rows } = await sql<Need>`
    select l.id as order_line_id, l.goods_code, l.cold_chain, l.quantity - l.allocated_qty - coalesce((
        select sum(r.quantity)
          from order_after_sale_line r
          join order_after_sale a on a.id = r.after_sale_id
          where r.order_line_id = l.id and a.reason_code = 'NOT_SHIPPED' and a.state not in ('REFUSED', 'CANCELLED')
      ), 0)::int as quantity
      from order_line l
      where l.order_id = ${orderId}
      order by l.line_no`.execute(db);
  return rows.filter(({ quantity }) => quantity > 0);
}

/** Holds the goods that an order may be given of, so that what is seen of them is still there when it is reserved. */
export const lockGoods = (tx: Tx, needs: readonly Need[]) =>
  own(tx)
    .selectFrom('orderSupplierGoods')
    .select('id')
    .where('goodsCode', 'in', ['', ...needs.map(({ goodsCode }) => goodsCode)])
    .orderBy('supplierId')
    .orderBy('medicineId')
    .forNoKeyUpdate()
    .execute();

/** A supplier's day ends at its hour: what comes later counts for the next one. */
function dayBegins(cutoff: string | null, { now, today }: At): Instant {
  if (cutoff === null) return startOfDay(today);
  const ends = startOfDay(today, cutoff);
  return now < ends ? startOfDay(plusDays(today, -1), cutoff) : ends;
}

const supplierRows = (db: Db | Tx, { now, today }: At, orderId: string) =>
  own(db)
    .selectFrom('orderSupplier as s')
    .select(['s.id', 's.supplierName', 's.drugstoreId', 's.status', 's.expireOn', 's.coldChainCapable', 's.dailyCapacity', 's.cutoffTime'])
    .select(['s.freightFirstFen', 's.freightStepFen', 's.freeShipFen'])
    .select([
      sql<boolean>`exists (
        select from order_supplier_pause p where p.supplier_id = s.id and p.from_at <= ${now} and p.to_at > ${now}
      )`.as('isPaused'),
      sql<boolean>`exists (
        select from order_fulfilment f
          where f.order_id = ${orderId} and f.supplier_id = s.id and f.reject_reason is not null and f.state in ('REJECTED', 'CANCELLED')
      )`.as('hasRefused'),
      sql<number>`(
        select count(*)::int
          from order_fulfilment f
          where f.supplier_id = s.id and f.created_at >= ${startOfDay(`${today.slice(0, 7)}-01`)} and f.state not in ('REJECTED', 'CANCELLED')
      )`.as('assignedThisMonth'),
    ])
    .orderBy('s.id')
    .execute();

/** Of regions that hold a place, the smallest one decides. */
function covers(regions: ReadonlyMap<string, boolean>, adcode: string): boolean {
  const within = [adcode, cityOf(adcode), `${adcode.slice(0, 2)}0000`];
  const smallest = within.find((region) => regions.has(region));
  return smallest !== undefined && regions.get(smallest) === false;
}

/** Parts that suppliers took since their days began. */
async function takenToday(db: Db | Tx, begins: ReadonlyMap<string, Instant>): Promise<ReadonlyMap<string, number>> {
  if (begins.size === 0) return new Map();
  const { rows } = await sql<{ supplierId: string; taken: number }>`
    select d.supplier_id::text, (
        select count(*)::int
          from order_fulfilment f
          where f.supplier_id = d.supplier_id and f.created_at >= d.begins and f.state not in ('REJECTED', 'CANCELLED')
      ) as taken
      from unnest(${[...begins.keys()]}::bigint[], ${[...begins.values()]}::timestamptz[]) as d (supplier_id, begins)`.execute(db);
  return new Map(rows.map(({ supplierId, taken }) => [supplierId, taken]));
}

const e6 = (degrees: number) => Math.round(degrees * 1e6);

/** All suppliers as they stand for an order now; of a store's own order the store alone. */
export async function candidatesFor(db: Db | Tx, order: OrderRecord, needs: readonly Need[], at: At): Promise<Candidate[]> {
  const all = await supplierRows(db, at, order.id);
  const suppliers = order.orderType === 'PICKUP' ? all.filter(({ drugstoreId }) => drugstoreId === order.drugstoreId) : all;
  if (suppliers.length === 0) return [];
  const ids = suppliers.map(({ id }) => id);
  const goods = await own(db)
    .selectFrom('orderSupplierGoods')
    .select(['supplierId', 'goodsCode', 'medicineId', 'stockQty', 'reservedQty', 'supplyPriceFen', 'weightGram'])
    .where('supplierId', 'in', ids)
    .where('goodsCode', 'in', ['', ...needs.map(({ goodsCode }) => goodsCode)])
    .where('onSale', '=', true)
    .execute();
  const regions = await own(db)
    .selectFrom('orderSupplierRegion')
    .select(['supplierId', 'adcode', 'excluded'])
    .where('supplierId', 'in', ids)
    .execute();
  const limited = suppliers.filter(({ dailyCapacity }) => dailyCapacity !== null);
  const taken = await takenToday(db, new Map(limited.map(({ id, cutoffTime }) => [id, dayBegins(cutoffTime, at)])));
  const home = order.lng !== null && order.lat !== null ? { lngE6: e6(order.lng), latE6: e6(order.lat) } : null;
  const stores =
    home === null
      ? []
      : await getDrugstores(
          db,
          suppliers.flatMap(({ drugstoreId }) => drugstoreId ?? []),
        );
  const goodsOf = Map.groupBy(goods, ({ supplierId }) => supplierId);
  const regionsOf = Map.groupBy(regions, ({ supplierId }) => supplierId);
  return suppliers.map((one): Candidate => {
    const store = stores.find(({ id }) => id === one.drugstoreId);
    const own = new Map((regionsOf.get(one.id) ?? []).map(({ adcode, excluded }) => [adcode, excluded]));
    return {
      supplierId: one.id,
      supplierName: one.supplierName,
      isEnabled: one.status === 'ENABLED',
      isPaused: one.isPaused,
      isExpired: one.expireOn <= at.today,
      coversRegion: order.adcode === null || covers(own, order.adcode),
      coldChainCapable: one.coldChainCapable,
      capacityLeft: one.dailyCapacity === null ? null : one.dailyCapacity - (taken.get(one.id) ?? 0),
      hasRefused: one.hasRefused,
      offers: (goodsOf.get(one.id) ?? []).map((offer): Offer => ({
        goodsCode: offer.goodsCode,
        medicineId: offer.medicineId,
        available: offer.stockQty - offer.reservedQty,
        supplyPriceFen: Number(offer.supplyPriceFen),
        weightGram: offer.weightGram,
      })),
      freight: {
        firstFen: Number(one.freightFirstFen),
        stepFen: Number(one.freightStepFen),
        freeFromFen: one.freeShipFen === null ? null : Number(one.freeShipFen),
      },
      assignedThisMonth: one.assignedThisMonth,
      distanceM:
        home === null || store?.lngE6 == null || store.latE6 == null ? null : distanceM(home, { lngE6: store.lngE6, latE6: store.latE6 }),
    };
  });
}

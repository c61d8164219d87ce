import { sql, type SqlBool } from 'kysely';
import { plusDays, startOfDay, type Instant } from '#kernel/contract/time.ts';
import type { Viewer } from '#kernel/server/auth/viewer.ts';
import { trailOf } from '#kernel/server/audit/transition.ts';
import type { Db, QueryContext } from '#kernel/server/context.ts';
import { containsPattern } from '#kernel/server/database/search.ts';
import { query } from '#kernel/server/handler.ts';
import { inRegion } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { regionsOf, regionText } from '#domains/identity/server/index.ts';
import {
  exportFulfilmentList,
  queryFulfilmentDetail,
  queryFulfilmentList,
  queryOrderFulfilments,
  querySupplierOptions,
  type FulfilmentCard,
  type FulfilmentRow,
} from '../../contract/calls/fulfilments.ts';
import { offeredFulfilmentActions } from '../../contract/fulfilmentStates.ts';
import { own } from '../database.ts';
import { orderRecords } from '../orders/access.ts';
import { fulfilmentRecords } from './access.ts';

const GOODS = sql<string>`(
  select string_agg(l.goods_name || '×' || p.quantity, '、' order by l.line_no)
    from order_fulfilment_line p
    join order_line l on l.id = p.order_line_id
    where p.fulfilment_id = f.id
)`;
const WAYBILLS = sql<string | null>`(
  select string_agg(s.waybill_no, '、' order by s.id)
    from order_shipment s
    where s.fulfilment_id = f.id and s.voided_at is null
)`;
const isLate = (now: Instant) => sql<SqlBool>`(
  f.state = 'WAIT_ACCEPT' and f.accept_deadline <= ${now}::timestamptz
  or f.state in ('WAIT_SHIP', 'PART_SHIPPED') and f.ship_deadline <= ${now}::timestamptz
)`;

const seen = (db: Db, viewer: Viewer) => fulfilmentRecords.seen(db, viewer).innerJoin('orderSupplier as s', 's.id', 'f.supplierId');
type Seen = ReturnType<typeof seen>;
const columns = (rows: Seen) =>
  rows
    .select(['f.id', 'f.fulfilmentNo', 'f.orderId', 'f.supplierId', 'f.supplierOrderNo', 'f.way', 'f.pushState', 'f.state'])
    .select(['f.stateBeforeCancel', 'f.acceptDeadline', 'f.shipDeadline', 'f.createdAt', 'f.version'])
    .select(['o.orderNo', 'o.orderType', 'o.receiverNameMasked', 'o.adcode', 's.supplierName'])
    .select([GOODS.as('goodsText'), WAYBILLS.as('waybills')]);
type Read = Awaited<ReturnType<ReturnType<typeof columns>['executeTakeFirstOrThrow']>>;

/** Rows as pages show them, the names of their regions in one statement. */
async function present(db: Db, rows: readonly Read[], has: (permission: string) => boolean): Promise<FulfilmentRow[]> {
  const names = await regionsOf(
    db,
    rows.flatMap(({ adcode }) => adcode ?? []),
  );
  return rows.map(({ receiverNameMasked, adcode, stateBeforeCancel, ...row }) => ({
    ...row,
    receiverName: receiverNameMasked,
    regionText: adcode === null ? null : regionText(names, adcode),
    allowedActions: offeredFulfilmentActions({ ...row, stateBeforeCancel }, has),
  }));
}

export const fulfilmentList = listOf(queryFulfilmentList)
  .from(({ db, staff }) => seen(db, staff))
  .with({
    where: {
      fulfilmentNo: (_eb, text) => sql<SqlBool>`f.fulfilment_no = ${text.toUpperCase()}`,
      orderNo: (_eb, text) => sql<SqlBool>`o.order_no = ${text.toUpperCase()}`,
      orderType: 'o.orderType',
      supplierId: 'f.supplierId',
      state: 'f.state',
      pushState: 'f.pushState',
      regionCode: inRegion('o.adcode'),
      waybillNo: (_eb, text) => sql<SqlBool>`exists (
        select from order_shipment w where w.fulfilment_id = f.id and w.waybill_no = ${text.toUpperCase()} and w.voided_at is null)`,
      overSla: (_eb, wanted, { now }) => (wanted ? isLate(now) : undefined),
      createdFrom: (_eb, day) => sql<SqlBool>`f.created_at >= ${startOfDay(day)}::timestamptz`,
      createdTo: (_eb, day) => sql<SqlBool>`f.created_at < ${startOfDay(plusDays(day, 1))}::timestamptz`,
    },
    id: 'f.id',
    sorts: { fulfilmentNo: 'f.fulfilmentNo', createdAt: 'f.createdAt' },
    last: { of: 'f.state', groups: [['SIGNED'], ['REJECTED', 'CANCELLED', 'RETURNED']] },
    select: (rows) => columns(rows),
    present: (rows, { db, has }) => present(db, rows, has),
  });
export const fulfilmentExport = listExport(fulfilmentList, { call: exportFulfilmentList, title: '履约单', routeKey: 'b2cOrder' });

/** Parts with their goods, parcels and trails. */
async function cards(ctx: QueryContext, where: { id: string } | { orderId: string }): Promise<FulfilmentCard[]> {
  const of = 'id' in where ? (['f.id', where.id] as const) : (['f.orderId', where.orderId] as const);
  const rows = await columns(seen(ctx.db, ctx.staff))
    .select(['f.rejectReason', 'f.supplyFen', 'f.freightFen', 'f.pickupCode', 'f.acceptedAt', 'f.shippedAt', 'f.signedAt'])
    .where(of[0], '=', of[1])
    .orderBy('f.id')
    .execute();
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const lines = await own(ctx.db)
    .selectFrom('orderFulfilmentLine as p')
    .innerJoin('orderLine as l', 'l.id', 'p.orderLineId')
    .select(['p.fulfilmentId', 'p.orderLineId', 'p.quantity', 'p.shippedQty', 'l.goodsCode', 'l.goodsName', 'l.spec', 'l.coldChain'])
    .where('p.fulfilmentId', 'in', ids)
    .orderBy('l.lineNo')
    .execute();
  const parcels = await own(ctx.db)
    .selectFrom('orderShipment as s')
    .select(['s.id', 's.fulfilmentId', 's.carrierCode', 's.waybillNo', 's.shippedAt', 's.trackState', 's.lastNode', 's.lastNodeAt'])
    .select(['s.minTemp', 's.maxTemp', 's.signedAt', 's.voidedAt', 's.version'])
    .where('s.fulfilmentId', 'in', ids)
    .orderBy('s.id')
    .execute();
  const packed = await own(ctx.db)
    .selectFrom('orderShipmentLine as g')
    .innerJoin('orderShipment as s', 's.id', 'g.shipmentId')
    .innerJoin('orderLine as l', 'l.id', 'g.orderLineId')
    .select(['g.shipmentId', 'g.orderLineId', 'g.quantity', 'g.batchNo', 'g.expireDate', 'g.traceCodes', 'l.goodsName'])
    .where('s.fulfilmentId', 'in', ids)
    .orderBy('l.lineNo')
    .orderBy('g.batchNo')
    .execute();
  const shown = await present(ctx.db, rows, ctx.has);
  const made: FulfilmentCard[] = [];
  for (const [at, row] of rows.entries())
    made.push({
      ...shown[at]!,
      rejectReason: row.rejectReason,
      supplyFen: Number(row.supplyFen),
      freightFen: Number(row.freightFen),
      pickupCode: row.pickupCode === null ? null : '******',
      acceptedAt: row.acceptedAt,
      shippedAt: row.shippedAt,
      signedAt: row.signedAt,
      lines: lines.filter(({ fulfilmentId }) => fulfilmentId === row.id).map(({ fulfilmentId: _, ...line }) => line),
      parcels: parcels
        .filter(({ fulfilmentId }) => fulfilmentId === row.id)
        .map(({ fulfilmentId: _, ...parcel }) => ({
          ...parcel,
          lines: packed.filter(({ shipmentId }) => shipmentId === parcel.id).map(({ shipmentId: _of, ...line }) => line),
        })),
      trail: await trailOf(ctx.db, fulfilmentRecords.type, row.id),
    });
  return made;
}

/** Suppliers by name or code, for pickers. */
export const supplierOptions = query(querySupplierOptions, async ({ keyword }, ctx) =>
  own(ctx.db)
    .selectFrom('orderSupplier as s')
    .select(['s.id as value', sql<string>`s.supplier_name || '（' || s.supplier_code || '）'`.as('label')])
    .where('s.status', 'not in', ['DRAFT', 'REJECTED'])
    .$if(keyword !== undefined, (rows) =>
      rows.where((eb) =>
        eb.or([
          eb('s.supplierName', 'like', containsPattern(keyword ?? '')),
          eb('s.supplierCode', 'ilike', containsPattern(keyword ?? '')),
        ]),
      ),
    )
    .orderBy('s.id')
    .limit(50)
    .execute(),
);

export const fulfilmentDetail = query(queryFulfilmentDetail, async ({ fulfilmentId }, ctx) => {
  const [card] = await cards(ctx, { id: fulfilmentId });
  if (!card) throw fulfilmentRecords.missing();
  return card;
});
export const orderFulfilments = query(queryOrderFulfilments, async ({ orderId }, ctx) => {
  await orderRecords.get(ctx.db, ctx.staff, orderId);
  return { fulfilments: await cards(ctx, { orderId }) };
});

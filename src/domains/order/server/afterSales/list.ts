import { sql, type SqlBool } from 'kysely';
import { plusDays, startOfDay } from '#kernel/contract/time.ts';
import { trailOf } from '#kernel/server/audit/transition.ts';
import type { Db } from '#kernel/server/context.ts';
import { query } from '#kernel/server/handler.ts';
import { isNumber } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import type { SelectQueryBuilder } from 'kysely';
import { fileBriefs } from '#domains/files/server/index.ts';
import { afterSaleMachine } from '../../contract/afterSaleStates.ts';
import { exportAfterSaleList, queryAfterSaleDetail, queryAfterSaleList, type AfterSaleRow } from '../../contract/calls/afterSales.ts';
import { AFTER_SALE_PROOF } from '../../contract/purposes.ts';
import { HIGH_REFUND_FEN } from '../../contract/rules/returns.ts';
import type { Viewer } from '#kernel/server/auth/viewer.ts';
import { own } from '../database.ts';
import { orderSeen } from '../orders/access.ts';
import { AFTER_SALE_TARGET } from '../orders/refunds.ts';
import type { OrderTables } from '../tables.ts';
import { afterSaleRecords } from './access.ts';

const GOODS = sql<string>`(
  select string_agg(l.goods_name || '×' || r.quantity, '、' order by l.line_no)
    from order_after_sale_line r
    join order_line l on l.id = r.order_line_id
    where r.after_sale_id = a.id
)`;
const joined = (db: Db, viewer: Viewer) =>
  own(db).selectFrom('orderAfterSale as a').innerJoin('orderOrder as o', 'o.id', 'a.orderId').where(orderSeen(viewer));

type Joined = OrderTables & { a: OrderTables['orderAfterSale']; o: OrderTables['orderOrder'] };
const columns = (rows: SelectQueryBuilder<Joined, 'a' | 'o', object>) =>
  rows
    .select(['a.id', 'a.afterSaleNo', 'a.orderId', 'o.orderNo', 'o.buyerNameMasked as buyerName', 'a.type', 'a.reasonCode', 'a.refundFen'])
    .select(['a.state', 'a.makerName', 'a.checkerName', 'a.createdAt', 'a.doneAt', 'a.version'])
    .select(GOODS.as('goodsText'));
type Read = Awaited<ReturnType<ReturnType<typeof columns>['executeTakeFirstOrThrow']>>;
const present = ({ refundFen, ...row }: Read, has: (permission: string) => boolean): AfterSaleRow => ({
  ...row,
  refundFen: Number(refundFen),
  allowedActions: afterSaleMachine.allowed(row.state, has),
});

export const afterSaleList = listOf(queryAfterSaleList)
  .from(({ db, staff }) => joined(db, staff))
  .with({
    where: {
      afterSaleNo: isNumber('a.afterSaleNo'),
      orderNo: isNumber('o.orderNo'),
      type: 'a.type',
      reasonCode: 'a.reasonCode',
      state: 'a.state',
      createdFrom: (_eb, day) => sql<SqlBool>`a.created_at >= ${startOfDay(day)}::timestamptz`,
      createdTo: (_eb, day) => sql<SqlBool>`a.created_at < ${startOfDay(plusDays(day, 1))}::timestamptz`,
    },
    id: 'a.id',
    sorts: { afterSaleNo: 'a.afterSaleNo', createdAt: 'a.createdAt' },
    last: { of: 'a.state', groups: [['REFUNDED'], ['REFUSED', 'CANCELLED']] },
    select: columns,
    present: (rows, { has }) => rows.map((row) => present(row, has)),
  });
export const afterSaleExport = listExport(afterSaleList, { call: exportAfterSaleList, title: '售后单', routeKey: 'orderManagement' });

export const afterSaleDetail = query(queryAfterSaleDetail, async ({ afterSaleId }, ctx) => {
  const read = await columns(joined(ctx.db, ctx.staff)).where('a.id', '=', afterSaleId).executeTakeFirst();
  if (!read) throw afterSaleRecords.missing();
  const row = await afterSaleRecords.get(ctx.db, ctx.staff, afterSaleId);
  const lines = await own(ctx.db)
    .selectFrom('orderAfterSaleLine as r')
    .innerJoin('orderLine as l', 'l.id', 'r.orderLineId')
    .select(['r.orderLineId', 'l.goodsName', 'l.spec', 'r.quantity', 'r.withFreight'])
    .where('r.afterSaleId', '=', afterSaleId)
    .orderBy('l.lineNo')
    .execute();
  const parts = await own(ctx.db)
    .selectFrom('orderRefundPart as p')
    .innerJoin('orderAfterSaleLine as r', 'r.id', 'p.afterSaleLineId')
    .innerJoin('orderLine as l', 'l.id', 'p.orderLineId')
    .innerJoin('orderFunding as f', 'f.id', 'p.fundingId')
    .select(['p.orderLineId', 'l.goodsName', 'f.kind', 'p.amountFen', 'p.state', 'p.failReason'])
    .where('r.afterSaleId', '=', afterSaleId)
    .orderBy('p.id')
    .execute();
  return {
    afterSale: present(read, ctx.has),
    cause: row.cause,
    lines,
    parts: parts.map(({ amountFen, ...part }) => ({ ...part, amountFen: Number(amountFen) })),
    files: await fileBriefs(ctx.db, row.evidenceFileIds, { purpose: AFTER_SALE_PROOF }),
    applicantText: row.applicantText,
    internalNote: row.internalNote,
    returnWaybill: row.returnWaybill,
    isHigh: Number(row.refundFen) >= HIGH_REFUND_FEN,
    trail: await trailOf(ctx.db, AFTER_SALE_TARGET, afterSaleId),
  };
});

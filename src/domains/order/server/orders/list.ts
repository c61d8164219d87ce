import { sql, type RawBuilder, type SelectQueryBuilder, type SqlBool } from 'kysely';
import type { CheckedInputOf } from '#kernel/contract/call.ts';
import { plusDays, startOfDay, type Instant } from '#kernel/contract/time.ts';
import type { QueryContext } from '#kernel/server/context.ts';
import { query } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { findByCertificates, idNoHash } from '#domains/patient/server/index.ts';
import { exportOrderList, queryOrderList, queryOrderSum, type OrderRow } from '../../contract/calls/orders.ts';
import { orderMachine } from '../../contract/orderStates.ts';
import { waitingFor } from '../../contract/rules/waiting.ts';
import type { OrderTables } from '../tables.ts';
import { desk, orderRecords } from './access.ts';
import { buyerMobileHash, buyerNameHash } from './secrets.ts';

const isOver = (now: Instant): RawBuilder<SqlBool> => sql<SqlBool>`(o.step_due <= ${now}::timestamptz)`;
const isTroubled: RawBuilder<SqlBool> = sql<SqlBool>`
  exists (select from order_exception x where x.order_id = o.id and x.state in ('OPEN', 'HANDLING'))`;

const GOODS = sql<string>`(
  select min(l.goods_name) filter (where l.line_no = 1) || case when count(*) > 1 then '等' || count(*) || '种' else '' end
    from order_line l
    where l.order_id = o.id
)`;
const SELLER = sql<string | null>`coalesce(o.drugstore_name, (
  select string_agg(distinct s.supplier_name, '、')
    from order_fulfilment f
    join order_supplier s on s.id = f.supplier_id
    where f.order_id = o.id and f.state not in ('REJECTED', 'CANCELLED')
))`;

type OfOrder = OrderTables & { o: OrderTables['orderOrder'] };
const columns = (rows: SelectQueryBuilder<OfOrder, 'o', object>, now: Instant) =>
  rows
    .select(['o.id', 'o.orderNo', 'o.outerNo', 'o.bizLine', 'o.orderType', 'o.origin', 'o.buyerNameMasked', 'o.buyerMobileMasked'])
    .select(['o.payableFen', 'o.couponFen', 'o.benefitFen', 'o.cardFen', 'o.selfPayFen', 'o.refundedFen', 'o.state', 'o.stepSince'])
    .select(['o.stepDue', 'o.createdAt', 'o.paidAt', 'o.version'])
    .select([GOODS.as('goodsText'), SELLER.as('sellerName'), desk.holder(now).as('holder')]);
type Read = Awaited<ReturnType<ReturnType<typeof columns>['executeTakeFirstOrThrow']>>;

const present = (
  { buyerNameMasked, buyerMobileMasked, payableFen, couponFen, benefitFen, cardFen, selfPayFen, refundedFen, ...row }: Read,
  has: (permission: string) => boolean,
): OrderRow => ({
  ...row,
  buyerName: buyerNameMasked,
  buyerMobile: buyerMobileMasked,
  payableFen: Number(payableFen),
  couponFen: Number(couponFen),
  benefitFen: Number(benefitFen),
  cardFen: Number(cardFen),
  selfPayFen: Number(selfPayFen),
  refundedFen: Number(refundedFen),
  waitingFor: waitingFor(row.state),
  allowedActions: orderMachine.allowed(row.state, has),
});

/** A whole mobile, certificate or name; part of one finds nobody. */
const CERTIFICATE = /^\d{17}[\dXx]$/;
function isBuyer({ secrets }: Pick<Kernel, 'secrets'>, keyword: string): RawBuilder<SqlBool> | undefined {
  if (/^1\d{10}$/.test(keyword)) return sql<SqlBool>`o.buyer_mobile_hash = ${buyerMobileHash(secrets, keyword)}`;
  // Whose certificate it is, is asked of patients before the rows are read.
  if (CERTIFICATE.test(keyword)) return undefined;
  return sql<SqlBool>`o.buyer_name_hash = ${buyerNameHash(secrets, keyword)}`;
}

export const orderList = (kernel: Pick<Kernel, 'secrets'>) =>
  listOf(queryOrderList)
    .from(async ({ db, staff, filter: { patientKeyword: keyword } }) => {
      const rows = orderRecords.seen(db, staff);
      if (keyword === undefined || !CERTIFICATE.test(keyword)) return rows;
      const holders = await findByCertificates(db, [{ idType: 'ID', idNoHash: idNoHash(kernel.secrets, keyword) }]);
      return rows.where('o.patientId', 'in', ['0', ...holders.values()]);
    })
    .with({
      where: {
        orderNo: (_eb, text) => sql<SqlBool>`(o.order_no = ${text.toUpperCase()} or o.outer_no = ${text})`,
        patientKeyword: (_eb, text) => isBuyer(kernel, text),
        bizLine: 'o.bizLine',
        orderType: 'o.orderType',
        origin: 'o.origin',
        productCode: 'o.productCode',
        insurerId: 'o.insurerId',
        drugstoreId: 'o.drugstoreId',
        supplierId: (_eb, id) => sql<SqlBool>`exists (
          select from order_fulfilment f where f.order_id = o.id and f.supplier_id = ${id} and f.state not in ('REJECTED', 'CANCELLED'))`,
        goodsCode: (_eb, code) => sql<SqlBool>`exists (select from order_line l where l.order_id = o.id and l.goods_code = ${code})`,
        state: 'o.state',
        createdFrom: (_eb, day) => sql<SqlBool>`o.created_at >= ${startOfDay(day)}::timestamptz`,
        createdTo: (_eb, day) => sql<SqlBool>`o.created_at < ${startOfDay(plusDays(day, 1))}::timestamptz`,
        paidFrom: (_eb, day) => sql<SqlBool>`o.paid_at >= ${startOfDay(day)}::timestamptz`,
        paidTo: (_eb, day) => sql<SqlBool>`o.paid_at < ${startOfDay(plusDays(day, 1))}::timestamptz`,
        onlyException: (_eb, wanted) => (wanted ? isTroubled : undefined),
        overSla: (_eb, wanted, { now }) => (wanted ? isOver(now) : undefined),
      },
      id: 'o.id',
      sorts: { orderNo: 'o.orderNo', createdAt: 'o.createdAt' },
      last: { of: 'o.state', groups: [['COMPLETED'], ['CLOSED'], ['CANCELLED']] },
      select: (rows, { now }) => columns(rows, now),
      present: (rows, { has }) => rows.map((row) => present(row, has)),
    });
export type OrderList = ReturnType<typeof orderList>;

/** One order as the list shows it. */
export async function rowOf(ctx: QueryContext, id: string): Promise<OrderRow | null> {
  const row = await columns(orderRecords.seen(ctx.db, ctx.staff), ctx.now).where('o.id', '=', id).executeTakeFirst();
  return row ? present(row, ctx.has) : null;
}

/** Sums over the whole filter, and the counts of the states, which leave the state of the filter out. */
export const orderSum = (list: OrderList) =>
  query(queryOrderSum, async (filter: CheckedInputOf<typeof queryOrderSum>, ctx) => {
    const sums = await (
      await list.matching({ ...ctx, filter })
    )
      .select([
        sql<number>`count(*)::int`.as('orders'),
        sql<string>`coalesce(sum(o.payable_fen), 0)::text`.as('payableFen'),
        sql<string>`coalesce(sum(o.self_pay_fen), 0)::text`.as('selfPayFen'),
        sql<string>`coalesce(sum(o.benefit_fen), 0)::text`.as('benefitFen'),
        sql<string>`coalesce(sum(o.card_fen), 0)::text`.as('cardFen'),
      ])
      .executeTakeFirstOrThrow();
    const { state: _state, ...rest } = filter;
    const counted = await (
      await list.matching({ ...ctx, filter: rest })
    )
      .select(['o.state', sql<number>`count(*)::int`.as('n')])
      .groupBy('o.state')
      .execute();
    const all = counted.reduce((sum, { n }) => sum + n, 0);
    return { ...sums, counts: { ALL: all, ...Object.fromEntries(counted.map(({ state, n }) => [state, n])) } };
  });

export const orderExport = (list: OrderList) => listExport(list, { call: exportOrderList, title: '订单', routeKey: 'orderManagement' });

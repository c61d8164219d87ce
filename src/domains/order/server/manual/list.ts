import { sql, type SelectQueryBuilder, type SqlBool } from 'kysely';
import type { QueryContext } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { isNumber } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { idNoHash } from '#domains/patient/server/index.ts';
import { exportManualOrderList, queryManualOrderList, type ManualOrderRow } from '../../contract/calls/manualOrders.ts';
import { manualOrderMachine } from '../../contract/manualOrderStates.ts';
import { buyerMobileHash, buyerNameHash } from '../orders/secrets.ts';
import type { OrderTables } from '../tables.ts';
import { manualRecords } from './access.ts';

type OfManual = OrderTables & { m: OrderTables['orderManual'] };
const columns = (rows: SelectQueryBuilder<OfManual, 'm', object>) =>
  rows
    .select(['m.id', 'm.manualNo', 'm.buyerNameMasked', 'm.buyerMobileMasked', 'm.drugstoreName', 'm.receiptNo', 'm.purchaseDate'])
    .select(['m.goodsFen', 'm.benefitFen', 'm.cardFen', 'm.selfPayFen', 'm.matchExplain', 'm.state', 'm.makerName', 'm.checkerName'])
    .select(['m.orderId', 'm.reservedOrderNo', 'm.reasonCode', 'm.source', 'm.failReason', 'm.createdAt', 'm.version']);
type Read = Awaited<ReturnType<ReturnType<typeof columns>['executeTakeFirstOrThrow']>>;

const present = (
  { buyerNameMasked, buyerMobileMasked, goodsFen, benefitFen, cardFen, selfPayFen, reservedOrderNo, ...row }: Read,
  has: (permission: string) => boolean,
): ManualOrderRow => ({
  ...row,
  buyerName: buyerNameMasked,
  buyerMobile: buyerMobileMasked,
  goodsFen: Number(goodsFen),
  benefitFen: Number(benefitFen),
  cardFen: Number(cardFen),
  selfPayFen: Number(selfPayFen),
  orderNo: row.orderId === null ? null : reservedOrderNo,
  allowedActions: manualOrderMachine.allowed(row.state, has),
});

/** A whole mobile, certificate or name; part of one finds nobody. */
function isBuyer({ secrets }: Pick<Kernel, 'secrets'>, keyword: string) {
  if (/^1\d{10}$/.test(keyword)) return sql<SqlBool>`m.buyer_mobile_hash = ${buyerMobileHash(secrets, keyword)}`;
  if (/^\d{17}[\dXx]$/.test(keyword)) return sql<SqlBool>`m.id_no_hash = ${idNoHash(secrets, keyword)}`;
  return sql<SqlBool>`m.buyer_name_hash = ${buyerNameHash(secrets, keyword)}`;
}

export const manualList = (kernel: Pick<Kernel, 'secrets'>) =>
  listOf(queryManualOrderList)
    .from(({ db, staff }) => manualRecords.seen(db, staff))
    .with({
      where: {
        manualNo: isNumber('m.manualNo'),
        receiptNo: 'm.receiptNo',
        patientKeyword: (_eb, text) => isBuyer(kernel, text),
        drugstoreId: 'm.drugstoreId',
        reasonCode: 'm.reasonCode',
        state: 'm.state',
        makerName: 'm.makerName',
        purchaseFrom: (_eb, day) => sql<SqlBool>`m.purchase_date >= ${day}::date`,
        purchaseTo: (_eb, day) => sql<SqlBool>`m.purchase_date <= ${day}::date`,
        mine: (_eb, wanted, { staff }) => (wanted ? sql<SqlBool>`m.maker_id = ${staff.userId}` : undefined),
      },
      id: 'm.id',
      sorts: { manualNo: 'm.manualNo', createdAt: 'm.createdAt' },
      last: { of: 'm.state', groups: [['DONE'], ['VOIDED']] },
      select: columns,
      present: (rows, { has }) => rows.map((row) => present(row, has)),
    });
export type ManualList = ReturnType<typeof manualList>;
export const manualExport = (list: ManualList) =>
  listExport(list, { call: exportManualOrderList, title: '手工订单', routeKey: 'manualorders' });

/** One manual order as the list shows it. */
export async function rowOf(ctx: QueryContext, id: string): Promise<ManualOrderRow | null> {
  const row = await columns(manualRecords.seen(ctx.db, ctx.staff)).where('m.id', '=', id).executeTakeFirst();
  return row ? present(row, ctx.has) : null;
}

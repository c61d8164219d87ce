import { sql, type SqlBool } from 'kysely';
import { listOf } from '#kernel/server/list/listOf.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { exportBulkDeliveryList, queryBulkDeliveryList } from '../../contract/calls/logistics.ts';
import { shipmentRecords } from './access.ts';

const GOODS = sql<string>`(
  select string_agg(l.goods_name || '×' || g.quantity, '、' order by l.line_no, g.batch_no)
    from order_shipment_line g
    join order_line l on l.id = g.order_line_id
    where g.shipment_id = s.id
)`;

export const bulkList = listOf(queryBulkDeliveryList)
  .from(({ db, staff }) =>
    shipmentRecords.seen(db, staff).innerJoin('orderSupplier as p', 'p.id', 'f.supplierId').where('s.importBatchNo', 'is not', null),
  )
  .with({
    where: {
      batchNo: (_eb, text) => sql<SqlBool>`s.import_batch_no = ${text.toUpperCase()}`,
      waybillNo: (_eb, text) => sql<SqlBool>`s.waybill_no = ${text.toUpperCase()}`,
      fulfilmentNo: (_eb, text) => sql<SqlBool>`f.fulfilment_no = ${text.toUpperCase()}`,
      supplierId: 'f.supplierId',
    },
    id: 's.id',
    sorts: { createdAt: 's.createdAt' },
    select: (rows) =>
      rows
        .select(['s.id', 's.waybillNo', 's.carrierCode', 'f.fulfilmentNo', 'o.orderNo', 'p.supplierName', 's.shippedAt', 's.createdAt'])
        .select(['s.version', 's.voidedAt'])
        .select([sql<string>`s.import_batch_no`.as('batchNo'), GOODS.as('goodsText')]),
    present: (rows) => rows.map(({ voidedAt, ...row }) => ({ ...row, isUndone: voidedAt !== null })),
  });
export const bulkExport = listExport(bulkList, { call: exportBulkDeliveryList, title: '批量发货记录', routeKey: 'bulkDelivery' });

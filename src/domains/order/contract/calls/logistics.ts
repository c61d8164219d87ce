import * as z from 'zod/mini';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { field } from '#kernel/contract/field.ts';
import {
  day,
  id,
  idOut,
  instantOut,
  int4,
  intOrNull,
  numberOrNull,
  several,
  text,
  textOrNull,
  version,
  wholeText,
} from '#kernel/contract/fields.ts';
import { importFields, importStarted } from '#kernel/contract/importing.ts';
import { CHANGED, declareService } from '#kernel/contract/service.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { fulfilmentMachine } from '../fulfilmentStates.ts';
import { carriers, trackStates } from '../orderDictionaries.ts';
import { orderPermissions as may } from '../permissions.ts';

const logisticsService = declareService('LogisticsService');
const view = may['order.view'];

const row = {
  id: idOut,
  waybillNo: field('运单号', z.string(), { width: 170 }),
  carrierCode: field('快递公司', carriers.schema, { width: 100 }),
  orderId: idOut,
  orderNo: field('订单号', z.string(), { width: 170 }),
  fulfilmentId: idOut,
  fulfilmentNo: field('履约单号', z.string(), { width: 170 }),
  fulfilmentState: field('履约状态', fulfilmentMachine.dictionary.schema, { width: 90 }),
  fulfilmentVersion: z.int(),
  supplierName: field('供应商', z.string(), { width: 150 }),
  trackState: field('物流状态', trackStates.schema, { width: 90 }),
  lastNode: field('最新节点', textOrNull, { width: 220 }),
  shippedAt: field('发货时间', instantOut, { width: 150 }),
  lastNodeAt: field('最后更新', z.nullable(instantOut), { width: 150 }),
  stalledHours: field('停滞时长（小时）', intOrNull, { width: 110 }),
  tripHours: field('时效（小时）', numberOrNull, { width: 100 }),
  subscribed: field('已订阅', z.boolean(), { width: 80 }),
  signedAt: field('签收时间', z.nullable(instantOut), { width: 150 }),
  version: z.int(),
};
const logisticsRow = z.strictObject(row);
export type LogisticsRow = z.output<typeof logisticsRow>;

/** As pasted: one waybill a line, or parted by commas and blanks. */
const waybills = field(
  '运单号',
  z.pipe(
    text('运单号', 4_200),
    z.pipe(
      z.transform((pasted: string) => [
        ...new Set(
          pasted
            .toUpperCase()
            .split(/[\s,，;；、]+/u)
            .filter(Boolean),
        ),
      ]),
      z.array(z.string()).check(z.maxLength(100, '运单号最多100个')),
    ),
  ),
);
export const queryLogisticsList = logisticsService.list({
  operation: 'queryLogisticsList',
  label: '查询物流',
  access: view,
  filter: {
    waybillNo: field('运单号', z.optional(waybills)),
    carrierCode: field('快递公司', z.optional(several(carriers.schema))),
    orderNo: z.optional(wholeText('订单号', 40)),
    fulfilmentNo: z.optional(wholeText('履约单号', 40)),
    trackState: field('物流状态', z.optional(several(trackStates.schema))),
    stalledHours: field(
      '停滞小时≥',
      z.optional(int4('停滞小时须为整数').check(z.minimum(1, '停滞小时须大于0'), z.maximum(9_999, '停滞小时过大'))),
    ),
    shippedFrom: field('发货时间起', z.optional(day)),
    shippedTo: field('发货时间止', z.optional(day)),
    ...sortedBy('waybillNo', 'shippedAt'),
  },
  output: logisticsRow,
});
export const exportLogisticsList = exportOf(queryLogisticsList, {
  operation: 'exportLogisticsList',
  label: '导出物流',
  access: may['order.export'],
});

const shipmentId = field('包裹', id);
const node = z.strictObject({
  occurredAt: field('时间', instantOut),
  state: field('物流状态', trackStates.schema),
  description: field('节点', z.string()),
  city: field('城市', z.string()),
});
export const queryTrack = logisticsService.read({
  operation: 'queryTrack',
  label: '查询物流轨迹',
  access: view,
  input: { shipmentId },
  output: z.strictObject({ parcel: logisticsRow, nodes: z.array(node) }),
});
const answer = z.strictObject({ id: idOut, trackState: trackStates.schema, version: z.int() });
/** The carrier is asked at once; the same parcel again after a minute. */
export const refreshTrack = logisticsService.act({
  operation: 'refreshTrack',
  label: '刷新物流轨迹',
  access: view,
  message: '已刷新',
  input: { shipmentId },
  output: answer,
});
export const subscribeAgain = logisticsService.act({
  operation: 'subscribeAgain',
  label: '重新订阅物流轨迹',
  access: may['fulfilment.ship'],
  ...CHANGED,
  message: '已提交订阅',
  input: { shipmentId, version },
  output: answer,
});
/** 转异常工单: a person is to look after a parcel. */
export const reportParcel = logisticsService.act({
  operation: 'reportParcel',
  label: '转异常工单',
  access: may['exception.handle'],
  message: '已转异常工单',
  input: { shipmentId, version, opinion: text('问题说明', 200, 2) },
  output: answer,
});

const bulkDeliveryService = declareService('BulkDeliveryService');
export const BULK_IMPORTER = 'order.bulkDelivery';
/** Parcels of one supplier out of a table. */
export const importBulkDelivery = bulkDeliveryService.act({
  operation: 'importBulkDelivery',
  label: '批量发货',
  access: may['fulfilment.ship'],
  log: 'IMPORT',
  input: { supplierId: field('供应商', id), ...importFields },
  output: importStarted,
});

const bulkParcel = z.strictObject({
  id: idOut,
  batchNo: field('导入批次', z.string(), { width: 170 }),
  waybillNo: field('运单号', z.string(), { width: 170 }),
  carrierCode: field('快递公司', carriers.schema, { width: 100 }),
  fulfilmentNo: field('履约单号', z.string(), { width: 170 }),
  orderNo: field('订单号', z.string(), { width: 170 }),
  supplierName: field('供应商', z.string(), { width: 150 }),
  goodsText: field('药品×数量', z.string(), { width: 240 }),
  shippedAt: field('发货时间', instantOut, { width: 150 }),
  createdAt: field('登记时间', instantOut, { width: 150 }),
  isUndone: field('已撤销', z.boolean(), { width: 80 }),
  version: z.int(),
});
/** Parcels that tables told, those taken back too. */
export const queryBulkDeliveryList = bulkDeliveryService.list({
  operation: 'queryBulkDeliveryList',
  label: '查询批量发货记录',
  access: may['fulfilment.ship'],
  filter: {
    batchNo: z.optional(wholeText('导入批次', 40)),
    waybillNo: z.optional(wholeText('运单号', 40)),
    fulfilmentNo: z.optional(wholeText('履约单号', 40)),
    supplierId: field('供应商', z.optional(id)),
    ...sortedBy('createdAt'),
  },
  output: bulkParcel,
});
export const exportBulkDeliveryList = exportOf(queryBulkDeliveryList, {
  operation: 'exportBulkDeliveryList',
  label: '导出批量发货记录',
  access: may['order.export'],
});

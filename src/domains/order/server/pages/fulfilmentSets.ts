import { datasetAction, datasetOptions, type Dataset } from '#kernel/server/datasets/dataset.ts';
import { dataset } from '#kernel/server/datasets/declare.ts';
import {
  acceptFulfilment,
  confirmCancel,
  exportFulfilmentList,
  pushFulfilment,
  queryFulfilmentDetail,
  queryFulfilmentList,
  queryPushResult,
  querySupplierOptions,
  refuseCancel,
  rejectFulfilment,
  withdrawFulfilment,
} from '../../contract/calls/fulfilments.ts';
import {
  BULK_IMPORTER,
  exportBulkDeliveryList,
  exportLogisticsList,
  importBulkDelivery,
  queryBulkDeliveryList,
  queryLogisticsList,
  refreshTrack,
  subscribeAgain,
} from '../../contract/calls/logistics.ts';
import { carriers } from '../../contract/orderDictionaries.ts';
import { fulfilmentMachine, type FulfilmentAction } from '../../contract/fulfilmentStates.ts';

// What pages of definitions may name of parts, parcels and tables of parcels.

/** Carriers that tell what becomes of a parcel. */
const TRACKED = carriers.codes.filter((code) => code !== 'OWN');

const whileIn = (action: FulfilmentAction) => ({ column: 'state', values: fulfilmentMachine.transitions[action].from });
const named = ({ key, version }: { key: string; version: number }) => ({ fulfilmentId: key, version });

const fulfilmentSet = dataset({
  code: 'b2cOrder',
  label: 'B2C订单',
  targetType: 'order.fulfilment',
  list: queryFulfilmentList,
  key: 'id',
  version: 'version',
  routeKeys: [],
  columns: [
    'fulfilmentNo',
    'orderNo',
    'supplierName',
    'supplierOrderNo',
    'goodsText',
    'receiverName',
    'regionText',
    'pushState',
    'state',
    'acceptDeadline',
    'shipDeadline',
    'waybills',
    'createdAt',
  ],
  fixed: { orderType: ['B2C'] },
  filters: ['fulfilmentNo', 'orderNo', 'supplierId', 'state', 'pushState', 'regionCode', 'waybillNo', 'overSla'],
  detail: { call: queryFulfilmentDetail, input: (id) => ({ fulfilmentId: id }), record: (card) => card, trail: ({ trail }) => trail },
  export: exportFulfilmentList,
  options: {
    supplier: datasetOptions({
      call: querySupplierOptions,
      label: '供应商',
      input: (keyword) => (keyword === '' ? {} : { keyword }),
      rows: (found) => found,
    }),
  },
  actions: [
    datasetAction({
      code: 'push',
      label: '推送',
      kind: 'ROW',
      call: pushFulfilment,
      form: {},
      input: named,
      when: whileIn('push'),
      confirm: '确定要推送给供应商吗?',
    }),
    datasetAction({
      code: 'askResult',
      label: '查询结果',
      kind: 'ROW',
      call: queryPushResult,
      form: {},
      input: named,
      when: { column: 'pushState', values: ['UNKNOWN'] },
    }),
    datasetAction({
      code: 'accept',
      label: '代接单',
      kind: 'ROW',
      call: acceptFulfilment,
      form: {},
      input: named,
      when: whileIn('accept'),
      confirm: '确定要代供应商接单吗?',
    }),
    datasetAction({
      code: 'reject',
      label: '代拒单',
      kind: 'UPDATE',
      call: rejectFulfilment,
      form: { opinion: rejectFulfilment.input.shape.opinion },
      input: ({ values, ...ask }) => ({ ...named(ask), ...values }),
      when: whileIn('reject'),
    }),
    datasetAction({
      code: 'withdraw',
      label: '撤回',
      kind: 'UPDATE',
      call: withdrawFulfilment,
      form: { opinion: withdrawFulfilment.input.shape.opinion },
      input: ({ values, ...ask }) => ({ ...named(ask), ...values }),
      when: { column: 'state', values: ['WAIT_PUSH', 'WAIT_ACCEPT', 'WAIT_SHIP', 'WAIT_PICKUP'] },
    }),
    datasetAction({
      code: 'confirmCancel',
      label: '确认取消',
      kind: 'ROW',
      call: confirmCancel,
      form: {},
      input: named,
      when: whileIn('confirmCancel'),
      confirm: '确认供应商已取消该履约单?',
    }),
    datasetAction({
      code: 'refuseCancel',
      label: '拒绝取消',
      kind: 'UPDATE',
      call: refuseCancel,
      form: { opinion: refuseCancel.input.shape.opinion },
      input: ({ values, ...ask }) => ({ ...named(ask), ...values }),
      when: whileIn('keepShip'),
    }),
  ],
});

const onParcel = ({ key, version }: { key: string; version: number }) => ({ shipmentId: key, version });
const logisticsSet = dataset({
  code: 'logistics',
  label: '物流',
  targetType: 'order.shipment',
  list: queryLogisticsList,
  key: 'id',
  version: 'version',
  routeKeys: [],
  columns: [
    'waybillNo',
    'carrierCode',
    'orderNo',
    'fulfilmentNo',
    'supplierName',
    'trackState',
    'lastNode',
    'lastNodeAt',
    'stalledHours',
    'tripHours',
    'subscribed',
    'shippedAt',
  ],
  filters: ['waybillNo', 'carrierCode', 'orderNo', 'fulfilmentNo', 'trackState', 'stalledHours'],
  export: exportLogisticsList,
  actions: [
    datasetAction({
      code: 'refresh',
      label: '刷新',
      kind: 'ROW',
      call: refreshTrack,
      form: {},
      input: ({ key }) => ({ shipmentId: key }),
      when: { column: 'carrierCode', values: TRACKED },
    }),
    datasetAction({
      code: 'subscribe',
      label: '重新订阅',
      kind: 'ROW',
      call: subscribeAgain,
      form: {},
      input: onParcel,
      when: { column: 'carrierCode', values: TRACKED },
      confirm: '确定要重新订阅该运单的轨迹吗?',
    }),
  ],
});

const bulkSet = dataset({
  code: 'bulkDelivery',
  label: '批量发货',
  targetType: 'order.shipment',
  list: queryBulkDeliveryList,
  key: 'id',
  version: 'version',
  routeKeys: [],
  columns: [
    'batchNo',
    'waybillNo',
    'carrierCode',
    'fulfilmentNo',
    'orderNo',
    'supplierName',
    'goodsText',
    'shippedAt',
    'createdAt',
    'isUndone',
  ],
  filters: ['batchNo', 'waybillNo', 'fulfilmentNo', 'supplierId'],
  export: exportBulkDeliveryList,
  options: {
    supplier: datasetOptions({
      call: querySupplierOptions,
      label: '供应商',
      input: (keyword) => (keyword === '' ? {} : { keyword }),
      rows: (found) => found,
    }),
  },
  import: { call: importBulkDelivery, importerCode: BULK_IMPORTER },
  actions: [],
});

export const fulfilmentSets: readonly Dataset[] = [fulfilmentSet, logisticsSet, bulkSet];

import * as z from 'zod/mini';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { field } from '#kernel/contract/field.ts';
import {
  day,
  dayOut,
  fen,
  flag,
  id,
  idOut,
  instant,
  instantOut,
  int4,
  intOrNull,
  opinion,
  optionalId,
  optionalText,
  several,
  text,
  textOrNull,
  version,
  wholeText,
} from '#kernel/contract/fields.ts';
import { actionsOf } from '#kernel/contract/offeredActions.ts';
import { acted, CHANGED, declareService } from '#kernel/contract/service.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { trail } from '#kernel/contract/trail.ts';
import { fulfilmentMachine } from '../fulfilmentStates.ts';
import { carriers, fulfilmentWays, orderTypes, pushStates, trackStates } from '../orderDictionaries.ts';
import { orderId, quantity } from '../orderFields.ts';
import { orderPermissions as may } from '../permissions.ts';

const fulfilmentService = declareService('FulfilmentService');
const view = may['order.view'];
const state = fulfilmentMachine.dictionary.schema;
const instantOrNull = z.nullable(instantOut);

const row = {
  id: idOut,
  fulfilmentNo: field('履约单号', z.string(), { width: 170 }),
  orderId: idOut,
  orderNo: field('订单号', z.string(), { width: 170 }),
  orderType: field('订单类型', orderTypes.schema, { width: 90 }),
  supplierId: idOut,
  supplierName: field('供应商', z.string(), { width: 150 }),
  supplierOrderNo: field('供应商单号', textOrNull, { width: 150 }),
  way: field('配送方式', fulfilmentWays.schema, { width: 90 }),
  goodsText: field('药品×数量', z.string(), { width: 240 }),
  receiverName: field('收货人', textOrNull, { width: 90 }),
  regionText: field('省市', textOrNull, { width: 160 }),
  pushState: field('推送状态', pushStates.schema, { width: 90 }),
  state: field('状态', state, { width: 90 }),
  acceptDeadline: field('接单时限', instantOrNull, { width: 150 }),
  shipDeadline: field('发货时限', instantOrNull, { width: 150 }),
  waybills: field('运单', textOrNull, { width: 170 }),
  createdAt: field('分配时间', instantOut, { width: 150 }),
  version: z.int(),
  allowedActions: actionsOf(fulfilmentMachine),
};
const fulfilmentRow = z.strictObject(row);
export type FulfilmentRow = z.output<typeof fulfilmentRow>;

export const queryFulfilmentList = fulfilmentService.list({
  operation: 'queryFulfilmentList',
  label: '查询履约单',
  access: view,
  filter: {
    fulfilmentNo: z.optional(wholeText('履约单号', 40)),
    orderNo: z.optional(wholeText('订单号', 40)),
    orderType: field('订单类型', z.optional(several(orderTypes.schema))),
    supplierId: field('供应商', z.optional(id)),
    state: field('状态', z.optional(several(state))),
    pushState: field('推送状态', z.optional(several(pushStates.schema))),
    regionCode: field('收货省市', z.optional(text('收货省市', 6, 6))),
    waybillNo: z.optional(wholeText('运单号', 40)),
    overSla: field('仅看超时', z.optional(flag)),
    createdFrom: field('分配时间起', z.optional(day)),
    createdTo: field('分配时间止', z.optional(day)),
    ...sortedBy('fulfilmentNo', 'createdAt'),
  },
  output: fulfilmentRow,
});
export const exportFulfilmentList = exportOf(queryFulfilmentList, {
  operation: 'exportFulfilmentList',
  label: '导出履约单',
  access: may['order.export'],
});

const parcelOut = z.strictObject({
  id: idOut,
  carrierCode: field('快递公司', carriers.schema),
  waybillNo: field('运单号', z.string()),
  shippedAt: field('发货时间', instantOut),
  trackState: field('物流状态', trackStates.schema),
  lastNode: field('最新节点', textOrNull),
  lastNodeAt: field('最后更新', instantOrNull),
  minTemp: intOrNull,
  maxTemp: intOrNull,
  signedAt: field('签收时间', instantOrNull),
  voidedAt: field('撤销时间', instantOrNull),
  version: z.int(),
  lines: z.array(
    z.strictObject({
      orderLineId: idOut,
      goodsName: field('商品', z.string()),
      quantity: field('数量', z.int()),
      batchNo: field('批号', z.string()),
      expireDate: field('有效期', dayOut),
      traceCodes: field('追溯码', z.array(z.string())),
    }),
  ),
});
export const fulfilmentCard = z.strictObject({
  ...row,
  rejectReason: field('拒单原因', textOrNull),
  supplyFen: field('供货金额', fen),
  freightFen: field('供应商运费', fen),
  /** Of what somebody fetches: the code that he shows, masked. */
  pickupCode: field('取货码', textOrNull),
  acceptedAt: field('接单时间', instantOrNull),
  shippedAt: field('发货时间', instantOrNull),
  signedAt: field('签收时间', instantOrNull),
  lines: z.array(
    z.strictObject({
      orderLineId: idOut,
      goodsCode: field('商品编码', z.string()),
      goodsName: field('商品', z.string()),
      spec: field('规格', z.string()),
      coldChain: z.boolean(),
      quantity: field('数量', z.int()),
      shippedQty: field('已发货', z.int()),
    }),
  ),
  parcels: z.array(parcelOut),
  trail,
});
export type FulfilmentCard = z.output<typeof fulfilmentCard>;

const fulfilmentId = field('履约单', id);
export const queryFulfilmentDetail = fulfilmentService.read({
  operation: 'queryFulfilmentDetail',
  label: '查询履约单详情',
  access: view,
  input: { fulfilmentId },
  output: fulfilmentCard,
});
export const queryOrderFulfilments = fulfilmentService.read({
  operation: 'queryOrderFulfilments',
  label: '查询订单的履约单',
  access: view,
  input: { orderId },
  output: z.strictObject({ fulfilments: z.array(fulfilmentCard) }),
});
/** Suppliers that may have parts of orders, for pickers. */
export const querySupplierOptions = fulfilmentService.read({
  operation: 'querySupplierOptions',
  label: '查询供应商选项',
  access: view,
  input: { keyword: z.optional(text('供应商名称或编码', 40)) },
  output: z.array(z.strictObject({ value: idOut, label: z.string() })),
});
export const revealPickupCode = fulfilmentService.reveal({
  operation: 'revealPickupCode',
  label: '查看取货码明文',
  access: may['order.reveal'],
  input: {},
});

const onPart = { fulfilmentId, version };
const answer = acted(state);
const part = <A extends { code: string }>(operation: string, label: string, access: A) => ({ operation, label, access, ...CHANGED });

export const pushFulfilment = fulfilmentService.act({
  ...part('pushFulfilment', '推送履约单', may['fulfilment.push']),
  message: '已提交推送',
  input: onPart,
  output: answer,
});
export const queryPushResult = fulfilmentService.act({
  ...part('queryPushResult', '查询推送结果', may['fulfilment.push']),
  message: '查询完成',
  input: onPart,
  output: z.strictObject({ ...answer.shape, told: z.string() }),
});
export const withdrawFulfilment = fulfilmentService.act({
  ...part('withdrawFulfilment', '撤回履约单', may['allocation.assign']),
  input: { ...onPart, opinion },
  output: answer,
});
export const acceptFulfilment = fulfilmentService.act({
  ...part('acceptFulfilment', '代供应商接单', may['supplier.operate']),
  input: { ...onPart, supplierOrderNo: optionalText('供应商单号', 40) },
  output: answer,
});
export const rejectFulfilment = fulfilmentService.act({
  ...part('rejectFulfilment', '代供应商拒单', may['supplier.operate']),
  input: { ...onPart, opinion: text('拒单原因', 200, 2) },
  output: answer,
});
export const confirmCancel = fulfilmentService.act({
  ...part('confirmCancel', '代供应商确认取消', may['supplier.operate']),
  input: onPart,
  output: answer,
});
export const refuseCancel = fulfilmentService.act({
  ...part('refuseCancel', '代供应商拒绝取消', may['supplier.operate']),
  input: { ...onPart, opinion },
  output: answer,
});

const temperature = (label: string) =>
  field(label, z._default(z.nullable(int4(`${label}不正确`).check(z.minimum(-500, `${label}过低`), z.maximum(500, `${label}过高`))), null));
export const waybillNo = field(
  '运单号',
  z.pipe(
    text('运单号', 40, 6),
    z.pipe(
      z.transform((value: string) => value.toUpperCase()),
      z.string().check(z.regex(/^[A-Z0-9-]{6,40}$/, '运单号为6–40位字母、数字或-')),
    ),
  ),
);
export const batchNo = text('批号', 40, 1);
const traceCodes = field('追溯码', z._default(z.array(text('追溯码', 40, 1)).check(z.maxLength(999, '追溯码最多999个')), []));
/** Goods of one batch in a parcel. */
export const shipLine = z.strictObject({
  orderLineId: field('商品', id),
  quantity,
  batchNo,
  expireDate: field('有效期', day),
  traceCodes,
});
export const shipFulfilment = fulfilmentService.act({
  ...part('shipFulfilment', '发货', may['fulfilment.ship']),
  message: '发货成功',
  input: {
    ...onPart,
    carrierCode: field('快递公司', carriers.schema),
    waybillNo,
    shippedAt: field('发货时间', instant),
    lines: field('发货商品', z.array(shipLine).check(z.minLength(1, '请填写发货商品'), z.maxLength(200, '发货商品最多200行'))),
    tempRecordFileId: field('温控记录', optionalId),
    minTemp: temperature('最低温度（0.1℃）'),
    maxTemp: temperature('最高温度（0.1℃）'),
  },
  output: z.strictObject({ ...answer.shape, shipmentId: idOut }),
});
export const undoShip = fulfilmentService.act({
  ...part('undoShip', '撤销发货', may['fulfilment.undoShip']),
  input: { shipmentId: field('包裹', id), version, opinion },
  output: answer,
});
export const confirmSign = fulfilmentService.act({
  ...part('confirmSign', '确认签收或自提', may['fulfilment.ship']),
  ratePerMinute: 30,
  input: { ...onPart, pickupCode: field('取货码', z._default(z.nullable(text('取货码', 6)), null)) },
  output: answer,
});
export const markReturned = fulfilmentService.act({
  ...part('markReturned', '登记退回', may['fulfilment.ship']),
  input: { ...onPart, opinion },
  output: answer,
});
/** 登记服务完成: a bought service was given. */
export const completeService = fulfilmentService.act({
  operation: 'completeService',
  label: '登记服务完成',
  access: may['fulfilment.ship'],
  ...CHANGED,
  input: { orderId, version },
  output: z.strictObject({ id: idOut, state: z.string(), version: z.int() }),
});

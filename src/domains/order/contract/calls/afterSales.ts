import * as z from 'zod/mini';
import { access } from '#kernel/contract/call.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { field } from '#kernel/contract/field.ts';
import {
  day,
  fen,
  id,
  idOut,
  instantOut,
  opinion,
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
import { afterSaleMachine } from '../afterSaleStates.ts';
import { afterSaleReasons, afterSaleTypes, fundingKinds } from '../orderDictionaries.ts';
import { orderId, quantity } from '../orderFields.ts';
import { orderPermissions as may } from '../permissions.ts';

const service = declareService('AfterSaleService');
const view = may['order.view'];
const state = afterSaleMachine.dictionary.schema;

const row = z.strictObject({
  id: idOut,
  afterSaleNo: field('售后单号', z.string(), { width: 170 }),
  orderId: idOut,
  orderNo: field('订单号', z.string(), { width: 170 }),
  buyerName: field('患者', z.string(), { width: 90 }),
  type: field('售后类型', afterSaleTypes.schema, { width: 90 }),
  reasonCode: field('原因', afterSaleReasons.schema, { width: 100 }),
  goodsText: field('药品', z.string(), { width: 200 }),
  refundFen: field('退款金额', fen),
  state: field('状态', state),
  makerName: field('发起人', z.string(), { width: 90 }),
  checkerName: field('审核人', textOrNull, { width: 90 }),
  createdAt: field('发起时间', instantOut),
  doneAt: field('完成时间', z.nullable(instantOut)),
  version: z.int(),
  allowedActions: actionsOf(afterSaleMachine),
});
export type AfterSaleRow = z.output<typeof row>;

export const queryAfterSaleList = service.list({
  operation: 'queryAfterSaleList',
  label: '查询售后单',
  access: view,
  filter: {
    afterSaleNo: z.optional(wholeText('售后单号', 40)),
    orderNo: z.optional(wholeText('订单号', 40)),
    type: field('售后类型', z.optional(several(afterSaleTypes.schema))),
    reasonCode: field('原因', z.optional(several(afterSaleReasons.schema))),
    state: field('状态', z.optional(several(state))),
    createdFrom: field('发起时间起', z.optional(day)),
    createdTo: field('发起时间止', z.optional(day)),
    ...sortedBy('afterSaleNo', 'createdAt'),
  },
  output: row,
});
export const exportAfterSaleList = exportOf(queryAfterSaleList, {
  operation: 'exportAfterSale',
  label: '导出售后单',
  access: may['order.export'],
});

const part = z.strictObject({
  orderLineId: idOut,
  goodsName: z.string(),
  kind: fundingKinds.schema,
  amountFen: fen,
  state: z.enum(['WAITING', 'DONE', 'FAILED']),
  failReason: textOrNull,
});
const shownFile = z.strictObject({
  fileId: idOut,
  fileName: z.string(),
  detectedType: textOrNull,
  pageCount: z.nullable(z.int()),
  size: z.nullable(z.int()),
});

export const queryAfterSaleDetail = service.read({
  operation: 'queryAfterSaleDetail',
  label: '查询售后单详情',
  access: view,
  input: { afterSaleId: field('售后单', id) },
  output: z.strictObject({
    afterSale: row,
    cause: z.enum(['AFTER_SALE', 'CANCEL']),
    lines: z.array(
      z.strictObject({ orderLineId: idOut, goodsName: z.string(), spec: z.string(), quantity: z.int(), withFreight: z.boolean() }),
    ),
    parts: z.array(part),
    files: z.array(shownFile),
    applicantText: field('申请说明', z.string()),
    internalNote: field('内部备注', z.string()),
    returnWaybill: field('寄回运单号', textOrNull),
    isHigh: z.boolean(),
    trail,
  }),
});

const wanted = {
  orderId,
  type: field('售后类型', afterSaleTypes.schema),
  reasonCode: field('原因', afterSaleReasons.schema),
  lines: field(
    '退款商品',
    z
      .array(z.strictObject({ orderLineId: field('商品', id), quantity }))
      .check(z.minLength(1, '请选择退款商品'), z.maxLength(50, '商品最多50种')),
  ),
};
export const previewAfterSale = service.read({
  operation: 'previewAfterSale',
  label: '试算退款',
  access: may['afterSale.make'],
  input: wanted,
  output: z.strictObject({
    refundFen: fen,
    parts: z.array(z.strictObject({ orderLineId: idOut, goodsName: z.string(), kind: fundingKinds.schema, amountFen: fen })),
  }),
});
export const addAfterSale = service.act({
  operation: 'addAfterSale',
  label: '发起售后',
  access: may['afterSale.make'],
  idempotency: 'required',
  message: '提交成功!',
  input: {
    ...wanted,
    evidenceFileIds: field('凭证', z._default(z.array(id).check(z.maxLength(9, '凭证最多9张')), [])),
    applicantText: optionalText('申请说明', 500),
    internalNote: optionalText('内部备注', 500),
  },
  output: acted(state),
});

const onAfterSale = { afterSaleId: field('售后单', id), version };
export const auditAfterSale = service.act({
  operation: 'auditAfterSale',
  label: '审核售后单',
  access: access.byAction('level', { HIGH: may['afterSale.auditHigh'] }, may['afterSale.audit']),
  idempotency: 'required',
  ...CHANGED,
  input: {
    ...onAfterSale,
    /** By the amount; another level than it asks for is refused. */
    level: field('审核级别', z.enum(['NORMAL', 'HIGH'], '审核级别不正确')),
    decision: field('结论', z.enum(['approve', 'refuse'], '请选择结论')),
    opinion: optionalText('意见', 500),
  },
  output: acted(state),
});
export const receiveReturn = service.act({
  operation: 'receiveReturn',
  label: '确认收货',
  access: may['afterSale.inspect'],
  ...CHANGED,
  input: { ...onAfterSale, returnWaybill: text('寄回运单号', 40, 1) },
  output: acted(state),
});
export const inspectReturn = service.act({
  operation: 'inspectReturn',
  label: '验货',
  access: may['afterSale.inspect'],
  idempotency: 'required',
  ...CHANGED,
  input: { ...onAfterSale, passes: field('验货结果', z.boolean('请选择验货结果')), opinion: optionalText('意见', 500) },
  output: acted(state),
});
export const cancelAfterSale = service.act({
  operation: 'cancelAfterSale',
  label: '撤销售后单',
  access: may['afterSale.make'],
  ...CHANGED,
  input: { ...onAfterSale, opinion },
  output: acted(state),
});

import * as z from 'zod/mini';
import { between } from '#kernel/contract/between.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { field } from '#kernel/contract/field.ts';
import {
  day,
  fen,
  flag,
  id,
  idOut,
  instantOut,
  intOrNull,
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
import {
  bizLines,
  cancelReasons,
  CHOSEN_CANCELS,
  fundingKinds,
  fundingStates,
  orderOrigins,
  orderTypes,
  rxReasons,
  rxResults,
} from '../orderDictionaries.ts';
import { orderId, receiver } from '../orderFields.ts';
import { orderMachine } from '../orderStates.ts';
import { orderPermissions as may } from '../permissions.ts';
import { waitingParties } from '../rules/waiting.ts';

const orderService = declareService('OrderService');
const view = may['order.view'];
const state = orderMachine.dictionary.schema;
const instantOrNull = z.nullable(instantOut);
const idOrNull = z.nullable(idOut);

const row = {
  id: idOut,
  orderNo: field('订单号', z.string(), { width: 170 }),
  outerNo: field('外部单号', textOrNull, { width: 150 }),
  bizLine: field('业务线', bizLines.schema, { width: 110 }),
  orderType: field('订单类型', orderTypes.schema, { width: 90 }),
  origin: field('订单来源', orderOrigins.schema, { width: 100 }),
  buyerName: field('患者', z.string(), { width: 90 }),
  buyerMobile: field('手机号', z.string(), { width: 120 }),
  goodsText: field('药品', z.string(), { width: 220 }),
  payableFen: field('应付', fen),
  couponFen: field('优惠券', fen),
  benefitFen: field('保司直付', fen),
  cardFen: field('卡抵扣', fen),
  selfPayFen: field('自付', fen),
  refundedFen: field('已退', fen),
  state: field('状态', state),
  waitingFor: field('等待方', z.nullable(waitingParties.schema)),
  stepSince: field('当前步骤开始', instantOut),
  stepDue: field('当前步骤时限', instantOrNull),
  holder: field('处理人', textOrNull),
  sellerName: field('供应商/药店', textOrNull, { width: 170 }),
  createdAt: field('下单时间', instantOut),
  paidAt: field('支付时间', instantOrNull),
  version: z.int(),
  allowedActions: actionsOf(orderMachine),
};
const orderRow = z.strictObject(row);
export type OrderRow = z.output<typeof orderRow>;

const sought = {
  orderNo: z.optional(wholeText('订单号/外部单号', 40)),
  patientKeyword: z.optional(wholeText('患者姓名/手机号/证件号', 40)),
  bizLine: field('业务线', z.optional(several(bizLines.schema))),
  orderType: field('订单类型', z.optional(several(orderTypes.schema))),
  origin: field('订单来源', z.optional(several(orderOrigins.schema))),
  productCode: z.optional(wholeText('产品编码', 40)),
  insurerId: field('保司', z.optional(id)),
  drugstoreId: field('药店', z.optional(id)),
  supplierId: field('供应商', z.optional(id)),
  goodsCode: z.optional(wholeText('商品编码', 40)),
  createdFrom: field('下单时间起', z.optional(day)),
  createdTo: field('下单时间止', z.optional(day)),
  paidFrom: field('支付时间起', z.optional(day)),
  paidTo: field('支付时间止', z.optional(day)),
  onlyException: field('仅看异常', z.optional(flag)),
  overSla: field('仅看超时', z.optional(flag)),
};

export const queryOrderList = orderService.list({
  operation: 'queryOrderList',
  label: '查询订单',
  access: view,
  filter: { ...sought, state: field('状态', z.optional(several(state))), ...sortedBy('orderNo', 'createdAt') },
  output: orderRow,
});
export const exportOrderList = exportOf(queryOrderList, {
  operation: 'exportExcel',
  method: 'GET',
  notInAddress: ['patientKeyword'],
  label: '导出订单',
  access: may['order.export'],
});

/** What the orders of a filter come to, and how many of them stand in each state; the counts leave the state of the filter out. */
export const queryOrderSum = orderService.read({
  operation: 'queryOrderSum',
  label: '查询订单合计',
  access: view,
  input: { ...sought, state: field('状态', z.optional(several(state))) },
  output: z.strictObject({
    orders: z.int(),
    payableFen: z.string(),
    selfPayFen: z.string(),
    benefitFen: z.string(),
    cardFen: z.string(),
    counts: z.record(z.string(), z.int()),
  }),
});

const lineOut = z.strictObject({
  id: idOut,
  lineNo: z.int(),
  medicineId: idOrNull,
  goodsCode: field('商品编码', z.string()),
  goodsName: field('商品', z.string()),
  spec: field('规格', z.string()),
  manufacturer: field('生产企业', textOrNull),
  approvalNo: field('批准文号', textOrNull),
  quantity: field('数量', z.int()),
  unitPriceFen: field('单价', fen),
  amountFen: field('金额', fen),
  discountFen: field('优惠', fen),
  freightFen: field('运费', fen),
  rxRequired: z.boolean(),
  coldChain: z.boolean(),
  daysSupply: intOrNull,
  allocatedQty: field('已分配', z.int()),
  shippedQty: field('已发货', z.int()),
  refundedQty: field('已退数量', z.int()),
  refundedUnsent: field('未发货已退', z.int()),
  traceCodes: z.array(z.string()),
});
const fundingOut = z.strictObject({
  id: idOut,
  kind: field('支付方式', fundingKinds.schema),
  refName: z.string(),
  amountFen: fen,
  refundedFen: fen,
  state: fundingStates.schema,
  shares: z.array(z.strictObject({ orderLineId: idOut, amountFen: fen, refundedFen: fen })),
});
const rxFile = z.strictObject({
  fileId: idOut,
  fileName: z.string(),
  detectedType: textOrNull,
  pageCount: intOrNull,
  size: intOrNull,
});

const orderDetail = z.strictObject({
  order: orderRow,
  patientId: idOut,
  contractId: idOrNull,
  insurerName: field('保司', textOrNull),
  productCode: field('产品编码', textOrNull),
  drugstoreName: field('药店', textOrNull),
  receiverName: field('收货人', textOrNull),
  receiverMobile: field('收货手机号', textOrNull),
  regionText: field('省市区', textOrNull),
  adcode: textOrNull,
  address: field('详细地址', textOrNull),
  goodsFen: field('商品金额', fen),
  freightFen: field('运费', fen),
  discountFen: field('优惠', fen),
  rxNo: field('处方编号', textOrNull),
  /** For pharmacists alone. */
  diagnosis: field('诊断', textOrNull),
  rxResult: field('审方结果', rxResults.schema),
  rxByName: field('审方药师', textOrNull),
  rxAt: field('审方时间', instantOrNull),
  rxReasons: z.array(rxReasons.schema),
  rxFiles: z.array(rxFile),
  suggestNo: field('用药建议', textOrNull),
  buyerRemark: field('买家备注', z.string()),
  staffRemark: field('备注', z.string()),
  payDeadline: field('支付时限', instantOrNull),
  completedAt: field('完成时间', instantOrNull),
  cancelledAt: field('取消时间', instantOrNull),
  cancelReason: field('取消原因', z.nullable(cancelReasons.schema)),
  interceptTags: z.array(z.string()),
  lease: z.nullable(z.strictObject({ displayName: z.string(), mine: z.boolean(), until: instantOut, token: textOrNull })),
  lines: z.array(lineOut),
  fundings: z.array(fundingOut),
  trail,
});
export type OrderDetail = z.output<typeof orderDetail>;

export const queryOrderDetail = orderService.read({
  operation: 'queryOrderDetail',
  label: '查询订单详情',
  access: view,
  input: { orderId },
  output: orderDetail,
});

/** What the full value may be asked of. */
export const ORDER_SECRETS = ['buyerName', 'buyerMobile', 'receiverName', 'receiverMobile', 'address'] as const;
export const revealOrder = orderService.reveal({
  operation: 'revealOrder',
  label: '查看订单敏感信息明文',
  access: may['order.reveal'],
  input: { field: field('字段', z.enum(ORDER_SECRETS, '字段不正确')) },
});

const onOrder = { orderId, version };
const answer = acted(state);

const rx = { access: may['rx.audit'] } as const;
const leased = z.strictObject({ ...answer.shape, leaseToken: z.string(), leaseUntil: instantOut });
const leaseToken = field('审方占用', z.string('缺少审方占用').check(z.minLength(1, '缺少审方占用'), z.maxLength(64, '审方占用不正确')));

export const claimRx = orderService.act({ operation: 'claimRx', label: '领取审方', ...rx, input: { orderId }, output: leased });
export const claimNextRx = orderService.act({ operation: 'claimNextRx', label: '领取下一单审方', ...rx, input: {}, output: leased });
export const heartbeatRx = orderService.act({
  operation: 'heartbeatRx',
  label: '延续审方占用',
  ...rx,
  silent: true,
  input: { orderId, leaseToken },
  output: z.strictObject({ leaseUntil: instantOut }),
});
export const releaseRx = orderService.act({
  operation: 'releaseRx',
  label: '放回待审方',
  ...rx,
  message: '已放回',
  input: { orderId, leaseToken },
  output: answer,
});
export const auditRx = orderService.act({
  operation: 'auditRx',
  label: '审方',
  ...rx,
  ...CHANGED,
  input: z
    .strictObject({
      ...onOrder,
      leaseToken,
      result: field('审方结果', z.enum(['PASSED', 'FAILED'], '请选择审方结果')),
      reasonCodes: field('不通过原因', z._default(z.array(rxReasons.schema).check(z.maxLength(7)), [])),
      opinion: optionalText('意见', 500),
    })
    .check(
      between<{ result: string; reasonCodes: readonly string[] }>(
        ['result', 'reasonCodes'],
        ({ result, reasonCodes }) => result === 'PASSED' || reasonCodes.length > 0,
        '请选择不通过原因',
      ),
      between<{ result: string; opinion: string }>(
        ['result', 'opinion'],
        ({ result, opinion: text }) => result === 'PASSED' || text.length >= 2,
        '请输入意见',
      ),
    ),
  output: answer,
});

export const modifyOrderAddress = orderService.act({
  operation: 'modifyOrderAddress',
  label: '修改收货地址',
  access: may['order.edit'],
  ...CHANGED,
  input: { ...onOrder, ...receiver },
  output: answer,
});
export const addOrderRemark = orderService.act({
  operation: 'addOrderRemark',
  label: '备注订单',
  access: may['order.edit'],
  ...CHANGED,
  input: { ...onOrder, staffRemark: text('备注', 200) },
  output: answer,
});
/** 重新扣卡: the cards that did not pay are held and written off anew, for the amounts that were asked of them. */
export const payCardsAgain = orderService.act({
  operation: 'payCardsAgain',
  label: '重新扣卡',
  access: may['exception.handle'],
  idempotency: 'required',
  message: '扣卡成功!',
  input: onOrder,
  output: answer,
});
export const cancelOrder = orderService.act({
  operation: 'cancelOrder',
  label: '取消订单',
  access: may['order.cancel'],
  idempotency: 'required',
  message: '取消成功!',
  input: { ...onOrder, reasonCode: field('取消原因', z.enum(CHOSEN_CANCELS, '请选择取消原因')), opinion },
  output: answer,
});

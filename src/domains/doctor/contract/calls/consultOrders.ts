import * as z from 'zod/mini';
import { actionAnswer } from '#kernel/contract/actionAnswer.ts';
import { access } from '#kernel/contract/call.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import {
  fen,
  fenOut,
  flag,
  id,
  idOut,
  instant,
  instantOut,
  numberOrNull,
  several,
  text,
  textOrNull,
  version,
  mobileText,
  personName,
  int4,
} from '#kernel/contract/fields.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';
import { trail } from '#kernel/contract/trail.ts';
import { advanceSteps, closeReasons, discountSources, itemTypes, payChannels, refundOutcomes, refundReasons } from '../dictionaries.ts';
import { at } from '../fields.ts';
import { sought } from '../orderFields.ts';
import { consultOrderMachine, consultRefundMachine } from '../orderStates.ts';
import { doctorMachinePermissions as machine, doctorPermissions as may } from '../permissions.ts';

const service = declareService('PayConsultationService');
const view = may['consult.view'];
const states = consultOrderMachine.dictionary.schema;
const idOrNull = z.nullable(idOut);
const atOrNull = z.nullable(at);

/** Two more tabs beside the states. */
const orderQueues = ['OVERDUE', 'REFUND_AUDIT'] as const;

const filters = {
  orderNo: sought('订单号', 24),
  doctorName: sought('医生', 30),
  patientMobile: field('患者手机号', z.optional(z.string().check(z.regex(/^1\d{10}$/, '患者手机号格式不正确')))),
  itemType: field('服务类型', z.optional(several(itemTypes.schema))),
  state: z.optional(several(states)),
  queue: field('队列', z.optional(z.enum(orderQueues, '页签不正确'))),
  channelId: field('渠道', z.optional(id)),
  doctorId: field('医生', z.optional(id)),
  patientId: field('患者', z.optional(id)),
  assistantId: field('医助', z.optional(id)),
  paidFrom: field('支付时间起', z.optional(instant)),
  paidTo: field('支付时间止', z.optional(instant)),
  payFenFrom: field('实付从', z.optional(fen)),
  payFenTo: field('实付至', z.optional(fen)),
  overdue: field('是否超时', z.optional(flag)),
};
const row = z.strictObject({
  id: idOut,
  orderNo: field('订单号', z.string(), { width: 160 }),
  patientId: idOut,
  patientName: field('患者', z.string()),
  patientMobile: field('手机号', textOrNull),
  doctorId: idOut,
  doctorName: field('医生', z.string()),
  doctorNo: field('医生编号', z.string(), { width: 144 }),
  itemName: field('服务', z.string(), { width: 160 }),
  itemType: field('服务类型', itemTypes.schema),
  channelId: idOrNull,
  channelName: field('渠道', textOrNull, { width: 192 }),
  discountSource: field('优惠来源', discountSources.schema),
  budgetUsedUp: z.boolean(),
  priceFen: field('原价（元）', fenOut),
  discountFen: field('优惠（元）', fenOut),
  payFen: field('实付（元）', fenOut),
  refundedFen: field('已退（元）', fenOut),
  state: field('状态', states),
  payChannel: field('支付渠道', payChannels.schema),
  payResult: textOrNull,
  payFlag: textOrNull,
  slotAt: field('预约时间', z.nullable(instantOut)),
  expireAt: at,
  acceptDueAt: atOrNull,
  replyDueAt: atOrNull,
  firstReplyAt: atOrNull,
  assistantId: idOrNull,
  assistantName: field('医助', textOrNull),
  groupId: textOrNull,
  closeReason: z.nullable(closeReasons.schema),
  createdAt: field('下单时间', instantOut),
  paidAt: field('支付时间', z.nullable(instantOut)),
  version: z.int(),
  refund: z.nullable(
    z.strictObject({
      id: idOut,
      refundNo: z.string(),
      amountFen: z.string(),
      state: consultRefundMachine.dictionary.schema,
      reason: refundReasons.schema,
      makerId: idOrNull,
    }),
  ),
});
export type ConsultOrderRow = z.output<typeof row>;

export const queryPayConsultationList = service.list({
  operation: 'queryPayConsultationList',
  label: '查询付费咨询',
  access: view,
  filter: { ...filters, ...sortedBy('orderNo', 'createdAt') },
  output: row,
});
/** Totals over the filter, and how many stand in each tab (the tabs' own field left out). */
export const queryPayConsultationSum = service.read({
  operation: 'queryPayConsultationSum',
  label: '汇总付费咨询',
  access: view,
  input: filters,
  output: z.strictObject({
    orders: z.int(),
    priceFen: z.string(),
    discountFen: z.string(),
    paidFen: z.string(),
    refundedFen: z.string(),
    tabs: z.record(z.string(), z.int()),
  }),
});
export const exportPayConsultationList = exportOf(queryPayConsultationList, {
  operation: 'exportPayConsultationList',
  label: '导出付费咨询',
  access: may['consult.export'],
});

export const refundCalc = z.strictObject({
  rule: z.enum(['ALL', 'NONE', 'REPLIES', 'PERIOD', 'HAND', 'LATE']),
  payFen: z.int(),
  refundedFen: z.int(),
  total: numberOrNull,
  used: numberOrNull,
  proposedFen: z.int(),
  limitFen: z.int(),
});
const refund = z.strictObject({
  id: idOut,
  refundNo: z.string(),
  amountFen: z.string(),
  calc: refundCalc,
  reason: refundReasons.schema,
  opinion: textOrNull,
  patientNote: textOrNull,
  makerName: textOrNull,
  checkerName: textOrNull,
  checkOpinion: textOrNull,
  state: consultRefundMachine.dictionary.schema,
  channelRefundNo: textOrNull,
  failReason: textOrNull,
  /** Found out of the channel by somebody, while its own answer is open. */
  found: z.nullable(
    z.strictObject({ outcome: refundOutcomes.schema, refundNo: textOrNull, note: z.string(), fileId: idOrNull, byName: textOrNull, at }),
  ),
  createdAt: at,
  finishedAt: atOrNull,
  version: z.int(),
  allowedActions: z.array(z.string()),
});
export type ConsultRefundRow = z.output<typeof refund>;
export const queryPayConsultationDetail = service.read({
  operation: 'queryPayConsultationDetail',
  label: '查看付费咨询',
  access: view,
  input: { id },
  output: z.strictObject({
    order: row,
    item: z.strictObject({
      itemCode: z.string(),
      itemName: z.string(),
      careKind: z.string(),
      billing: z.enum(['TIME', 'REPLIES', 'PERIOD']),
      acceptHours: z.int(),
      replyHours: z.int(),
      validHours: z.int(),
      quotaReplies: numberOrNull,
      periodDays: numberOrNull,
      durationMin: numberOrNull,
    }),
    usedReplies: z.int(),
    acceptedAt: atOrNull,
    endedAt: atOrNull,
    completedAt: atOrNull,
    channelTradeNo: textOrNull,
    inquiryId: idOrNull,
    agentName: textOrNull,
    sceneCodeId: idOrNull,
    overload: z.boolean(),
    refunds: z.array(refund),
    notices: z.array(
      z.strictObject({
        channelTradeNo: z.string(),
        payChannel: payChannels.schema,
        amountFen: z.string(),
        paidAt: at,
        outcome: z.string(),
        source: z.string(),
        at,
      }),
    ),
    trail,
    allowedActions: z.array(z.string()),
  }),
});

/** Closes an unpaid order after asking the pay channel. */
export const cancelPayConsultation = service.act({
  operation: 'cancelPayConsultation',
  label: '取消付费咨询',
  access: may['consult.edit'],
  input: { id, version, opinion: z.optional(text('意见', 500)) },
  output: actionAnswer,
});
/** Asks the pay channel what became of a payment; once in ten seconds and order. */
export const syncPayConsultation = service.act({
  operation: 'syncPayConsultation',
  label: '查询支付结果',
  access: may['consult.edit'],
  input: { id },
  output: z.strictObject({ ...actionAnswer.shape, payResult: z.enum(['WAITING', 'PAID', 'FAILED', 'CLOSED', 'UNKNOWN']) }),
});
export const revealPayConsultation = service.act({
  operation: 'revealPayConsultation',
  label: '查看付费咨询患者信息',
  access: may['sensitive.reveal'],
  log: 'REVEAL',
  input: { id, field: field('字段', z.enum(['patientName', 'patientMobile'], '字段不正确')), reason: z.optional(text('查看原因', 200)) },
  output: z.strictObject({ value: textOrNull }),
});

const created = z.strictObject({
  orderId: idOut,
  orderNo: z.string(),
  state: states,
  priceFen: z.int(),
  discountFen: z.int(),
  payFen: z.int(),
  discountSource: discountSources.schema,
  budgetUsedUp: z.boolean(),
  expireAt: at,
  payUrl: textOrNull,
});
const intranet = declareService('PayConsultationService', 'intranet');
export const createConsultOrderInput = z.strictObject({
  patient: field(
    '患者',
    z.strictObject({
      patientId: field('患者', id),
      name: personName('患者姓名', 60, 1),
      mobile: field('患者手机号', z.nullable(mobileText('患者手机号格式不正确'))),
    }),
  ),
  openingId: field('开通的服务', id),
  slotAt: field('预约时段', z.optional(z.nullable(instant))),
  scanToken: z.optional(z.nullable(text('扫码凭证', 500))),
  payChannel: field('支付渠道', z.optional(z.enum(['WECHAT', 'ALIPAY'], '支付渠道不正确'))),
});
/** A patient buys what a doctor offers. */
export const createConsultOrder = intranet.act({
  operation: 'createConsultOrder',
  label: '创建付费咨询订单',
  access: access.signed(machine.order, 'MINI_APP'),
  input: createConsultOrderInput,
  output: created,
});

export const advanceConsultOrderInput = z.strictObject({
  orderId: field('订单', id),
  step: field('环节', advanceSteps.schema),
  usedReplies: field('已用回合数', z._default(int4('回合数须为整数').check(z.minimum(0, '回合数不能为负数')), 0)),
});
const advanced = z.strictObject({
  orderId: idOut,
  state: states,
  refundFen: z.int(),
  /** This very step had been reported before. */
  repeated: z.boolean(),
});
/** Consultation reports how the service goes on. */
export const advanceConsultOrder = intranet.act({
  operation: 'advanceConsultOrder',
  label: '推进付费咨询订单',
  access: access.signed(machine.advance, 'MINI_APP', 'OTHER'),
  input: advanceConsultOrderInput,
  output: advanced,
});

/** A payment that a gateway of the intranet took in. */
export const notifyConsultPay = intranet.act({
  operation: 'notifyConsultPay',
  label: '付费咨询支付通知',
  access: access.signed(machine.pay, 'PAY'),
  input: {
    payChannel: field('支付渠道', z.enum(['WECHAT', 'ALIPAY'], '支付渠道不正确')),
    orderNo: text('订单号', 24, 1),
    channelTradeNo: text('渠道交易号', 64, 1),
    amountFen: field('金额', fen),
    paidAt: field('支付时间', instant),
  },
  output: z.strictObject({ orderId: idOut, state: states, outcome: z.enum(['PAID', 'LATE', 'TWICE', 'REPEATED']) }),
});

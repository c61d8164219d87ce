import * as z from 'zod/mini';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { field } from '#kernel/contract/field.ts';
import {
  day,
  dayOut,
  fen,
  id,
  idOut,
  instant,
  instantOut,
  optionalText,
  several,
  text,
  textOrNull,
  version,
  wholeText,
} from '#kernel/contract/fields.ts';
import { actionsOf } from '#kernel/contract/offeredActions.ts';
import { acted, CHANGED, declareService } from '#kernel/contract/service.ts';
import { contractPayChannels, HAND_CHANNELS, payFlags, payOutcomes, paySources } from '../contractDictionaries.ts';
import { contractMachine, contractPayMachine, contractRefundMachine } from '../contractStates.ts';
import { payPermissions as may } from '../permissions.ts';
import { refundCalc, shownFile } from './contracts.ts';

const service = declareService('ContractPayService', 'product');
const view = may['pay.view'];

const payFacts = {
  id: idOut,
  payNo: field('支付单号', z.string(), { width: 170 }),
  amountFen: field('应付', fen),
  refundedFen: field('已退', fen),
  channel: field('支付渠道', contractPayChannels.schema, { width: 90 }),
  payerName: field('付款人', z.string(), { width: 90 }),
  channelTradeNo: field('渠道交易号', textOrNull, { width: 230 }),
  expireAt: field('支付期限', instantOut),
  paidAt: field('支付时间', z.nullable(instantOut)),
  flag: field('异常', z.nullable(payFlags.schema), { width: 110 }),
  makerName: field('登记人', textOrNull, { width: 90 }),
  checkerName: field('复核人', textOrNull, { width: 90 }),
  state: field('状态', contractPayMachine.dictionary.schema),
};
const payRow = z.strictObject({
  ...payFacts,
  proof: z.nullable(shownFile),
  /** Where the payer pays; null: not over a channel, or not any more. */
  link: textOrNull,
  /** Whoever looks may ask for a refund: something is left of it, and no other refund of it is open. */
  mayRefund: z.boolean(),
  version: z.int(),
  allowedActions: actionsOf(contractPayMachine),
});
const refundRow = z.strictObject({
  id: idOut,
  refundNo: field('退款单号', z.string()),
  payId: idOut,
  payNo: field('支付单号', z.string()),
  amountFen: field('退款金额', fen),
  reason: field('退款原因', z.string()),
  calc: refundCalc,
  makerName: field('申请人', z.string()),
  checkerName: field('复核人', textOrNull),
  opinion: textOrNull,
  channelRefundNo: field('退款流水号', textOrNull),
  refundedAt: field('退款时间', z.nullable(instantOut)),
  failReason: field('失败原因', textOrNull),
  proof: z.nullable(shownFile),
  /** Paid by hand: whoever agrees says how it was paid back. */
  byHand: z.boolean(),
  createdAt: field('申请时间', instantOut),
  state: field('状态', contractRefundMachine.dictionary.schema),
  version: z.int(),
  allowedActions: actionsOf(contractRefundMachine),
});
const notice = z.strictObject({
  id: idOut,
  payNo: field('支付单号', z.string()),
  channel: field('支付渠道', contractPayChannels.schema),
  channelTradeNo: field('渠道交易号', z.string()),
  amountFen: field('到账金额', fen),
  paidAt: field('支付时间', instantOut),
  source: field('来源', paySources.schema),
  outcome: field('处理结果', payOutcomes.schema),
  at: field('收到时间', instantOut),
});

export const queryContractPayDetail = service.read({
  operation: 'queryContractPayDetail',
  label: '查看签约支付',
  access: view,
  input: { contractId: field('合同', id) },
  output: z.strictObject({
    contract: z.strictObject({
      id: idOut,
      contractNo: field('合同编号', z.string()),
      insuredName: field('被保人', z.string()),
      productName: field('产品', z.string()),
      state: contractMachine.dictionary.schema,
      feeFen: field('应付', fen),
      paidFen: field('已付', fen),
      refundedFen: field('已退', fen),
      /** On its way back. */
      refundingFen: field('待退', fen),
    }),
    pays: z.array(payRow),
    refunds: z.array(refundRow),
    notices: z.array(notice),
  }),
});

export const queryContractPayList = service.list({
  operation: 'queryContractPayList',
  label: '查询签约支付',
  access: view,
  filter: {
    payNo: z.optional(wholeText('支付单号', 30)),
    contractNo: z.optional(wholeText('合同编号', 30)),
    channel: field('支付渠道', z.optional(several(contractPayChannels.schema))),
    state: field('状态', z.optional(several(contractPayMachine.dictionary.schema))),
    paidFrom: field('支付时间从', z.optional(instant)),
    paidTo: field('支付时间到', z.optional(instant)),
  },
  output: z.strictObject({
    ...payFacts,
    contractId: idOut,
    contractNo: field('合同编号', z.string(), { width: 170 }),
    insuredName: field('被保人', z.string(), { width: 90 }),
    dueOn: field('应付日', dayOut, { width: 110 }),
    createdAt: field('建立时间', instantOut),
  }),
});
export const exportContractPayList = exportOf(queryContractPayList, {
  operation: 'exportContractPayList',
  label: '导出签约支付',
  access: may['pay.export'],
});

const payAnswer = acted(contractPayMachine.dictionary.schema);
export const syncContractPay = service.act({
  operation: 'syncContractPay',
  label: '查询支付结果',
  access: view,
  input: { payId: field('支付单', id) },
  output: payAnswer,
});
export const registerOfflinePay = service.act({
  operation: 'registerOfflinePay',
  label: '登记线下支付',
  access: may['pay.refund'],
  idempotency: 'required',
  message: '登记成功!',
  input: {
    payId: field('支付单', id),
    version,
    channel: field('支付渠道', z.enum(HAND_CHANNELS, '请选择支付渠道')),
    amountFen: field('到账金额', z.int('请输入到账金额').check(z.minimum(1, '到账金额须大于0')), { kind: 'money' }),
    paidOn: field('到账日期', day),
    payerName: text('付款人', 60, 1),
    bankSerialNo: text('银行流水号', 40, 4),
    proofFileId: field('到账凭证', id),
  },
  output: payAnswer,
});
const decision = field('结论', z.enum(['approve', 'reject'], '请选择结论'));
export const auditOfflinePay = service.act({
  operation: 'auditOfflinePay',
  label: '复核线下支付',
  access: may['pay.refundAudit'],
  ...CHANGED,
  input: { payId: field('支付单', id), version, decision, opinion: optionalText('意见', 500) },
  output: payAnswer,
});

const refundAnswer = acted(contractRefundMachine.dictionary.schema);
export const addContractRefund = service.act({
  operation: 'addContractRefund',
  label: '申请签约退款',
  access: may['pay.refund'],
  idempotency: 'required',
  message: '提交成功!',
  input: {
    payId: field('支付单', id),
    amountFen: field('退款金额', z.int('请输入退款金额').check(z.minimum(1, '退款金额须大于0')), { kind: 'money' }),
    reason: text('退款原因', 200, 2),
  },
  output: refundAnswer,
});
export const auditContractRefund = service.act({
  operation: 'auditContractRefund',
  label: '复核签约退款',
  access: may['pay.refundAudit'],
  idempotency: 'required',
  ...CHANGED,
  input: {
    refundId: field('退款单', id),
    version,
    decision,
    opinion: optionalText('意见', 500),
    /** Of money that goes back by hand. */
    bankSerialNo: field('打款流水号', z.optional(text('打款流水号', 40, 4))),
    paidOn: field('打款日期', z.optional(day)),
    proofFileId: field('打款凭证', z.optional(id)),
  },
  output: refundAnswer,
});

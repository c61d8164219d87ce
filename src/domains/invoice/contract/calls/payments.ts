import * as z from 'zod/mini';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { field } from '#kernel/contract/field.ts';
import { fen, id, idOut, instant, instantOut, several, textOrNull, wholeText } from '#kernel/contract/fields.ts';
import { acted, declareService } from '#kernel/contract/service.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { trail } from '#kernel/contract/trail.ts';
import { payChannels, payFlags } from '../dictionaries.ts';
import { invoicePermissions as may } from '../permissions.ts';
import { paymentMachine } from '../states.ts';
import { refundRow } from './refunds.ts';

const service = declareService('PaymentService');
const view = may['payment.view'];

const paymentRow = z.strictObject({
  id: idOut,
  paymentNo: field('支付单号', z.string(), { width: 170 }),
  sourceId: idOut,
  sourceNo: field('订单号', z.string(), { width: 170 }),
  title: field('商品', z.string(), { width: 180 }),
  channel: field('支付渠道', payChannels.schema, { width: 90 }),
  amountFen: field('应付', fen),
  receivedFen: field('实收', z.nullable(fen)),
  refundedFen: field('已退', fen),
  /** On its way back, or waiting to go. */
  refundingFen: field('待退', fen),
  refundableFen: field('可退', fen),
  flag: field('异常', z.nullable(payFlags.schema), { width: 110 }),
  channelTradeNo: field('渠道交易号', textOrNull, { width: 230 }),
  createdAt: field('发起时间', instantOut),
  expireAt: field('支付期限', instantOut),
  paidAt: field('支付时间', z.nullable(instantOut)),
  failReason: field('失败原因', textOrNull, { width: 160 }),
  status: field('状态', paymentMachine.dictionary.schema),
  version: z.int(),
});
export type PaymentRow = z.output<typeof paymentRow>;

const filters = {
  paymentNo: z.optional(wholeText('支付单号', 30)),
  sourceNo: z.optional(wholeText('订单号', 40)),
  channel: field('支付渠道', z.optional(several(payChannels.schema))),
  flag: field('异常', z.optional(several(payFlags.schema))),
  status: field('状态', z.optional(several(paymentMachine.dictionary.schema))),
  paidFrom: field('支付时间起', z.optional(instant)),
  paidTo: field('支付时间止', z.optional(instant)),
};
export const queryPaymentList = service.list({
  operation: 'queryPaymentList',
  label: '查询收款单',
  access: view,
  filter: { ...filters, ...sortedBy('paymentNo', 'createdAt') },
  output: paymentRow,
});
export const exportPayment = exportOf(queryPaymentList, {
  operation: 'exportPayment',
  label: '导出收款单',
  access: may['payment.export'],
});
/** Sums over what a filter finds. */
export const queryPaymentTotal = service.read({
  operation: 'queryPaymentTotal',
  label: '汇总收款单',
  access: view,
  input: filters,
  output: z.strictObject({ count: z.int(), received: fen, refunding: fen, refunded: fen }),
});
export const queryPaymentDetail = service.read({
  operation: 'queryPaymentDetail',
  label: '查看收款单',
  access: view,
  input: { paymentId: field('收款单', id) },
  output: z.strictObject({ payment: paymentRow, refunds: z.array(refundRow), trail }),
});
/** Asks the channel once what became of a payment that is open. */
export const queryChannelResult = service.act({
  operation: 'queryChannelResult',
  label: '查询支付结果',
  access: view,
  input: { paymentId: field('收款单', id) },
  output: acted(paymentMachine.dictionary.schema),
});

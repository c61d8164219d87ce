import * as z from 'zod/mini';
import { between } from '#kernel/contract/between.ts';
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
  intOrNull,
  optionalText,
  personName,
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
import { payChannels, refundSources, refundWays } from '../dictionaries.ts';
import { invoicePermissions as may } from '../permissions.ts';
import { refundMachine } from '../states.ts';

const service = declareService('PaymentService');
const view = may['payment.view'];

export const refundRow = z.strictObject({
  id: idOut,
  refundNo: field('退款单号', z.string(), { width: 170 }),
  paymentId: idOut,
  paymentNo: field('支付单号', z.string(), { width: 170 }),
  sourceNo: field('订单号', z.string(), { width: 170 }),
  sourceType: field('来源', refundSources.schema, { width: 100 }),
  channel: field('支付渠道', payChannels.schema, { width: 90 }),
  amountFen: field('退款金额', fen),
  way: field('方式', refundWays.schema, { width: 90 }),
  payeeName: field('收款人', textOrNull, { width: 90 }),
  payeeBank: field('收款银行', textOrNull, { width: 150 }),
  payeeAccountMasked: field('收款账号', textOrNull, { width: 170 }),
  reason: field('退款原因', z.string(), { width: 180 }),
  batchId: z.nullable(idOut),
  batchNo: field('批次', textOrNull, { width: 170 }),
  /** Sent by a job, needs no batch. */
  byItself: z.boolean(),
  attempt: field('尝试次数', z.int(), { width: 90 }),
  channelRefundNo: field('渠道退款号', textOrNull, { width: 230 }),
  failReason: field('失败原因', textOrNull, { width: 180 }),
  makerName: field('申请人', z.string(), { width: 90 }),
  checkerName: field('审核人', textOrNull, { width: 90 }),
  createdAt: field('申请时间', instantOut),
  refundedAt: field('退款时间', z.nullable(instantOut)),
  status: field('状态', refundMachine.dictionary.schema),
  version: z.int(),
  allowedActions: actionsOf(refundMachine),
});
export type RefundRow = z.output<typeof refundRow>;

export const queryRefundList = service.list({
  operation: 'queryRefundList',
  label: '查询退款单',
  access: view,
  filter: {
    ...sortedBy('refundNo', 'createdAt'),
    refundNo: z.optional(wholeText('退款单号', 30)),
    paymentNo: z.optional(wholeText('支付单号', 30)),
    sourceNo: z.optional(wholeText('订单号', 40)),
    batchNo: z.optional(wholeText('批次号', 30)),
    sourceType: field('来源', z.optional(several(refundSources.schema))),
    way: field('方式', z.optional(refundWays.schema)),
    status: field('状态', z.optional(several(refundMachine.dictionary.schema))),
    createdFrom: field('申请时间起', z.optional(instant)),
    createdTo: field('申请时间止', z.optional(instant)),
  },
  output: refundRow,
});
export const exportRefund = exportOf(queryRefundList, {
  operation: 'exportRefund',
  label: '导出退款单',
  access: may['payment.export'],
});
const shownFile = z.strictObject({
  fileId: idOut,
  fileName: z.string(),
  detectedType: textOrNull,
  pageCount: intOrNull,
  size: intOrNull,
});
export const queryRefundDetail = service.read({
  operation: 'queryRefundDetail',
  label: '查看退款单',
  access: view,
  input: { refundId: field('退款单', id) },
  output: z.strictObject({
    refund: refundRow,
    /** Of a transfer by hand: when, under what number, who entered and who checked it. */
    paidOn: field('转账日期', z.nullable(dayOut)),
    bankSerialNo: field('银行流水号', textOrNull),
    voucher: z.nullable(shownFile),
    voucherByName: field('登记人', textOrNull),
    voucherCheckerName: field('复核人', textOrNull),
    opinion: field('审核意见', textOrNull),
    trail,
  }),
});

const answer = acted(refundMachine.dictionary.schema);
const onRefund = { refundId: field('退款单', id), version };
const way = field('方式', refundWays.schema);
const payee = {
  payeeName: field('收款人', z.optional(personName('收款人', 60, 2))),
  payeeBank: field('收款银行', z.optional(text('收款银行', 60, 2))),
  payeeAccount: field('收款账号', z.optional(text('收款账号', 30).check(z.regex(/^\d{12,30}$/, '收款账号应为12–30位数字')))),
};
interface Way {
  way: 'ORIGINAL' | 'OFFLINE';
  payeeName?: string | undefined;
  payeeBank?: string | undefined;
  payeeAccount?: string | undefined;
}
const required = (key: 'payeeName' | 'payeeBank' | 'payeeAccount', label: string) =>
  between<Way>(['way', key], (given) => given.way === 'ORIGINAL' || Boolean(given[key]), `请填写${label}`);

export const addRefund = service.act({
  operation: 'addRefund',
  label: '新建退款',
  access: may['refund.make'],
  idempotency: 'required',
  message: '提交成功!',
  secrets: ['payeeAccount'],
  input: z
    .strictObject({
      paymentId: field('收款单', id),
      amountFen: field('退款金额', z.int('请输入退款金额').check(z.minimum(1, '退款金额须大于0')), { kind: 'money' }),
      way,
      ...payee,
      reason: text('退款原因', 200, 2),
    })
    .check(required('payeeName', '收款人'), required('payeeBank', '收款银行'), required('payeeAccount', '收款账号')),
  output: answer,
});
export const auditRefund = service.act({
  operation: 'auditRefund',
  label: '审核退款',
  access: may['refund.approve'],
  idempotency: 'required',
  ...CHANGED,
  input: { ...onRefund, decision: field('结论', z.enum(['approve', 'reject'], '请选择结论')), opinion: optionalText('意见', 500) },
  output: answer,
});
/** What failed is tried once more, the same way or by transfer; a transfer is looked at by another person first. */
export const reopenRefund = service.act({
  operation: 'reopenRefund',
  label: '重新处理退款',
  access: may['refund.make'],
  secrets: ['payeeAccount'],
  ...CHANGED,
  input: z
    .strictObject({ ...onRefund, way, ...payee })
    .check(required('payeeName', '收款人'), required('payeeBank', '收款银行'), required('payeeAccount', '收款账号')),
  output: answer,
});
/** Asks the channel once what became of a refund that is open. */
export const queryRefundResult = service.act({
  operation: 'queryRefundResult',
  label: '查询退款结果',
  access: view,
  input: { refundId: field('退款单', id) },
  output: answer,
});

interface Transfer {
  result: 'PAID' | 'FAILED';
  bankSerialNo?: string | undefined;
  paidOn?: string | undefined;
  voucherFileId?: string | undefined;
  failReason?: string | undefined;
}
const needs = (result: Transfer['result'], key: Exclude<keyof Transfer, 'result'>, text: string) =>
  between<Transfer>(['result', key], (given) => given.result !== result || Boolean(given[key]), text);
/** The money was transferred by hand, or could not be. */
export const confirmOfflineRefund = service.act({
  operation: 'confirmOfflineRefund',
  label: '登记线下退款',
  access: may['refund.execute'],
  idempotency: 'required',
  message: '登记成功!',
  input: z
    .strictObject({
      ...onRefund,
      result: field('结果', z.enum(['PAID', 'FAILED'], '请选择结果')),
      bankSerialNo: field('银行流水号', z.optional(text('银行流水号', 60, 4))),
      paidOn: field('转账日期', z.optional(day)),
      voucherFileId: field('转账凭证', z.optional(id)),
      failReason: field('失败原因', z.optional(text('失败原因', 200, 2))),
    })
    .check(
      needs('PAID', 'bankSerialNo', '请填写银行流水号'),
      needs('PAID', 'paidOn', '请选择转账日期'),
      needs('PAID', 'voucherFileId', '请上传转账凭证'),
      needs('FAILED', 'failReason', '请填写失败原因'),
    ),
  output: answer,
});
export const auditOfflineRefund = service.act({
  operation: 'auditOfflineRefund',
  label: '复核线下退款',
  access: may['refund.approve'],
  idempotency: 'required',
  ...CHANGED,
  input: { ...onRefund, decision: field('结论', z.enum(['confirm', 'deny'], '请选择结论')), opinion: optionalText('意见', 500) },
  output: answer,
});
export const revealRefundPayee = service.reveal({
  operation: 'revealRefundPayee',
  label: '查看收款账号明文',
  access: may['invoice.reveal'],
  input: {},
});

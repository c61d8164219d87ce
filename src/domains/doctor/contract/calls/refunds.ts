import * as z from 'zod/mini';
import { between } from '#kernel/contract/between.ts';
import { fen, id, idOut, opinion, text } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';
import { refundCalc } from './consultOrders.ts';
import { refundOutcomes, refundReasons } from '../dictionaries.ts';
import { consultRefundMachine } from '../orderStates.ts';
import { doctorPermissions as may } from '../permissions.ts';

const service = declareService('PayConsultationService');
const amount = field('退款金额', fen.check(z.minimum(1, '退款金额须大于0')));
const result = z.strictObject({
  id: idOut,
  refundNo: z.string(),
  state: consultRefundMachine.dictionary.schema,
  version: z.int(),
  allowedActions: z.array(z.string()),
});

/** What a reason gives back, and how that comes about. */
export const previewConsultRefund = service.read({
  operation: 'previewConsultRefund',
  label: '试算咨询退款',
  access: may['consult.refund'],
  input: { orderId: field('订单', id), reason: field('退款原因', refundReasons.schema) },
  output: z.strictObject({ calc: refundCalc, /** Up to this amount nobody has to approve. */ autoFen: z.int() }),
});
export const addConsultRefund = service.act({
  operation: 'addConsultRefund',
  label: '申请咨询退款',
  access: may['consult.refund'],
  idempotency: 'required',
  message: '退款申请已提交!',
  input: {
    orderId: field('订单', id),
    amountFen: amount,
    reason: field('退款原因', refundReasons.schema),
    opinion,
    patientNote: z._default(text('对患者说明', 200), ''),
  },
  output: result,
});
export const auditConsultRefund = service.act({
  operation: 'auditConsultRefund',
  label: '复核咨询退款',
  access: may['consult.refundAudit'],
  idempotency: 'required',
  input: {
    refundId: field('退款', id),
    action: field('操作', z.enum(['approve', 'reject'], '操作不正确')),
    opinion: z.optional(text('意见', 500)),
  },
  output: result,
});

/** What somebody found out of the channel, with proof; it counts once another person has confirmed it. */
export const registerRefundResult = service.act({
  operation: 'registerRefundResult',
  label: '登记退款核实结果',
  access: may['consult.refund'],
  idempotency: 'required',
  message: '核实结果已登记，待另一人复核!',
  input: z
    .strictObject({
      refundId: field('退款', id),
      outcome: field('核实结果', refundOutcomes.schema),
      channelRefundNo: z.optional(text('渠道退款单号', 64)),
      fileId: field('渠道凭证', id),
      opinion,
    })
    .check(
      between(
        ['outcome', 'channelRefundNo'],
        ({ outcome, channelRefundNo }) => outcome !== 'SUCCESS' || (channelRefundNo ?? '').trim() !== '',
        '渠道已退款的，请填写渠道退款单号',
      ),
    ),
  output: result,
});
export const auditRefundResult = service.act({
  operation: 'auditRefundResult',
  label: '复核退款核实结果',
  access: may['consult.refundAudit'],
  idempotency: 'required',
  input: {
    refundId: field('退款', id),
    action: field('操作', z.enum(['confirm', 'dismiss'], '操作不正确')),
    opinion: z.optional(text('意见', 500)),
  },
  output: result,
});

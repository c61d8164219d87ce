import { stateMachine } from '#kernel/contract/stateMachine.ts';
import { invoiceErrors } from './errors.ts';

const system = { permission: 'system', opinion: 'none' } as const;
const make = { permission: 'invoice.refund.make' } as const;
const check = { permission: 'invoice.refund.approve', otherThan: invoiceErrors.OWN_DOCUMENT } as const;
const execute = { permission: 'invoice.refund.execute' } as const;

export const paymentMachine = stateMachine(
  'invoice.payment',
  {
    INIT: { label: '待支付', tone: 'warning' },
    PENDING: { label: '支付中', tone: 'processing' },
    UNKNOWN: { label: '结果未知', tone: 'warning' },
    SUCCESS: { label: '支付成功', tone: 'success' },
    FAILED: { label: '支付失败', tone: 'error' },
    CLOSED: { label: '已关闭' },
  },
  {
    create: { label: '发起支付', from: ['INIT'], ...system },
    open: { label: '打开支付页面', from: ['INIT'], to: 'PENDING', ...system },
    succeed: { label: '支付成功', from: ['INIT', 'PENDING', 'UNKNOWN', 'FAILED', 'CLOSED'], to: 'SUCCESS', ...system },
    fail: { label: '支付失败', from: ['PENDING', 'UNKNOWN'], to: 'FAILED', ...system },
    lose: { label: '结果未知', from: ['PENDING'], to: 'UNKNOWN', ...system },
    found: { label: '渠道确认未支付', from: ['UNKNOWN'], to: 'PENDING', ...system },
    close: { label: '关闭', from: ['INIT', 'PENDING', 'UNKNOWN'], to: 'CLOSED', ...system },
  },
);

export const refundMachine = stateMachine(
  'invoice.refund',
  {
    PENDING_AUDIT: { label: '待审核', tone: 'warning' },
    APPROVED: { label: '待退款', tone: 'processing' },
    REJECTED: { label: '已驳回', tone: 'error' },
    IN_BATCH: { label: '已入批', tone: 'processing' },
    PROCESSING: { label: '退款中', tone: 'processing' },
    CHECKING: { label: '线下待复核', tone: 'warning' },
    SUCCESS: { label: '退款成功', tone: 'success' },
    FAILED: { label: '退款失败', tone: 'error' },
    UNKNOWN: { label: '结果未知', tone: 'warning' },
  },
  {
    apply: { label: '提交退款', from: ['PENDING_AUDIT'], ...system },
    pass: { label: '自动退款', from: ['APPROVED'], ...system },
    refuse: { label: '不能原路退回', from: ['FAILED'], ...system },
    approve: { label: '审核通过', from: ['PENDING_AUDIT'], to: 'APPROVED', opinion: 'optional', ...check },
    reject: { label: '驳回', from: ['PENDING_AUDIT'], to: 'REJECTED', opinion: 'required', danger: true, ...check },
    addToBatch: { label: '加入批次', from: ['APPROVED'], to: 'IN_BATCH', ...system },
    removeFromBatch: { label: '移出批次', from: ['IN_BATCH'], to: 'APPROVED', ...system },
    send: { label: '发起退款', from: ['APPROVED', 'IN_BATCH'], to: 'PROCESSING', ...system },
    succeed: { label: '退款成功', from: ['PROCESSING', 'UNKNOWN'], to: 'SUCCESS', ...system },
    fail: { label: '退款失败', from: ['PROCESSING', 'UNKNOWN'], to: 'FAILED', ...system },
    lose: { label: '结果未知', from: ['PROCESSING'], to: 'UNKNOWN', ...system },
    reopen: { label: '重新处理', from: ['FAILED'], to: 'APPROVED', opinion: 'none', ...make },
    reopenOffline: { label: '改为线下退款', from: ['FAILED'], to: 'PENDING_AUDIT', opinion: 'none', ...make },
    register: { label: '登记线下退款', from: ['PROCESSING'], to: 'CHECKING', opinion: 'none', ...execute },
    returned: { label: '登记退款失败', from: ['PROCESSING'], to: 'FAILED', opinion: 'required', danger: true, ...execute },
    confirm: { label: '复核线下退款', from: ['CHECKING'], to: 'SUCCESS', opinion: 'optional', ...check },
    deny: { label: '驳回线下登记', from: ['CHECKING'], to: 'PROCESSING', opinion: 'required', danger: true, ...check },
  },
);

export const refundBatchMachine = stateMachine(
  'invoice.refundBatch',
  {
    DRAFT: { label: '待复核', tone: 'warning' },
    APPROVED: { label: '待执行', tone: 'processing' },
    RUNNING: { label: '执行中', tone: 'processing', job: true },
    DONE: { label: '已完成', tone: 'success' },
    PART_FAILED: { label: '部分失败', tone: 'warning' },
    VOIDED: { label: '已作废' },
  },
  {
    create: { label: '新建批次', from: ['DRAFT'], ...system },
    approve: { label: '复核通过', from: ['DRAFT'], to: 'APPROVED', opinion: 'optional', ...check },
    reject: { label: '驳回并作废', from: ['DRAFT'], to: 'VOIDED', opinion: 'required', danger: true, ...check },
    execute: {
      label: '执行批量退款',
      from: ['APPROVED'],
      to: 'RUNNING',
      opinion: 'none',
      otherThan: invoiceErrors.OWN_DOCUMENT,
      ...execute,
    },
    void: { label: '作废', from: ['DRAFT', 'APPROVED'], to: 'VOIDED', opinion: 'required', danger: true, ...make },
    finish: { label: '全部退款成功', from: ['RUNNING'], to: 'DONE', ...system },
    finishPart: { label: '部分退款失败', from: ['RUNNING'], to: 'PART_FAILED', ...system },
  },
);

export const invoiceMachines = [paymentMachine, refundMachine, refundBatchMachine];

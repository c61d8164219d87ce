import { stateMachine } from '#kernel/contract/stateMachine.ts';
import { settlementErrors } from './errors.ts';

const check = { permission: 'settlement.payout.check', opinion: 'required', otherThan: settlementErrors.OWN_DOCUMENT } as const;
const second = { permission: 'settlement.payout.check2', opinion: 'required', otherThan: settlementErrors.OWN_DOCUMENT } as const;
const system = { permission: 'system', opinion: 'none' } as const;

export const payoutMachine = stateMachine(
  'settlement.payoutBatch',
  {
    DRAFT: { label: '待提交', tone: 'warning' },
    PENDING_REVIEW: { label: '待复核', tone: 'warning' },
    PENDING_SECOND: { label: '待二级复核', tone: 'processing' },
    APPROVED: { label: '待出盘', tone: 'warning' },
    EXPORTED: { label: '已出盘', tone: 'processing' },
    FINISHED: { label: '已完成', tone: 'success' },
    PARTIAL: { label: '部分失败', tone: 'warning' },
    REJECTED: { label: '已驳回', tone: 'error' },
    VOIDED: { label: '已作废' },
  },
  {
    submit: { label: '提交复核', from: ['DRAFT', 'REJECTED'], to: 'PENDING_REVIEW', permission: 'settlement.payout.make', opinion: 'none' },
    approve: { label: '复核通过', from: ['PENDING_REVIEW'], to: 'APPROVED', ...check },
    approveFirst: { label: '复核通过，转二级复核', from: ['PENDING_REVIEW'], to: 'PENDING_SECOND', ...check },
    approveSecond: { label: '二级复核通过', from: ['PENDING_SECOND'], to: 'APPROVED', ...second },
    reject: { label: '驳回', from: ['PENDING_REVIEW'], to: 'REJECTED', danger: true, ...check },
    rejectSecond: { label: '二级驳回', from: ['PENDING_SECOND'], to: 'REJECTED', danger: true, ...second },
    returnForTax: { label: '退回重新计税', from: ['APPROVED'], to: 'DRAFT', danger: true, ...check },
    export: {
      label: '生成银行文件',
      from: ['APPROVED'],
      to: 'EXPORTED',
      permission: 'settlement.payout.export',
      opinion: 'none',
      otherThan: settlementErrors.OWN_DOCUMENT,
    },
    void: {
      label: '作废',
      from: ['DRAFT', 'REJECTED'],
      to: 'VOIDED',
      permission: 'settlement.payout.make',
      opinion: 'required',
      danger: true,
    },
    finish: { label: '全部成功', from: ['EXPORTED', 'PARTIAL'], to: 'FINISHED', ...system },
    finishPart: { label: '部分失败', from: ['EXPORTED', 'FINISHED'], to: 'PARTIAL', ...system },
  },
);

export const payoutItemMachine = stateMachine(
  'settlement.payoutItem',
  {
    INIT: { label: '待出盘', tone: 'warning' },
    PENDING: { label: '银行处理中', tone: 'processing' },
    SUCCESS: { label: '成功', tone: 'success' },
    FAILED: { label: '失败', tone: 'error' },
    UNKNOWN: { label: '待查证', tone: 'warning' },
    RETURNED: { label: '已退票', tone: 'error' },
    CANCELLED: { label: '已移出' },
  },
  {
    send: { label: '出盘', from: ['INIT'], to: 'PENDING', ...system },
    succeed: { label: '付款成功', from: ['PENDING', 'UNKNOWN'], to: 'SUCCESS', ...system },
    fail: { label: '付款失败', from: ['PENDING', 'UNKNOWN'], to: 'FAILED', ...system },
    lose: { label: '结果待查证', from: ['PENDING'], to: 'UNKNOWN', ...system },
    return: { label: '银行退票', from: ['SUCCESS'], to: 'RETURNED', ...system },
    cancel: { label: '移出批次', from: ['INIT'], to: 'CANCELLED', ...system },
  },
);

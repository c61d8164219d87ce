import { dictionary } from '#kernel/contract/dictionary.ts';
import { stateMachine } from '#kernel/contract/stateMachine.ts';
import { settlementErrors } from './errors.ts';

export const runStates = dictionary('settlement.runState', {
  RUNNING: { label: '计算中', tone: 'processing', job: true },
  DONE: { label: '已完成', tone: 'success' },
});

const held = { from: ['HELD'], permission: 'settlement.bill.hold', opinion: 'required', label: '解除挂起' } as const;
export const billMachine = stateMachine(
  'settlement.bill',
  {
    CALCULATED: { label: '待核对' },
    SUBMITTED: { label: '待审核', tone: 'warning' },
    APPROVED: { label: '待付款', tone: 'processing' },
    IN_BATCH: { label: '付款中', tone: 'processing' },
    PAID: { label: '已付款', tone: 'success' },
    PAY_FAILED: { label: '付款失败', tone: 'error' },
    REJECTED: { label: '已驳回', tone: 'error' },
    HELD: { label: '已挂起', tone: 'warning' },
    VOIDED: { label: '已作废' },
  },
  {
    submit: { label: '提交审核', from: ['CALCULATED'], to: 'SUBMITTED', permission: 'settlement.bill.submit', opinion: 'none' },
    approve: {
      label: '审核通过',
      from: ['SUBMITTED'],
      to: 'APPROVED',
      permission: 'settlement.bill.audit',
      opinion: 'required',
      otherThan: settlementErrors.OWN_DOCUMENT,
    },
    reject: {
      label: '驳回',
      from: ['SUBMITTED'],
      to: 'REJECTED',
      permission: 'settlement.bill.audit',
      opinion: 'required',
      danger: true,
      otherThan: settlementErrors.OWN_DOCUMENT,
    },
    recalc: {
      label: '重新计算',
      from: ['CALCULATED', 'REJECTED'],
      to: 'CALCULATED',
      permission: 'settlement.bill.submit',
      opinion: 'none',
    },
    hold: {
      label: '挂起',
      from: ['CALCULATED', 'SUBMITTED', 'APPROVED'],
      to: 'HELD',
      permission: 'settlement.bill.hold',
      opinion: 'required',
      handsOver: true,
    },
    unholdCalculated: { ...held, to: 'CALCULATED', handsOver: true },
    unholdSubmitted: { ...held, to: 'SUBMITTED', handsOver: true },
    unholdApproved: { ...held, to: 'APPROVED', handsOver: true },
    addToBatch: { label: '加入付款批次', from: ['APPROVED'], to: 'IN_BATCH', permission: 'system', opinion: 'none' },
    removeFromBatch: { label: '移出付款批次', from: ['IN_BATCH'], to: 'APPROVED', permission: 'system', opinion: 'none' },
    paid: { label: '付款成功', from: ['IN_BATCH'], to: 'PAID', permission: 'system', opinion: 'none' },
    failed: { label: '付款失败', from: ['IN_BATCH'], to: 'PAY_FAILED', permission: 'system', opinion: 'none' },
    returned: { label: '银行退票', from: ['PAID'], to: 'PAY_FAILED', permission: 'system', opinion: 'none' },
    retryPay: { label: '重新付款', from: ['PAY_FAILED'], to: 'APPROVED', permission: 'settlement.bill.audit', opinion: 'required' },
    void: {
      label: '作废',
      from: ['CALCULATED', 'REJECTED', 'HELD', 'PAY_FAILED'],
      to: 'VOIDED',
      permission: 'settlement.bill.audit',
      opinion: 'required',
      danger: true,
    },
  },
);

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
    SUBMITTED: { label: '待审核', tone: 'processing' },
    APPROVED: { label: '待付款', tone: 'processing' },
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
    void: {
      label: '作废',
      from: ['CALCULATED', 'REJECTED', 'HELD'],
      to: 'VOIDED',
      permission: 'settlement.bill.audit',
      opinion: 'required',
      danger: true,
    },
  },
);

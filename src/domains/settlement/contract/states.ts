import { stateMachine } from '#kernel/contract/stateMachine.ts';
import { billMachine } from './billStates.ts';
import { payoutItemMachine, payoutMachine } from './payoutStates.ts';
import { settlementErrors } from './errors.ts';
import { perfChangeMachine, perfPeriodMachine } from './perfStates.ts';
import { programChangeMachine, programMachine } from './programStates.ts';
import { periodMachine, taxMonthMachine } from './taxStates.ts';

export const ruleVersionMachine = stateMachine(
  'settlement.ruleVersion',
  {
    DRAFT: { label: '草稿' },
    PENDING_AUDIT: { label: '待审核', tone: 'warning' },
    PUBLISHED: { label: '已发布', tone: 'success' },
    REJECTED: { label: '已驳回', tone: 'error' },
    RETIRED: { label: '已停用' },
  },
  {
    submit: {
      label: '提交审核',
      from: ['DRAFT', 'REJECTED'],
      to: 'PENDING_AUDIT',
      permission: 'settlement.rule.edit',
      opinion: 'none',
    },
    approve: {
      label: '审核发布',
      from: ['PENDING_AUDIT'],
      to: 'PUBLISHED',
      permission: 'settlement.rule.audit',
      opinion: 'required',
      otherThan: settlementErrors.OWN_DOCUMENT,
    },
    reject: {
      label: '驳回',
      from: ['PENDING_AUDIT'],
      to: 'REJECTED',
      permission: 'settlement.rule.audit',
      opinion: 'required',
      danger: true,
      otherThan: settlementErrors.OWN_DOCUMENT,
    },
    retire: {
      label: '停用',
      from: ['PUBLISHED'],
      to: 'RETIRED',
      permission: 'settlement.rule.audit',
      opinion: 'required',
      danger: true,
    },
  },
);

export const incomeMachine = stateMachine(
  'settlement.income',
  {
    PENDING: { label: '待入账' },
    AVAILABLE: { label: '可结算', tone: 'processing' },
    LOCKED: { label: '结算中', tone: 'processing' },
    SETTLED: { label: '已结算', tone: 'success' },
    HELD: { label: '已挂起', tone: 'warning' },
    REVERSED: { label: '已冲回', tone: 'error' },
  },
  {
    mature: { label: '到期入账', from: ['PENDING'], to: 'AVAILABLE', permission: 'system', opinion: 'none' },
    hold: { label: '挂起', from: ['PENDING', 'AVAILABLE'], to: 'HELD', permission: 'settlement.income.hold', opinion: 'required' },
    unholdPending: { label: '解除挂起', from: ['HELD'], to: 'PENDING', permission: 'settlement.income.hold', opinion: 'required' },
    unhold: { label: '解除挂起', from: ['HELD'], to: 'AVAILABLE', permission: 'settlement.income.hold', opinion: 'required' },
    release: { label: '项目恢复或追加预算后解除挂起', from: ['HELD'], to: 'PENDING', permission: 'system', opinion: 'none' },
    reverse: {
      label: '冲回',
      from: ['PENDING', 'AVAILABLE', 'HELD'],
      to: 'REVERSED',
      permission: 'settlement.income.reverse',
      opinion: 'required',
      danger: true,
    },
    refund: { label: '退款冲回', from: ['PENDING', 'AVAILABLE', 'HELD'], to: 'REVERSED', permission: 'system', opinion: 'none' },
  },
);

export const adjustMachine = stateMachine(
  'settlement.adjust',
  {
    PENDING: { label: '待复核', tone: 'warning' },
    PENDING_SECOND: { label: '待二级复核', tone: 'processing' },
    APPROVED: { label: '已入账', tone: 'success' },
    REJECTED: { label: '已驳回', tone: 'error' },
    CANCELLED: { label: '已撤回' },
  },
  {
    approve: {
      label: '复核通过',
      from: ['PENDING'],
      to: 'APPROVED',
      permission: 'settlement.income.adjustCheck',
      opinion: 'required',
      otherThan: settlementErrors.OWN_DOCUMENT,
    },
    approveFirst: {
      label: '复核通过，转二级复核',
      from: ['PENDING'],
      to: 'PENDING_SECOND',
      permission: 'settlement.income.adjustCheck',
      opinion: 'required',
      otherThan: settlementErrors.OWN_DOCUMENT,
    },
    approveSecond: {
      label: '二级复核通过',
      from: ['PENDING_SECOND'],
      to: 'APPROVED',
      permission: 'settlement.income.adjustCheck2',
      opinion: 'required',
      otherThan: settlementErrors.OWN_DOCUMENT,
    },
    reject: {
      label: '驳回',
      from: ['PENDING'],
      to: 'REJECTED',
      permission: 'settlement.income.adjustCheck',
      opinion: 'required',
      danger: true,
      otherThan: settlementErrors.OWN_DOCUMENT,
    },
    rejectSecond: {
      label: '二级驳回',
      from: ['PENDING_SECOND'],
      to: 'REJECTED',
      permission: 'settlement.income.adjustCheck2',
      opinion: 'required',
      danger: true,
      otherThan: settlementErrors.OWN_DOCUMENT,
    },
    cancel: { label: '撤回', from: ['PENDING'], to: 'CANCELLED', permission: 'settlement.income.adjust', opinion: 'none' },
  },
);

export const accountMachine = stateMachine(
  'settlement.account',
  {
    UNVERIFIED: { label: '未验证' },
    VERIFIED: { label: '已验证', tone: 'success' },
    FAILED: { label: '验证失败', tone: 'error' },
  },
  {
    modify: {
      label: '编辑收款账户',
      from: ['UNVERIFIED', 'VERIFIED', 'FAILED'],
      to: 'UNVERIFIED',
      permission: 'settlement.account.edit',
      opinion: 'none',
    },
    verify: {
      label: '验证通过',
      from: ['UNVERIFIED'],
      to: 'VERIFIED',
      permission: 'settlement.account.verify',
      opinion: 'optional',
      otherThan: settlementErrors.OWN_DOCUMENT,
    },
    fail: {
      label: '验证不通过',
      from: ['UNVERIFIED'],
      to: 'FAILED',
      permission: 'settlement.account.verify',
      opinion: 'required',
      danger: true,
      otherThan: settlementErrors.OWN_DOCUMENT,
    },
    renamed: {
      label: '医生姓名变更，需重新验证',
      from: ['VERIFIED'],
      to: 'UNVERIFIED',
      permission: 'system',
      opinion: 'none',
    },
  },
);

export const settleMachine = stateMachine(
  'settlement.settle',
  { NORMAL: { label: '正常', tone: 'success' }, FROZEN: { label: '已冻结', tone: 'warning' } },
  {
    freeze: {
      label: '冻结结算',
      from: ['NORMAL'],
      to: 'FROZEN',
      permission: 'settlement.account.freeze',
      opinion: 'required',
      danger: true,
    },
    unfreeze: { label: '解除冻结', from: ['FROZEN'], to: 'NORMAL', permission: 'settlement.account.freeze', opinion: 'required' },
    disabled: { label: '账号冻结', from: ['NORMAL'], to: 'FROZEN', permission: 'system', opinion: 'none' },
  },
  ['settlement.account'],
);

export const settlementMachines = [
  ruleVersionMachine,
  incomeMachine,
  adjustMachine,
  accountMachine,
  settleMachine,
  billMachine,
  payoutMachine,
  payoutItemMachine,
  programMachine,
  programChangeMachine,
  perfChangeMachine,
  perfPeriodMachine,
  taxMonthMachine,
  periodMachine,
];

import { dictionary } from '#kernel/contract/dictionary.ts';
import { stateMachine } from '#kernel/contract/stateMachine.ts';
import { policyErrors } from './errors.ts';

export const orderKinds = dictionary('policy.orderKind', { NEW: '首期', RENEWAL: '续保', INSTALMENT: '期缴', ADJUST: '批改' });
export const directions = dictionary('policy.direction', {
  COLLECT: { label: '收', tone: 'processing' },
  REFUND: { label: '退', tone: 'warning' },
});
export const rejectReasons = dictionary('policy.rejectReason', {
  P01: '金额不符',
  P02: '人数不符',
  P03: '期间错误',
  P04: '费率错误',
  P05: '凭证缺失',
  P06: '重复',
  P99: '其他',
});
export type RejectReason = (typeof rejectReasons.codes)[number];
export const premiumBases = dictionary('policy.premiumBasis', {
  CHARGE: '收取',
  EXTEND: '延长',
  REFUND: '退还',
  VOID: '全额退还',
  NONE: '不退费',
});
export const receiptSources = dictionary('policy.receiptSource', { IMPORT: '导入', STAFF: '手工' });
/** Fen from which a second person of finance passes an order too. */
export const SECOND_FROM = 100_000_000n;

const make = { permission: 'policy.premium.make' } as const;
const audit = { permission: 'policy.premium.audit' } as const;
const receipt = { permission: 'policy.premium.receipt' } as const;
export const premiumMachine = stateMachine(
  'policy.premiumOrder',
  {
    DRAFT: { label: '待提交', tone: 'warning' },
    PENDING_AUDIT: { label: '待审核', tone: 'warning' },
    PENDING_SECOND: { label: '待复核', tone: 'warning' },
    REJECTED: { label: '已驳回', tone: 'error' },
    APPROVED: { label: '待收付', tone: 'warning' },
    PART_SETTLED: { label: '部分收付', tone: 'warning' },
    SETTLED: { label: '已收付', tone: 'success' },
    REVERSED: { label: '已冲正' },
    VOIDED: { label: '已作废' },
  },
  {
    submit: { label: '提交审核', from: ['DRAFT', 'REJECTED'], to: 'PENDING_AUDIT', ...make, opinion: 'optional' },
    recall: { label: '撤回', from: ['PENDING_AUDIT'], to: 'DRAFT', ...make, opinion: 'none' },
    void: { label: '作废', from: ['DRAFT', 'REJECTED'], to: 'VOIDED', ...make, opinion: 'required', danger: true },
    takeover: { handsOver: true, label: '接管', from: ['PENDING_AUDIT'], permission: 'policy.premium.supervise', opinion: 'required' },
    approve: {
      label: '审核通过',
      from: ['PENDING_AUDIT'],
      to: 'APPROVED',
      ...audit,
      opinion: 'optional',
      otherThan: policyErrors.OWN_ORDER,
    },
    // The same act where somebody of finance has to look at it too.
    passOn: {
      label: '审核通过，转复核',
      from: ['PENDING_AUDIT'],
      to: 'PENDING_SECOND',
      permission: 'system',
      opinion: 'optional',
      otherThan: policyErrors.OWN_ORDER,
    },
    reject: { label: '驳回', from: ['PENDING_AUDIT'], to: 'REJECTED', ...audit, opinion: 'required', otherThan: policyErrors.OWN_ORDER },
    secondApprove: {
      label: '复核通过',
      from: ['PENDING_SECOND'],
      to: 'APPROVED',
      permission: 'policy.premium.second',
      opinion: 'required',
      otherThan: policyErrors.SAME_CHECKER,
    },
    secondReject: {
      label: '复核驳回',
      from: ['PENDING_SECOND'],
      to: 'REJECTED',
      permission: 'policy.premium.second',
      opinion: 'required',
      otherThan: policyErrors.SAME_CHECKER,
    },
    allocate: { label: '登记收付', from: ['APPROVED', 'PART_SETTLED'], ...receipt, opinion: 'none' },
    unallocate: { label: '撤销分配', from: ['PART_SETTLED', 'SETTLED'], ...receipt, opinion: 'required' },
    reverse: {
      label: '冲正',
      from: ['APPROVED', 'PART_SETTLED', 'SETTLED'],
      to: 'REVERSED',
      permission: 'policy.premium.reverse',
      opinion: 'required',
      danger: true,
    },
  },
);
export type PremiumState = keyof typeof premiumMachine.states;
/** An order that was passed is due, or was paid; its premium counts. */
export const passedStates = ['APPROVED', 'PART_SETTLED', 'SETTLED'] as const satisfies readonly PremiumState[];
/** An order on its way to be passed, or rejected and to be handed in again. */
export const waitingStates = ['DRAFT', 'PENDING_AUDIT', 'PENDING_SECOND', 'REJECTED'] as const satisfies readonly PremiumState[];
export const isPassed = (state: PremiumState): boolean => passedStates.some((one) => one === state);
export const premiumActions = ['submit', 'recall', 'approve', 'reject', 'secondApprove', 'secondReject'] as const;
export const premiumDictionaries = [orderKinds, directions, rejectReasons, premiumBases, receiptSources, premiumMachine.dictionary];

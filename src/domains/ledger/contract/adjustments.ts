import { dictionary } from '#kernel/contract/dictionary.ts';
import { stateMachine } from '#kernel/contract/stateMachine.ts';
import { ledgerPermissions as may } from './permissions.ts';
import { ledgerErrors } from './errors.ts';

export const adjustReasons = dictionary('ledger.adjustReason', {
  POSTING_ERROR: '记账错误',
  BANK_DIFF: '银行差异',
  DATA_FIX: '数据修复',
  WRITE_OFF: '坏账核销',
});

export type AdjustmentReason = (typeof adjustReasons.codes)[number];

/** From so many fen on a second checker confirms it too: 10,000 yuan. */
export const SECOND_CHECK_FEN = 1_000_000n;

const make = { permission: may['adjust.make'].code, opinion: 'none' } as const;
const check = { permission: may['adjust.check'].code, opinion: 'required' } as const;
const check2 = { permission: may['adjust.check2'].code, opinion: 'required' } as const;

export const adjustmentStates = stateMachine(
  'ledger.adjustment',
  {
    DRAFT: { label: '草稿' },
    PENDING: { label: '待复核', tone: 'warning' },
    PENDING_SECOND: { label: '待二级复核', tone: 'processing' },
    POSTED: { label: '已入账', tone: 'success' },
    REJECTED: { label: '已驳回', tone: 'error' },
    CANCELLED: { label: '已撤回' },
  },
  {
    modify: { label: '修改', from: ['DRAFT', 'REJECTED'], ...make },
    submit: { label: '提交复核', from: ['DRAFT', 'REJECTED'], to: 'PENDING', ...make },
    approve: { label: '复核通过', from: ['PENDING'], to: 'POSTED', ...check, otherThan: ledgerErrors.OWN_CHECK },
    /** The same act where the sum asks for a second checker. */
    forward: { label: '复核通过', from: ['PENDING'], to: 'PENDING_SECOND', ...check, otherThan: ledgerErrors.OWN_CHECK },
    reject: { label: '驳回', from: ['PENDING'], to: 'REJECTED', danger: true, ...check, otherThan: ledgerErrors.OWN_CHECK },
    approveSecond: { label: '二级复核通过', from: ['PENDING_SECOND'], to: 'POSTED', ...check2, otherThan: ledgerErrors.OWN_CHECK },
    rejectSecond: { label: '驳回', from: ['PENDING_SECOND'], to: 'REJECTED', danger: true, ...check2, otherThan: ledgerErrors.OWN_CHECK },
    cancel: { label: '撤回', from: ['DRAFT', 'PENDING', 'REJECTED'], to: 'CANCELLED', danger: true, ...make },
  },
);
export type AdjustmentState = (typeof adjustmentStates.dictionary.codes)[number];
export type AdjustmentAction = keyof typeof adjustmentStates.transitions;

import { dictionary } from '#kernel/contract/dictionary.ts';
import { stateMachine } from '#kernel/contract/stateMachine.ts';
import { ledgerPermissions as may } from './permissions.ts';

const freezing = { permission: may['account.freeze'].code, opinion: 'required' } as const;

/** Frozen: nothing goes out and nothing new is held; what was held before may be captured. */
export const accountStates = stateMachine(
  'ledger.account',
  {
    OPEN: { label: '正常', tone: 'success' },
    FROZEN: { label: '冻结', tone: 'warning' },
    CLOSED: { label: '已销户' },
  },
  {
    freeze: { label: '冻结', from: ['OPEN'], to: 'FROZEN', danger: true, ...freezing },
    unfreeze: { label: '解冻', from: ['FROZEN'], to: 'OPEN', ...freezing },
  },
);
export type AccountState = (typeof accountStates.dictionary.codes)[number];
export type AccountAction = keyof typeof accountStates.transitions;

export const holdStates = dictionary('ledger.holdState', {
  PENDING: { label: '预占中', tone: 'processing' },
  CAPTURED: { label: '已扣款', tone: 'success' },
  RELEASED: { label: '已释放' },
  TIMED_OUT: { label: '超时释放', tone: 'warning' },
});
export type HoldState = (typeof holdStates.codes)[number];

export const periodStates = dictionary('ledger.periodState', {
  OPEN: { label: '未结账', tone: 'processing' },
  CLOSING: { label: '结账中', tone: 'warning' },
  CLOSED: { label: '已结账', tone: 'success' },
});
export type PeriodState = (typeof periodStates.codes)[number];

const mending = { permission: may['proof.manage'].code } as const;

export const findingStates = stateMachine(
  'ledger.finding',
  {
    OPEN: { label: '待处理', tone: 'warning' },
    ASSIGNED: { label: '处理中', tone: 'processing' },
    RESOLVED: { label: '已处理', tone: 'success' },
    IGNORED: { label: '已说明' },
  },
  {
    assign: { label: '指派', from: ['OPEN', 'ASSIGNED'], to: 'ASSIGNED', opinion: 'none', ...mending },
    rebuild: { label: '重建余额投影', from: ['OPEN', 'ASSIGNED'], opinion: 'none', ...mending },
    resolve: { label: '处理完成', from: ['OPEN', 'ASSIGNED'], to: 'RESOLVED', opinion: 'optional', ...mending },
    explain: { label: '说明并关闭', from: ['OPEN', 'ASSIGNED'], to: 'IGNORED', opinion: 'required', danger: true, ...mending },
  },
);
export type FindingState = (typeof findingStates.dictionary.codes)[number];

export const proofStates = dictionary('ledger.proofState', {
  RUNNING: { label: '检查中', tone: 'processing', job: true },
  PASSED: { label: '通过', tone: 'success' },
  FAILED: { label: '有差异', tone: 'error' },
});

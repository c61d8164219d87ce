import { dictionary } from '../../../kernel/contract/dictionary.ts';
import { stateMachine } from '../../../kernel/contract/stateMachine.ts';
import { ledgerPermissions as may } from './permissions.ts';

const freezing = { permission: may['account.freeze'].code, opinion: 'required' } as const;

/** Frozen: nothing goes out and nothing new is held; what was held before may be captured. */
export const accountStates = stateMachine(
  'ledger.account',
  {
    OPEN: { label: '正常', tone: 'success' },
    FROZEN: { label: '冻结', tone: 'warning' },
    CLOSED: { label: '已销户', tone: 'default' },
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
  RELEASED: { label: '已释放', tone: 'default' },
  TIMED_OUT: { label: '超时释放', tone: 'warning' },
});
export type HoldState = (typeof holdStates.codes)[number];

export const periodStates = dictionary('ledger.periodState', {
  OPEN: { label: '未结账', tone: 'processing' },
  CLOSING: { label: '结账中', tone: 'warning' },
  CLOSED: { label: '已结账', tone: 'success' },
});
export type PeriodState = (typeof periodStates.codes)[number];

export const findingStates = dictionary('ledger.findingState', {
  OPEN: { label: '待处理', tone: 'error' },
  ASSIGNED: { label: '处理中', tone: 'processing' },
  RESOLVED: { label: '已处理', tone: 'success' },
  IGNORED: { label: '已说明', tone: 'default' },
});

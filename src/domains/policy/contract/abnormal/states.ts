import { stateMachine } from '#kernel/contract/stateMachine.ts';
import { policyErrors } from '../errors.ts';

const handle = { permission: 'policy.abnormal.handle' } as const;
const supervise = { permission: 'policy.abnormal.supervise' } as const;
const LIVE = ['OPEN', 'FIXING', 'IGNORE_PENDING', 'IGNORED'] as const;

export const findingMachine = stateMachine(
  'policy.finding',
  {
    OPEN: { label: '待处理', tone: 'warning' },
    FIXING: { label: '处理中', tone: 'processing' },
    RECHECK: { label: '待复查', tone: 'warning' },
    IGNORE_PENDING: { label: '待批准忽略', tone: 'warning' },
    IGNORED: { label: '已忽略' },
    RESOLVED: { label: '已解决', tone: 'success' },
  },
  {
    take: { handsOver: true, label: '领取', from: ['OPEN'], to: 'FIXING', ...handle, opinion: 'none' },
    // Who supervises, and whoever owns it: that is asked for beside the state.
    transfer: { handsOver: true, label: '转派', from: ['OPEN', 'FIXING'], to: 'FIXING', permission: 'session', opinion: 'required' },
    submitFix: { label: '提交处理', from: ['FIXING'], to: 'RECHECK', ...handle, opinion: 'required' },
    recheck: { label: '立即复查', from: LIVE, to: 'RESOLVED', ...handle, opinion: 'none' },
    rebuild: { label: '重建缓存', from: ['OPEN', 'FIXING'], to: 'RESOLVED', ...handle, opinion: 'none' },
    // Events are taken up after the act: what came of it the next look says.
    replay: { label: '重放事件', from: ['OPEN', 'FIXING'], to: 'FIXING', ...handle, opinion: 'none' },
    askIgnore: { label: '申请忽略', from: ['OPEN', 'FIXING'], to: 'IGNORE_PENDING', ...handle, opinion: 'required' },
    approveIgnore: {
      label: '批准忽略',
      from: ['IGNORE_PENDING'],
      to: 'IGNORED',
      ...supervise,
      opinion: 'optional',
      otherThan: policyErrors.OWN_IGNORE,
    },
    refuseIgnore: { label: '退回忽略', from: ['IGNORE_PENDING'], to: 'FIXING', ...supervise, opinion: 'required' },
    // What the look itself moves.
    pass: { label: '复查通过', from: ['RECHECK'], to: 'RESOLVED', permission: 'system', opinion: 'none' },
    resolve: { label: '自动解决', from: LIVE, to: 'RESOLVED', permission: 'system', opinion: 'none' },
    reopen: { label: '忽略到期', from: ['IGNORED'], to: 'OPEN', permission: 'system', opinion: 'none' },
  },
);
export type FindingState = keyof typeof findingMachine.states;
export const findingActions = [
  'take',
  'transfer',
  'submitFix',
  'recheck',
  'rebuild',
  'replay',
  'askIgnore',
  'approveIgnore',
  'refuseIgnore',
] as const;
export type FindingAction = (typeof findingActions)[number];

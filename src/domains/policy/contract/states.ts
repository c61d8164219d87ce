import { stateMachine } from '#kernel/contract/stateMachine.ts';
import { policyErrors } from './errors.ts';

/** Moves of a policy are carried out by its endorsements and by the day job. */
export const policyMachine = stateMachine(
  'policy.policy',
  {
    PENDING: { label: '待生效', tone: 'processing' },
    IN_FORCE: { label: '有效', tone: 'success' },
    SUSPENDED: { label: '中止', tone: 'warning' },
    EXPIRED: { label: '已满期' },
    SURRENDERED: { label: '已退保', tone: 'error' },
    CANCELLED: { label: '已注销' },
  },
  {
    start: { label: '生效', from: ['PENDING'], to: 'IN_FORCE', permission: 'system', opinion: 'none' },
    suspend: { label: '中止', from: ['IN_FORCE'], to: 'SUSPENDED', permission: 'system', opinion: 'optional' },
    reinstate: { label: '复效', from: ['SUSPENDED'], to: 'IN_FORCE', permission: 'system', opinion: 'optional' },
    surrender: {
      label: '退保',
      from: ['PENDING', 'IN_FORCE', 'SUSPENDED'],
      to: 'SURRENDERED',
      permission: 'system',
      opinion: 'optional',
      danger: true,
    },
    cancel: { label: '注销', from: ['PENDING', 'IN_FORCE'], to: 'CANCELLED', permission: 'system', opinion: 'optional', danger: true },
    expire: { label: '满期', from: ['IN_FORCE', 'SUSPENDED'], to: 'EXPIRED', permission: 'system', opinion: 'none' },
    // An endorsement that is taken back brings back where the policy was before it.
    restore: {
      label: '恢复',
      from: ['PENDING', 'IN_FORCE', 'SUSPENDED', 'EXPIRED', 'SURRENDERED', 'CANCELLED'],
      permission: 'system',
      opinion: 'optional',
    },
  },
);
export type PolicyState = keyof typeof policyMachine.states;
/** Nothing is endorsed any more. */
export const isTerminal = (state: PolicyState): boolean => state === 'EXPIRED' || state === 'SURRENDERED' || state === 'CANCELLED';

const make = { permission: 'policy.endorse.make' } as const;
const audit = { permission: 'policy.endorse.audit' } as const;
export const endorsementMachine = stateMachine(
  'policy.endorsement',
  {
    DRAFT: { label: '待提交', tone: 'warning' },
    PENDING_AUDIT: { label: '待审核', tone: 'warning' },
    VISIBLE: { label: '已生效', tone: 'success' },
    REJECTED: { label: '已驳回', tone: 'error' },
    UNDONE: { label: '已撤销' },
    DISCARDED: { label: '已作废' },
  },
  {
    modify: { label: '修改', from: ['DRAFT', 'REJECTED'], ...make, opinion: 'none' },
    submit: { label: '提交', from: ['DRAFT', 'REJECTED'], to: 'PENDING_AUDIT', ...make, opinion: 'optional' },
    approve: {
      label: '审核通过',
      from: ['PENDING_AUDIT'],
      to: 'VISIBLE',
      ...audit,
      opinion: 'optional',
      otherThan: policyErrors.OWN_ENDORSEMENT,
    },
    reject: {
      label: '驳回',
      from: ['PENDING_AUDIT'],
      to: 'REJECTED',
      ...audit,
      opinion: 'required',
      otherThan: policyErrors.OWN_ENDORSEMENT,
    },
    undo: { label: '撤销', from: ['VISIBLE'], to: 'UNDONE', permission: 'policy.endorse.undo', opinion: 'required', danger: true },
    discard: { label: '作废', from: ['DRAFT', 'REJECTED'], to: 'DISCARDED', ...make, opinion: 'optional' },
    // The day job, and a list that takes effect.
    apply: { label: '自动生效', from: ['DRAFT'], to: 'VISIBLE', permission: 'system', opinion: 'optional' },
    undoWithBatch: { label: '随批次撤销', from: ['VISIBLE'], to: 'UNDONE', permission: 'system', opinion: 'optional' },
  },
);
export type EndorsementState = keyof typeof endorsementMachine.states;
export const endorsementActions = ['submit', 'approve', 'reject', 'undo', 'discard'] as const;

export const policyMachines = [policyMachine, endorsementMachine];

import { dictionary } from '#kernel/contract/dictionary.ts';
import { stateMachine } from '#kernel/contract/stateMachine.ts';
import type { Day } from '#kernel/contract/time.ts';
import { orderErrors } from './errors.ts';
import { orderPermissions as may } from './permissions.ts';

const { code: edit } = may['rule.edit'];
const { code: approve } = may['rule.approve'];
const anotherPerson = { otherThan: orderErrors.OWN_DOCUMENT } as const;

/** One life for all rules about orders: what is in force changes by another version alone. */
export const ruleMachine = stateMachine(
  'order.rule',
  {
    DRAFT: { label: '草稿' },
    PENDING_APPROVAL: { label: '待审批', tone: 'warning' },
    REJECTED: { label: '已驳回', tone: 'error' },
    EFFECTIVE: { label: '已批准', tone: 'success' },
    DISABLED: { label: '已停用' },
  },
  {
    modify: { label: '编辑', from: ['DRAFT', 'REJECTED'], permission: edit, opinion: 'none' },
    newVersion: { label: '新建版本', from: ['EFFECTIVE', 'DISABLED'], permission: edit, opinion: 'none' },
    submit: { label: '提交', from: ['DRAFT', 'REJECTED'], to: 'PENDING_APPROVAL', permission: edit, opinion: 'none' },
    approve: {
      label: '批准',
      from: ['PENDING_APPROVAL'],
      to: 'EFFECTIVE',
      permission: approve,
      opinion: 'optional',
      ...anotherPerson,
    },
    reject: {
      label: '驳回',
      from: ['PENDING_APPROVAL'],
      to: 'REJECTED',
      permission: approve,
      opinion: 'required',
      danger: true,
      ...anotherPerson,
    },
    disable: {
      label: '停用',
      from: ['EFFECTIVE'],
      to: 'DISABLED',
      permission: approve,
      opinion: 'required',
      danger: true,
      handsOver: true,
    },
    enable: { label: '启用', from: ['DISABLED'], to: 'EFFECTIVE', permission: approve, opinion: 'optional', ...anotherPerson },
  },
);
export type RuleState = keyof typeof ruleMachine.states & string;
export type RuleAction = keyof typeof ruleMachine.transitions & string;

/** A rule as people speak of it: by the day. Nothing stores it. */
export const rulePhases = dictionary('order.rulePhase', {
  DRAFT: { label: '草稿' },
  PENDING_APPROVAL: { label: '待审批', tone: 'warning' },
  REJECTED: { label: '已驳回', tone: 'error' },
  SCHEDULED: { label: '待生效', tone: 'processing' },
  EFFECTIVE: { label: '生效中', tone: 'success' },
  RETIRED: { label: '已失效' },
  DISABLED: { label: '已停用' },
});
export type RulePhase = (typeof rulePhases.codes)[number];

export function rulePhase(
  { state, effectiveFrom, effectiveTo }: { state: RuleState; effectiveFrom: Day; effectiveTo: Day | null },
  today: Day,
): RulePhase {
  if (state !== 'EFFECTIVE') return state;
  if (effectiveFrom > today) return 'SCHEDULED';
  return effectiveTo !== null && effectiveTo < today ? 'RETIRED' : 'EFFECTIVE';
}

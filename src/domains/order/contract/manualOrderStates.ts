import { stateMachine } from '#kernel/contract/stateMachine.ts';
import { orderErrors } from './errors.ts';
import { orderPermissions as may } from './permissions.ts';

const { code: edit } = may['manual.edit'];
const { code: review } = may['manual.review'];
const { code: reviewHigh } = may['manual.reviewHigh'];
const system = { permission: 'system', opinion: 'none' } as const;
const anotherPerson = { otherThan: orderErrors.OWN_DOCUMENT } as const;

/** A purchase outside of the system, from its registration to the order that it becomes. */
export const manualOrderMachine = stateMachine(
  'order.manualOrder',
  {
    DRAFT: { label: '草稿' },
    PENDING_REVIEW: { label: '待复核', tone: 'warning' },
    REJECTED: { label: '已驳回', tone: 'error' },
    POSTING: { label: '落单中', tone: 'processing', job: true },
    FAILED: { label: '落单失败', tone: 'error' },
    DONE: { label: '已落单', tone: 'success' },
    VOIDED: { label: '已作废' },
  },
  {
    register: { label: '录入', from: ['DRAFT'], permission: edit, opinion: 'none' },
    edit: { label: '编辑', from: ['DRAFT', 'REJECTED'], permission: edit, opinion: 'none' },
    submit: { label: '提交复核', from: ['DRAFT', 'REJECTED'], to: 'PENDING_REVIEW', permission: edit, opinion: 'none' },
    approve: {
      label: '复核通过',
      from: ['PENDING_REVIEW'],
      to: 'POSTING',
      permission: review,
      opinion: 'optional',
      ...anotherPerson,
    },
    approveHigh: {
      label: '大额复核通过',
      from: ['PENDING_REVIEW'],
      to: 'POSTING',
      permission: reviewHigh,
      opinion: 'optional',
      ...anotherPerson,
    },
    reject: {
      label: '驳回',
      from: ['PENDING_REVIEW'],
      to: 'REJECTED',
      permission: review,
      opinion: 'required',
      danger: true,
      ...anotherPerson,
    },
    rejectHigh: {
      label: '大额驳回',
      from: ['PENDING_REVIEW'],
      to: 'REJECTED',
      permission: reviewHigh,
      opinion: 'required',
      danger: true,
      ...anotherPerson,
    },
    posted: { label: '落单完成', from: ['POSTING'], to: 'DONE', ...system },
    postFail: { label: '落单失败', from: ['POSTING'], to: 'FAILED', permission: 'system', opinion: 'optional' },
    retry: { label: '重新落单', from: ['FAILED'], to: 'POSTING', permission: review, opinion: 'none' },
    void: {
      label: '作废',
      from: ['DRAFT', 'REJECTED', 'FAILED'],
      to: 'VOIDED',
      permission: edit,
      opinion: 'required',
      danger: true,
    },
  },
);
export type ManualOrderAction = keyof typeof manualOrderMachine.transitions & string;

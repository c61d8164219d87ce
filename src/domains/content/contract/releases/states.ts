import { stateMachine } from '#kernel/contract/stateMachine.ts';
import { floorPermissions as may } from '../floors/permissions.ts';
import { releaseErrors } from './errors.ts';

const audit = may['page.audit'].code;

/** A release of a page. One that is approved is shown at once, or from its time on. */
export const releaseStates = stateMachine(
  'content.pageRelease',
  {
    AUDITING: { label: '待审核', tone: 'warning' },
    SCHEDULED: { label: '待生效', tone: 'processing' },
    LIVE: { label: '已生效', tone: 'success' },
    REJECTED: { label: '已驳回', tone: 'error' },
    SUPERSEDED: { label: '已被替代' },
    CANCELLED: { label: '已取消' },
  },
  {
    submit: { label: '提交审核', from: ['AUDITING'], permission: may['page.edit'].code, opinion: 'none' },
    approve: { label: '通过', from: ['AUDITING'], to: 'LIVE', permission: audit, opinion: 'optional', otherThan: releaseErrors.OWN_AUDIT },
    schedule: {
      label: '通过',
      from: ['AUDITING'],
      to: 'SCHEDULED',
      permission: audit,
      opinion: 'optional',
      otherThan: releaseErrors.OWN_AUDIT,
    },
    reject: {
      label: '驳回',
      from: ['AUDITING'],
      to: 'REJECTED',
      permission: audit,
      opinion: 'required',
      danger: true,
      otherThan: releaseErrors.OWN_AUDIT,
    },
    cancel: { label: '取消', from: ['SCHEDULED'], to: 'CANCELLED', permission: audit, opinion: 'optional', danger: true },
    activate: { label: '生效', from: ['SCHEDULED'], to: 'LIVE', permission: 'system', opinion: 'none' },
    supersede: { label: '被替代', from: ['LIVE'], to: 'SUPERSEDED', permission: 'system', opinion: 'none' },
    rollback: { label: '回滚', from: ['SUPERSEDED'], to: 'LIVE', permission: audit, opinion: 'required', danger: true },
  },
  ['content.pageRelease', 'content.pageLayout'],
);
export type ReleaseState = keyof typeof releaseStates.states;

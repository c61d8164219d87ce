import { stateMachine } from '#kernel/contract/stateMachine.ts';

export const staffUserStates = stateMachine(
  'identity.staffUser',
  {
    PENDING: { label: '待激活', tone: 'warning' },
    ENABLED: { label: '正常', tone: 'success' },
    LOCKED: { label: '已锁定', tone: 'error' },
    DISABLED: { label: '已停用' },
    LEFT: { label: '已离职' },
  },
  {
    activate: { label: '激活', from: ['PENDING'], to: 'ENABLED', permission: 'system', opinion: 'none' },
    lock: { label: '锁定', from: ['ENABLED'], to: 'LOCKED', permission: 'system', opinion: 'none' },
    unlock: { label: '解锁', from: ['LOCKED'], to: 'ENABLED', permission: 'identity.user.unlock', opinion: 'required' },
    /** A timed lock is no state: clearing it leaves the state as it is. */
    unlockTimed: { label: '解除临时锁定', from: ['ENABLED', 'PENDING'], permission: 'system', opinion: 'required' },
    disable: {
      label: '停用',
      from: ['ENABLED', 'PENDING', 'LOCKED'],
      to: 'DISABLED',
      permission: 'identity.user.edit',
      opinion: 'required',
      danger: true,
    },
    enable: { label: '启用', from: ['DISABLED'], to: 'ENABLED', permission: 'identity.user.edit', opinion: 'required' },
    /** 启用 of somebody who never set a password. */
    enablePending: { label: '启用', from: ['DISABLED'], to: 'PENDING', permission: 'system', opinion: 'required' },
    leave: {
      label: '办理离职',
      from: ['PENDING', 'ENABLED', 'LOCKED', 'DISABLED'],
      to: 'LEFT',
      permission: 'identity.user.remove',
      opinion: 'required',
      danger: true,
    },
    resetPassword: { label: '重置密码', from: ['ENABLED', 'PENDING'], permission: 'identity.user.resetPwd', opinion: 'required' },
    /** 重置密码 of a locked user unlocks him. */
    resetLocked: { label: '重置密码', from: ['LOCKED'], to: 'ENABLED', permission: 'system', opinion: 'required' },
  },
);

export const sessionStates = stateMachine(
  'identity.session',
  { ACTIVE: { label: '在线', tone: 'success' }, ENDED: { label: '已结束' } },
  {
    end: { label: '结束', from: ['ACTIVE'], to: 'ENDED', permission: 'system', opinion: 'none' },
    kick: { label: '强制下线', from: ['ACTIVE'], to: 'ENDED', permission: 'identity.session.kick', opinion: 'required', danger: true },
  },
);

export const roleStates = stateMachine(
  'identity.role',
  { ENABLED: { label: '启用', tone: 'success' }, DISABLED: { label: '停用' } },
  {
    disable: { label: '停用', from: ['ENABLED'], to: 'DISABLED', permission: 'identity.role.edit', opinion: 'required', danger: true },
    enable: { label: '启用', from: ['DISABLED'], to: 'ENABLED', permission: 'identity.role.edit', opinion: 'required' },
  },
);

export const noticeStates = stateMachine(
  'identity.notice',
  {
    DRAFT: { label: '草稿' },
    PUBLISHED: { label: '已发布', tone: 'success' },
    REVOKED: { label: '已撤回' },
    DONE: { label: '已处理', tone: 'success' },
  },
  {
    publish: { label: '发布', from: ['DRAFT'], to: 'PUBLISHED', permission: 'identity.notice.publish', opinion: 'none' },
    revoke: { label: '撤回', from: ['PUBLISHED'], to: 'REVOKED', permission: 'identity.notice.publish', opinion: 'required', danger: true },
    close: { label: '处理完成', from: ['PUBLISHED'], to: 'DONE', permission: 'system', opinion: 'none' },
  },
);

export const apiClientStates = stateMachine(
  'identity.apiClient',
  { ENABLED: { label: '启用', tone: 'success' }, DISABLED: { label: '停用' } },
  {
    disable: { label: '停用', from: ['ENABLED'], to: 'DISABLED', permission: 'identity.apiClient.edit', opinion: 'required', danger: true },
    enable: { label: '启用', from: ['DISABLED'], to: 'ENABLED', permission: 'identity.apiClient.edit', opinion: 'required' },
  },
);

export const verifyRunStates = stateMachine(
  'identity.logVerifyRun',
  {
    RUNNING: { label: '校验中', tone: 'processing', job: true },
    OK: { label: '一致', tone: 'success' },
    BROKEN: { label: '不一致', tone: 'error' },
  },
  {
    succeed: { label: '校验一致', from: ['RUNNING'], to: 'OK', permission: 'system', opinion: 'none' },
    fail: { label: '校验不一致', from: ['RUNNING'], to: 'BROKEN', permission: 'system', opinion: 'none' },
  },
);

export const identityStateDictionaries = [
  staffUserStates.dictionary,
  sessionStates.dictionary,
  roleStates.dictionary,
  noticeStates.dictionary,
  apiClientStates.dictionary,
  verifyRunStates.dictionary,
] as const;

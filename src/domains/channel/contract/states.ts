import { stateMachine } from '#kernel/contract/stateMachine.ts';
import { channelPermissions as may } from './permissions.ts';
import { channelErrors } from './errors.ts';

const { code: channelState } = may['channel.state'];
const { code: vipEdit } = may['vip.edit'];
const { code: vipAudit } = may['vip.audit'];
const { code: vipState } = may['vip.state'];
const { code: codeEdit } = may['code.edit'];
const { code: sceneEdit } = may['scene.edit'];
const { code: codeBatch } = may['code.batch'];
const { code: liveEdit } = may['liveCode.edit'];
const { code: wecomAdmin } = may['wecom.admin'];

export const channelStates = stateMachine(
  'channel.channel',
  {
    ENABLED: { label: '启用', tone: 'success' },
    EXPIRED: { label: '已到期', tone: 'warning' },
    DISABLED: { label: '停用' },
  },
  {
    disable: { label: '停用', from: ['ENABLED', 'EXPIRED'], to: 'DISABLED', permission: channelState, opinion: 'required', danger: true },
    enable: { label: '启用', from: ['DISABLED'], to: 'ENABLED', permission: channelState, opinion: 'none' },
    expire: { label: '到期', from: ['ENABLED'], to: 'EXPIRED', permission: 'system', opinion: 'none' },
    renew: { label: '延期', from: ['EXPIRED'], to: 'ENABLED', permission: may['channel.edit'].code, opinion: 'none' },
  },
);
export const vipStates = stateMachine(
  'channel.vip',
  {
    DRAFT: { label: '草稿' },
    PENDING: { label: '待审核', tone: 'warning' },
    WAITING: { label: '待生效', tone: 'processing' },
    ACTIVE: { label: '生效中', tone: 'success' },
    SUSPENDED: { label: '已暂停', tone: 'warning' },
    REJECTED: { label: '已驳回', tone: 'error' },
    EXPIRED: { label: '已到期', tone: 'warning' },
    TERMINATED: { label: '已终止', tone: 'error' },
  },
  {
    submit: { label: '提交', from: ['DRAFT'], to: 'PENDING', permission: vipEdit, opinion: 'none' },
    approve: {
      label: '通过',
      from: ['PENDING'],
      to: 'WAITING',
      permission: vipAudit,
      opinion: 'optional',
      otherThan: channelErrors.SAME_PERSON,
    },
    reject: {
      label: '驳回',
      from: ['PENDING'],
      to: 'REJECTED',
      permission: vipAudit,
      opinion: 'required',
      danger: true,
      otherThan: channelErrors.SAME_PERSON,
    },
    activate: { label: '生效', from: ['WAITING'], to: 'ACTIVE', permission: 'system', opinion: 'none' },
    suspend: { label: '暂停', from: ['ACTIVE'], to: 'SUSPENDED', permission: vipState, opinion: 'required' },
    resume: { label: '恢复', from: ['SUSPENDED'], to: 'ACTIVE', permission: vipState, opinion: 'required' },
    terminate: {
      label: '终止',
      from: ['WAITING', 'ACTIVE', 'SUSPENDED'],
      to: 'TERMINATED',
      permission: vipState,
      opinion: 'required',
      danger: true,
    },
    expire: { label: '到期', from: ['WAITING', 'ACTIVE', 'SUSPENDED'], to: 'EXPIRED', permission: 'system', opinion: 'none' },
  },
);

const codeStateTable = {
  ACTIVE: { label: '使用中', tone: 'success' },
  DISABLED: { label: '已停用' },
  VOID: { label: '已作废' },
} as const;
const codeMoves = (edit: string, voiding: string) =>
  ({
    disable: { label: '停用', from: ['ACTIVE'], to: 'DISABLED', permission: edit, opinion: 'none' },
    enable: { label: '启用', from: ['DISABLED'], to: 'ACTIVE', permission: edit, opinion: 'none' },
    void: { label: '作废', from: ['ACTIVE', 'DISABLED'], to: 'VOID', permission: voiding, opinion: 'required', danger: true },
  }) as const;
export const codeStates = stateMachine('channel.code', codeStateTable, codeMoves(codeEdit, may['code.void'].code));
export const sceneCodeStates = stateMachine('channel.sceneCode', codeStateTable, codeMoves(sceneEdit, sceneEdit));

export const batchStates = stateMachine(
  'channel.batch',
  {
    QUEUED: { label: '排队中', job: true },
    RUNNING: { label: '生成中', tone: 'processing', job: true },
    READY: { label: '已完成', tone: 'success' },
    PARTIAL: { label: '部分失败', tone: 'warning' },
    FAILED: { label: '失败', tone: 'error' },
    CANCELLED: { label: '已取消' },
    VOID: { label: '已作废' },
  },
  {
    retry: { label: '重试', from: ['PARTIAL', 'FAILED'], to: 'QUEUED', permission: codeBatch, opinion: 'none' },
    cancel: { label: '取消', from: ['QUEUED', 'RUNNING'], to: 'CANCELLED', permission: codeBatch, opinion: 'none', danger: true },
    void: {
      label: '整批作废',
      from: ['READY', 'PARTIAL', 'FAILED'],
      to: 'VOID',
      permission: may['code.void'].code,
      opinion: 'required',
      danger: true,
    },
  },
);

export const corpStates = stateMachine(
  'channel.wecomCorp',
  {
    UNVERIFIED: { label: '未验证' },
    CONNECTED: { label: '已连接', tone: 'success' },
    ERROR: { label: '连接异常', tone: 'error' },
    DISABLED: { label: '已停用' },
  },
  {
    disable: {
      label: '停用',
      from: ['UNVERIFIED', 'CONNECTED', 'ERROR'],
      to: 'DISABLED',
      permission: wecomAdmin,
      opinion: 'required',
      danger: true,
    },
    enable: { label: '启用', from: ['DISABLED'], to: 'UNVERIFIED', permission: wecomAdmin, opinion: 'none' },
  },
);

export const bindStates = stateMachine(
  'channel.wecomMember',
  {
    UNBOUND: { label: '未绑定' },
    BOUND: { label: '已绑定', tone: 'success' },
    INVALID: { label: '已失效' },
  },
  {
    bind: { label: '绑定', from: ['UNBOUND', 'INVALID'], to: 'BOUND', permission: may['wecom.bind'].code, opinion: 'none' },
    unbind: { label: '解绑', from: ['BOUND', 'INVALID'], to: 'UNBOUND', permission: may['wecom.bind'].code, opinion: 'none', danger: true },
    invalidate: { label: '失效', from: ['BOUND'], to: 'INVALID', permission: 'system', opinion: 'none' },
  },
);

export const liveCodeStates = stateMachine(
  'channel.liveCode',
  {
    CREATING: { label: '创建中', tone: 'processing', job: true },
    ACTIVE: { label: '使用中', tone: 'success' },
    ERROR: { label: '异常', tone: 'error' },
    PAUSED: { label: '已暂停', tone: 'warning' },
    DELETED: { label: '已删除' },
  },
  {
    pause: { label: '暂停', from: ['ACTIVE'], to: 'PAUSED', permission: liveEdit, opinion: 'none' },
    resume: { label: '恢复', from: ['PAUSED'], to: 'ACTIVE', permission: liveEdit, opinion: 'none' },
    delete: {
      label: '删除',
      from: ['ACTIVE', 'ERROR', 'PAUSED', 'CREATING'],
      to: 'DELETED',
      permission: liveEdit,
      opinion: 'none',
      danger: true,
    },
  },
);

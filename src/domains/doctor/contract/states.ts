import { stateMachine } from '#kernel/contract/stateMachine.ts';
import { doctorPermissions as may } from './permissions.ts';
import { doctorErrors } from './errors.ts';

const { code: enter } = may['qual.enter'];
const { code: qualAudit } = may['qual.audit'];
const { code: recheck } = may['qual.recheck'];
const { code: freeze } = may['doctor.freeze'];
const { code: openingEdit } = may['opening.edit'];
const { code: openingAudit } = may['opening.audit'];
const { code: itemEdit } = may['item.edit'];

export const accountMachine = stateMachine(
  'doctor.account',
  {
    NORMAL: { label: '正常', tone: 'success' },
    FROZEN: { label: '已冻结', tone: 'warning' },
    CANCELLED: { label: '已注销' },
  },
  {
    add: { label: '建档', from: ['NORMAL'], permission: 'system', opinion: 'none' },
    modify: { label: '编辑', from: ['NORMAL', 'FROZEN'], permission: 'system', opinion: 'none' },
    freeze: { label: '冻结', from: ['NORMAL'], to: 'FROZEN', permission: freeze, opinion: 'required', danger: true },
    unfreeze: { label: '解冻', from: ['FROZEN'], to: 'NORMAL', permission: freeze, opinion: 'required' },
    cancel: {
      label: '注销',
      from: ['NORMAL', 'FROZEN'],
      to: 'CANCELLED',
      permission: may['doctor.cancel'].code,
      opinion: 'required',
      danger: true,
    },
  },
);
export type AccountState = keyof typeof accountMachine.states & string;

/** The doctor's own switch, or staff on his word. */
export const acceptMachine = stateMachine(
  'doctor.accept',
  { ON: { label: '接诊中', tone: 'success' }, OFF: { label: '停诊', tone: 'warning' } },
  {
    stop: { label: '停诊', from: ['ON'], to: 'OFF', permission: enter, opinion: 'required' },
    /** Begins on a later day. */
    plan: { label: '预约停诊', from: ['ON'], permission: enter, opinion: 'required' },
    stopInTime: { label: '预约停诊开始', from: ['ON'], to: 'OFF', permission: 'system', opinion: 'none' },
    resume: { label: '恢复接诊', from: ['ON', 'OFF'], to: 'ON', permission: enter, opinion: 'required' },
    resumeInTime: { label: '停诊期满恢复', from: ['OFF'], to: 'ON', permission: 'system', opinion: 'none' },
  },
);
export type AcceptState = keyof typeof acceptMachine.states & string;

/** Moved by qualification applications and the certificate job alone. */
export const qualMachine = stateMachine(
  'doctor.qual',
  {
    NONE: { label: '未认证' },
    PENDING: { label: '审核中', tone: 'processing' },
    RETURNED: { label: '待补充', tone: 'warning' },
    APPROVED: { label: '已认证', tone: 'success' },
    REJECTED: { label: '认证不通过', tone: 'error' },
    EXPIRED: { label: '资质过期', tone: 'error' },
  },
  {
    submit: { label: '提交认证', from: ['NONE', 'RETURNED', 'REJECTED'], to: 'PENDING', permission: 'system', opinion: 'none' },
    return: { label: '退回补充', from: ['PENDING'], to: 'RETURNED', permission: 'system', opinion: 'optional' },
    withdraw: { label: '撤回认证', from: ['PENDING', 'RETURNED'], to: 'NONE', permission: 'system', opinion: 'optional' },
    approve: { label: '认证通过', from: ['PENDING', 'EXPIRED', 'APPROVED'], to: 'APPROVED', permission: 'system', opinion: 'optional' },
    reject: { label: '认证不通过', from: ['PENDING'], to: 'REJECTED', permission: 'system', opinion: 'optional' },
    expire: { label: '资质过期', from: ['APPROVED'], to: 'EXPIRED', permission: 'system', opinion: 'optional' },
  },
);
export type QualState = keyof typeof qualMachine.states & string;

export const qualApplyMachine = stateMachine(
  'doctor.qualApply',
  {
    PENDING: { label: '待审核', tone: 'warning' },
    REVIEWING: { label: '审核中', tone: 'processing' },
    RECHECK: { label: '待医务复核', tone: 'processing' },
    RETURNED: { label: '退回补充', tone: 'warning' },
    APPROVED: { label: '已通过', tone: 'success' },
    REJECTED: { label: '不通过', tone: 'error' },
    WITHDRAWN: { label: '已撤回' },
  },
  {
    submit: { label: '提交', from: ['PENDING'], permission: 'system', opinion: 'none' },
    resubmit: { label: '提交', from: ['RETURNED'], to: 'PENDING', permission: 'system', opinion: 'none' },
    claim: { label: '领取', from: ['PENDING', 'REVIEWING'], to: 'REVIEWING', permission: qualAudit, opinion: 'none' },
    release: { label: '退回任务池', from: ['REVIEWING'], to: 'PENDING', permission: qualAudit, opinion: 'none' },
    expireLease: { label: '占用到期退回任务池', from: ['REVIEWING'], to: 'PENDING', permission: 'system', opinion: 'none' },
    pass: {
      label: '初审通过',
      from: ['REVIEWING'],
      to: 'APPROVED',
      permission: qualAudit,
      opinion: 'optional',
      otherThan: doctorErrors.OWN_ENTRY,
    },
    toRecheck: {
      label: '初审通过，转医务复核',
      from: ['REVIEWING'],
      to: 'RECHECK',
      permission: 'system',
      opinion: 'optional',
      otherThan: doctorErrors.OWN_ENTRY,
    },
    return: {
      label: '退回补充',
      from: ['REVIEWING'],
      to: 'RETURNED',
      permission: qualAudit,
      opinion: 'required',
      otherThan: doctorErrors.OWN_ENTRY,
    },
    reject: {
      label: '不通过',
      from: ['REVIEWING'],
      to: 'REJECTED',
      permission: qualAudit,
      opinion: 'required',
      danger: true,
      otherThan: doctorErrors.OWN_ENTRY,
    },
    recheckPass: {
      label: '复核通过',
      from: ['RECHECK'],
      to: 'APPROVED',
      permission: recheck,
      opinion: 'optional',
      otherThan: doctorErrors.SAME_AUDITOR,
    },
    recheckReturn: {
      label: '复核退回补充',
      from: ['RECHECK'],
      to: 'RETURNED',
      permission: recheck,
      opinion: 'required',
      otherThan: doctorErrors.SAME_AUDITOR,
    },
    recheckReject: {
      label: '复核不通过',
      from: ['RECHECK'],
      to: 'REJECTED',
      permission: recheck,
      opinion: 'required',
      danger: true,
      otherThan: doctorErrors.SAME_AUDITOR,
    },
    returnByHospital: {
      label: '执业机构未通过，退回补充',
      from: ['PENDING', 'REVIEWING', 'RECHECK'],
      to: 'RETURNED',
      permission: 'system',
      opinion: 'required',
    },
    withdraw: { label: '撤回', from: ['PENDING', 'RETURNED'], to: 'WITHDRAWN', permission: enter, opinion: 'none' },
    withdrawBySystem: {
      label: '系统撤回',
      from: ['PENDING', 'REVIEWING', 'RECHECK', 'RETURNED'],
      to: 'WITHDRAWN',
      permission: 'system',
      opinion: 'optional',
    },
  },
);
export type QualApplyState = keyof typeof qualApplyMachine.states & string;

export const certMachine = stateMachine(
  'doctor.cert',
  {
    PENDING: { label: '待审核', tone: 'warning' },
    VALID: { label: '有效', tone: 'success' },
    EXPIRED: { label: '已过期', tone: 'error' },
    REJECTED: { label: '不合格', tone: 'error' },
    REPLACED: { label: '已替换' },
  },
  {
    approve: { label: '生效', from: ['PENDING'], to: 'VALID', permission: 'system', opinion: 'none' },
    reject: { label: '不合格', from: ['PENDING'], to: 'REJECTED', permission: 'system', opinion: 'none' },
    replace: { label: '替换', from: ['PENDING', 'VALID', 'EXPIRED'], to: 'REPLACED', permission: 'system', opinion: 'none' },
    expire: { label: '过期', from: ['VALID'], to: 'EXPIRED', permission: 'system', opinion: 'none' },
    remind: { label: '发送到期提醒', from: ['VALID', 'EXPIRED'], permission: enter, opinion: 'none' },
  },
);
export type CertState = keyof typeof certMachine.states & string;

export const openingMachine = stateMachine(
  'doctor.serviceOpening',
  {
    PENDING: { label: '待审核', tone: 'warning' },
    ON: { label: '已开通', tone: 'success' },
    PAUSED: { label: '已暂停', tone: 'warning' },
    SUSPENDED: { label: '资质停用', tone: 'error' },
    REJECTED: { label: '审核不通过', tone: 'error' },
    CLOSED: { label: '已关闭' },
  },
  {
    apply: { label: '申请开通', from: ['PENDING'], permission: 'system', opinion: 'none' },
    approve: { label: '通过', from: ['PENDING'], to: 'ON', permission: openingAudit, opinion: 'optional' },
    reject: { label: '驳回', from: ['PENDING'], to: 'REJECTED', permission: openingAudit, opinion: 'required', danger: true },
    withdraw: { label: '撤回申请', from: ['PENDING'], to: 'CLOSED', permission: openingEdit, opinion: 'optional' },
    changePrice: { label: '调价', from: ['ON', 'PAUSED'], permission: openingEdit, opinion: 'required' },
    priceApproved: { label: '调价生效', from: ['ON', 'PAUSED', 'SUSPENDED'], permission: 'system', opinion: 'optional' },
    modify: { label: '修改时段与限额', from: ['ON', 'PAUSED'], permission: openingEdit, opinion: 'none' },
    pause: { label: '暂停', from: ['ON'], to: 'PAUSED', permission: openingEdit, opinion: 'none' },
    resume: { label: '恢复', from: ['PAUSED'], to: 'ON', permission: openingEdit, opinion: 'none' },
    suspend: { label: '资质停用', from: ['ON', 'PAUSED'], to: 'SUSPENDED', permission: 'system', opinion: 'optional' },
    restoreOn: { label: '恢复开通', from: ['SUSPENDED'], to: 'ON', permission: 'system', opinion: 'optional' },
    restorePaused: { label: '恢复为暂停', from: ['SUSPENDED'], to: 'PAUSED', permission: 'system', opinion: 'optional' },
    close: { label: '关闭', from: ['ON', 'PAUSED', 'SUSPENDED'], to: 'CLOSED', permission: openingEdit, opinion: 'required', danger: true },
    closeBySystem: {
      label: '医生注销关闭',
      from: ['PENDING', 'ON', 'PAUSED', 'SUSPENDED'],
      to: 'CLOSED',
      permission: 'system',
      opinion: 'optional',
    },
  },
);
export type OpeningState = keyof typeof openingMachine.states & string;

export const openingApplyMachine = stateMachine(
  'doctor.openingApply',
  {
    PENDING: { label: '待审核', tone: 'warning' },
    APPROVED: { label: '已通过', tone: 'success' },
    REJECTED: { label: '已驳回', tone: 'error' },
    WITHDRAWN: { label: '已撤回' },
  },
  {
    approve: {
      label: '通过',
      from: ['PENDING'],
      to: 'APPROVED',
      permission: openingAudit,
      opinion: 'optional',
      otherThan: doctorErrors.SAME_PERSON,
    },
    reject: {
      label: '驳回',
      from: ['PENDING'],
      to: 'REJECTED',
      permission: openingAudit,
      opinion: 'required',
      danger: true,
      otherThan: doctorErrors.SAME_PERSON,
    },
    withdraw: { label: '撤回', from: ['PENDING'], to: 'WITHDRAWN', permission: openingEdit, opinion: 'none' },
    withdrawBySystem: { label: '系统撤回', from: ['PENDING'], to: 'WITHDRAWN', permission: 'system', opinion: 'optional' },
  },
);

export const itemMachine = stateMachine(
  'doctor.serviceItem',
  { DRAFT: { label: '草稿' }, ON: { label: '已上架', tone: 'success' }, OFF: { label: '已下架', tone: 'default' } },
  {
    add: { label: '新增', from: ['DRAFT'], permission: 'system', opinion: 'none' },
    modify: { label: '编辑', from: ['DRAFT', 'ON', 'OFF'], permission: itemEdit, opinion: 'none' },
    on: { label: '上架', from: ['DRAFT', 'OFF'], to: 'ON', permission: itemEdit, opinion: 'none' },
    off: { label: '下架', from: ['ON'], to: 'OFF', permission: itemEdit, opinion: 'required', danger: true },
    delete: { label: '删除', from: ['DRAFT'], permission: itemEdit, opinion: 'none', danger: true },
  },
);

export const configMachine = stateMachine(
  'doctor.serviceConfig',
  {
    DRAFT: { label: '草稿' },
    ACTIVE: { label: '生效中', tone: 'success' },
    HISTORY: { label: '历史版本' },
  },
  {
    save: { label: '保存草稿', from: ['DRAFT'], permission: may['config.edit'].code, opinion: 'none' },
    publish: { label: '发布', from: ['DRAFT'], permission: may['config.publish'].code, opinion: 'optional' },
    /** A published version whose time has not come becomes the draft again. */
    cancel: { label: '撤回待生效版本', from: ['DRAFT'], permission: may['config.publish'].code, opinion: 'none' },
    activate: { label: '生效', from: ['DRAFT'], to: 'ACTIVE', permission: 'system', opinion: 'none' },
    retire: { label: '转为历史', from: ['ACTIVE'], to: 'HISTORY', permission: 'system', opinion: 'none' },
  },
);

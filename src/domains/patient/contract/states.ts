import { stateMachine } from '#kernel/contract/stateMachine.ts';
import { patientPermissions as may } from './permissions.ts';
import { patientErrors } from './errors.ts';

const verify = may['realName.verify'].code;
const audit = may['realName.audit'].code;

export const realNameMachine = stateMachine(
  'patient.realName',
  {
    UNVERIFIED: { label: '未实名' },
    PENDING: { label: '核验中', tone: 'processing' },
    MANUAL: { label: '待人工核验', tone: 'warning' },
    VERIFIED: { label: '已实名', tone: 'success' },
    FAILED: { label: '核验不通过', tone: 'error' },
  },
  {
    verify: { label: '发起核验', from: ['UNVERIFIED', 'FAILED'], to: 'PENDING', permission: verify, opinion: 'none' },
    /** The same, asked by the patient's client. */
    submit: { label: '提交核验', from: ['UNVERIFIED', 'FAILED'], to: 'PENDING', permission: 'system', opinion: 'none' },
    pass: { label: '核验一致', from: ['PENDING'], to: 'VERIFIED', permission: 'system', opinion: 'none' },
    mismatch: { label: '核验不通过', from: ['PENDING'], to: 'FAILED', permission: 'system', opinion: 'none' },
    giveUp: { label: '核验服务异常', from: ['PENDING'], to: 'MANUAL', permission: 'system', opinion: 'none' },
    toManual: { label: '转人工', from: ['FAILED'], to: 'MANUAL', permission: verify, opinion: 'required' },
    manualPass: { label: '人工通过', from: ['MANUAL'], to: 'VERIFIED', permission: audit, opinion: 'required' },
    manualReject: { label: '人工不通过', from: ['MANUAL'], to: 'FAILED', permission: audit, opinion: 'required', danger: true },
    reset: { label: '撤销实名', from: ['VERIFIED'], to: 'UNVERIFIED', permission: audit, opinion: 'required', danger: true },
  },
);
export type RealNameState = keyof typeof realNameMachine.states;

export const patientMachine = stateMachine(
  'patient.patient',
  {
    ACTIVE: { label: '正常', tone: 'success' },
    FROZEN: { label: '已冻结', tone: 'warning' },
    MERGED: { label: '已合并' },
    CANCELLED: { label: '已注销' },
  },
  {
    edit: { label: '编辑资料', from: ['ACTIVE', 'FROZEN'], permission: may['patient.edit'].code, opinion: 'none' },
    freeze: { label: '冻结', from: ['ACTIVE'], to: 'FROZEN', permission: may['patient.freeze'].code, opinion: 'required', danger: true },
    unfreeze: { label: '解冻', from: ['FROZEN'], to: 'ACTIVE', permission: may['patient.freeze'].code, opinion: 'required' },
    merge: { label: '合并', from: ['ACTIVE'], to: 'MERGED', permission: 'system', opinion: 'none' },
    unmerge: { label: '撤销合并', from: ['MERGED'], to: 'ACTIVE', permission: 'system', opinion: 'none' },
    cancel: {
      label: '注销',
      from: ['ACTIVE', 'FROZEN'],
      to: 'CANCELLED',
      permission: may['privacy.handle'].code,
      opinion: 'required',
      danger: true,
    },
    markDeceased: {
      label: '登记身故',
      from: ['ACTIVE', 'FROZEN'],
      permission: may['patient.edit'].code,
      opinion: 'required',
      danger: true,
    },
    correctDeceased: { label: '更正登记', from: ['ACTIVE', 'FROZEN'], permission: may['patient.edit'].code, opinion: 'required' },
  },
);
export const mergeMachine = stateMachine(
  'patient.merge',
  {
    PENDING: { label: '待审批', tone: 'warning' },
    MERGED: { label: '已合并' },
    REJECTED: { label: '已驳回', tone: 'error' },
    UNDONE: { label: '已撤销合并' },
  },
  {
    approve: {
      label: '同意合并',
      from: ['PENDING'],
      to: 'MERGED',
      permission: may['merge.audit'].code,
      opinion: 'optional',
      otherThan: patientErrors.MERGE_SAME_PERSON,
    },
    reject: {
      label: '驳回',
      from: ['PENDING'],
      to: 'REJECTED',
      permission: may['merge.audit'].code,
      opinion: 'required',
      danger: true,
    },
    undo: { label: '撤销合并', from: ['MERGED'], to: 'UNDONE', permission: may['merge.audit'].code, opinion: 'required', danger: true },
  },
);
export const inspectionMachine = stateMachine(
  'patient.inspection',
  { '0': { label: '待上传' }, '1': { label: '已上传', tone: 'processing' }, '2': { label: '已解读', tone: 'success' } },
  {
    upload: { label: '上传报告', from: ['0'], to: '1', permission: may['record.edit'].code, opinion: 'none' },
    receive: { label: '收到报告', from: ['0'], to: '1', permission: 'system', opinion: 'none' },
    check: {
      label: '核对解读',
      from: ['1'],
      to: '2',
      permission: may['record.check'].code,
      opinion: 'none',
      otherThan: patientErrors.SAME_CHECKER,
    },
    void: { label: '作废', from: ['0', '1', '2'], permission: may['record.edit'].code, opinion: 'required', danger: true },
  },
);
export const suggestionMachine = stateMachine(
  'patient.medicineSuggested',
  {
    '0': { label: '待医生确认', tone: 'warning' },
    '1': { label: '已确认', tone: 'success' },
    '2': { label: '已购药', tone: 'processing' },
    '3': { label: '已失效' },
  },
  {
    propose: { label: '开具', from: ['0', '1'], permission: 'system', opinion: 'optional' },
    confirm: { label: '确认', from: ['0'], to: '1', permission: 'system', opinion: 'none' },
    buy: { label: '购药', from: ['1'], to: '2', permission: 'system', opinion: 'none' },
    unbuy: { label: '订单取消', from: ['2'], to: '1', permission: 'system', opinion: 'none' },
    withdraw: { label: '撤回', from: ['0', '1'], to: '3', permission: 'system', opinion: 'required' },
    expire: { label: '过期', from: ['0', '1'], to: '3', permission: 'system', opinion: 'none' },
  },
);
export type SuggestionStatus = '0' | '1' | '2' | '3';

export const privacyMachine = stateMachine(
  'patient.privacyRequest',
  {
    OPEN: { label: '待处理', tone: 'warning' },
    DOING: { label: '处理中', tone: 'processing' },
    DONE: { label: '已办结', tone: 'success' },
    REFUSED: { label: '不予受理', tone: 'error' },
  },
  {
    start: { label: '开始处理', from: ['OPEN'], to: 'DOING', permission: may['privacy.handle'].code, opinion: 'none' },
    finish: { label: '办结', from: ['DOING'], to: 'DONE', permission: may['privacy.handle'].code, opinion: 'optional' },
    refuse: {
      label: '不予受理',
      from: ['OPEN', 'DOING'],
      to: 'REFUSED',
      permission: may['privacy.handle'].code,
      opinion: 'required',
      danger: true,
    },
  },
);
export const patientMachines = [realNameMachine, patientMachine, mergeMachine, inspectionMachine, suggestionMachine, privacyMachine];

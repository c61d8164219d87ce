import { stateMachine } from '#kernel/contract/stateMachine.ts';
import { institutionErrors } from './errors.ts';

export const hospitalMachine = stateMachine(
  'institution.hospital',
  {
    ENABLED: { label: '启用', tone: 'success' },
    DISABLED: { label: '停用' },
    MERGED: { label: '已合并' },
  },
  {
    add: { label: '新增', from: ['ENABLED'], permission: 'system', opinion: 'none' },
    modify: { label: '编辑', from: ['ENABLED', 'DISABLED'], permission: 'system', opinion: 'none' },
    disable: {
      label: '停用',
      from: ['ENABLED'],
      to: 'DISABLED',
      permission: 'institution.hospital.state',
      opinion: 'required',
      danger: true,
    },
    enable: { label: '启用', from: ['DISABLED'], to: 'ENABLED', permission: 'institution.hospital.state', opinion: 'none' },
    disableByApply: { label: '停用', from: ['ENABLED'], to: 'DISABLED', permission: 'system', opinion: 'optional' },
    merge: { label: '合并', from: ['ENABLED', 'DISABLED'], to: 'MERGED', permission: 'system', opinion: 'optional' },
    absorb: { label: '并入其他医院', from: ['ENABLED', 'DISABLED'], permission: 'system', opinion: 'optional' },
    unmergeEnabled: { label: '撤销合并', from: ['MERGED'], to: 'ENABLED', permission: 'system', opinion: 'optional' },
    unmergeDisabled: { label: '撤销合并', from: ['MERGED'], to: 'DISABLED', permission: 'system', opinion: 'optional' },
  },
);
export const applyMachine = stateMachine(
  'institution.hospitalApply',
  {
    PENDING: { label: '待审核', tone: 'warning' },
    REVIEWING: { label: '审核中', tone: 'processing' },
    APPROVED: { label: '已通过', tone: 'success' },
    LINKED: { label: '已关联现有', tone: 'success' },
    REJECTED: { label: '已驳回', tone: 'error' },
    WITHDRAWN: { label: '已撤回' },
  },
  {
    submit: { label: '提交', from: ['PENDING'], permission: 'system', opinion: 'none' },
    claim: { label: '领取', from: ['PENDING', 'REVIEWING'], to: 'REVIEWING', permission: 'institution.apply.audit', opinion: 'none' },
    release: { label: '退回', from: ['REVIEWING'], to: 'PENDING', permission: 'institution.apply.audit', opinion: 'none' },
    approve: {
      label: '通过',
      from: ['REVIEWING'],
      to: 'APPROVED',
      permission: 'institution.apply.audit',
      opinion: 'optional',
      otherThan: institutionErrors.OWN_APPLY,
    },
    link: {
      label: '关联现有',
      from: ['REVIEWING'],
      to: 'LINKED',
      permission: 'institution.apply.audit',
      opinion: 'optional',
      otherThan: institutionErrors.OWN_APPLY,
    },
    reject: {
      label: '驳回',
      from: ['REVIEWING'],
      to: 'REJECTED',
      permission: 'institution.apply.audit',
      opinion: 'required',
      danger: true,
      otherThan: institutionErrors.OWN_APPLY,
    },
    withdraw: { label: '撤回', from: ['PENDING'], to: 'WITHDRAWN', permission: 'institution.apply.enter', opinion: 'none' },
  },
);
export type ApplyState = keyof typeof applyMachine.states & string;

export const mergeMachine = stateMachine(
  'institution.hospitalMerge',
  {
    PENDING: { label: '待复核', tone: 'warning' },
    DONE: { label: '已合并' },
    REJECTED: { label: '已驳回', tone: 'error' },
    UNDONE: { label: '已撤销' },
  },
  {
    submit: { label: '提交复核', from: ['PENDING'], permission: 'institution.hospital.merge', opinion: 'required' },
    approve: {
      label: '通过',
      from: ['PENDING'],
      to: 'DONE',
      permission: 'institution.hospital.mergeAudit',
      opinion: 'optional',
      otherThan: institutionErrors.SAME_PERSON,
    },
    reject: {
      label: '驳回',
      from: ['PENDING'],
      to: 'REJECTED',
      permission: 'institution.hospital.mergeAudit',
      opinion: 'required',
      danger: true,
      otherThan: institutionErrors.SAME_PERSON,
    },
    undo: {
      label: '撤销合并',
      from: ['DONE'],
      to: 'UNDONE',
      permission: 'institution.hospital.supervise',
      opinion: 'required',
      danger: true,
    },
  },
);
export const storeMachine = stateMachine(
  'institution.drugstore',
  {
    DRAFT: { label: '待提交', tone: 'warning' },
    PENDING: { label: '待审核', tone: 'warning' },
    OPEN: { label: '营业中', tone: 'success' },
    SUSPENDED: { label: '已停用' },
    REJECTED: { label: '已驳回', tone: 'error' },
    CLOSED: { label: '已关店' },
  },
  {
    modify: { label: '编辑', from: ['DRAFT', 'PENDING', 'OPEN', 'SUSPENDED', 'REJECTED'], permission: 'system', opinion: 'none' },
    submit: { label: '提交审核', from: ['DRAFT', 'REJECTED'], to: 'PENDING', permission: 'institution.store.edit', opinion: 'none' },
    approve: {
      label: '通过',
      from: ['PENDING'],
      to: 'OPEN',
      permission: 'institution.store.audit',
      opinion: 'optional',
      otherThan: institutionErrors.SAME_PERSON,
    },
    reject: {
      label: '驳回',
      from: ['PENDING'],
      to: 'REJECTED',
      permission: 'institution.store.audit',
      opinion: 'required',
      danger: true,
      otherThan: institutionErrors.SAME_PERSON,
    },
    suspend: { label: '停用', from: ['OPEN'], to: 'SUSPENDED', permission: 'institution.store.state', opinion: 'required', danger: true },
    expire: { label: '证照过期停用', from: ['OPEN'], to: 'SUSPENDED', permission: 'system', opinion: 'required' },
    resume: { label: '恢复', from: ['SUSPENDED'], to: 'OPEN', permission: 'institution.store.state', opinion: 'required' },
    close: {
      label: '关店',
      from: ['OPEN', 'SUSPENDED'],
      to: 'CLOSED',
      permission: 'institution.store.state',
      opinion: 'required',
      danger: true,
    },
  },
);
export type StoreState = keyof typeof storeMachine.states & string;

export const changeMachine = stateMachine(
  'institution.storeChange',
  {
    PENDING: { label: '待审核', tone: 'warning' },
    APPROVED: { label: '已生效', tone: 'success' },
    REJECTED: { label: '已驳回', tone: 'error' },
    CANCELLED: { label: '已撤销' },
  },
  {
    submit: { label: '提交变更', from: ['PENDING'], permission: 'system', opinion: 'none' },
    approve: {
      label: '通过',
      from: ['PENDING'],
      to: 'APPROVED',
      permission: 'institution.store.audit',
      opinion: 'optional',
      otherThan: institutionErrors.SAME_PERSON,
    },
    reject: {
      label: '驳回',
      from: ['PENDING'],
      to: 'REJECTED',
      permission: 'institution.store.audit',
      opinion: 'required',
      danger: true,
      otherThan: institutionErrors.SAME_PERSON,
    },
    cancel: { label: '撤销', from: ['PENDING'], to: 'CANCELLED', permission: 'institution.store.edit', opinion: 'optional' },
  },
);

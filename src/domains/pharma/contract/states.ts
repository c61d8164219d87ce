import { stateMachine } from '#kernel/contract/stateMachine.ts';
import { pharmaErrors } from './errors.ts';

export const companyMachine = stateMachine(
  'pharma.company',
  { ENABLED: { label: '合作中', tone: 'success' }, DISABLED: { label: '已停用' } },
  {
    modify: { label: '编辑', from: ['ENABLED', 'DISABLED'], permission: 'pharma.company.edit', opinion: 'none' },
    disable: { label: '停用', from: ['ENABLED'], to: 'DISABLED', permission: 'pharma.company.state', opinion: 'required', danger: true },
    enable: { label: '启用', from: ['DISABLED'], to: 'ENABLED', permission: 'pharma.company.state', opinion: 'optional' },
  },
);

export const lineMachine = stateMachine(
  'pharma.productLine',
  {
    DRAFT: { label: '未生效' },
    ACTIVE: { label: '合作中', tone: 'success' },
    EXPIRED: { label: '已到期', tone: 'warning' },
    STOPPED: { label: '已终止', tone: 'error' },
  },
  {
    modify: { label: '编辑', from: ['DRAFT', 'ACTIVE', 'EXPIRED'], permission: 'pharma.line.edit', opinion: 'none' },
    begin: { label: '生效', from: ['DRAFT', 'EXPIRED'], to: 'ACTIVE', permission: 'system', opinion: 'none' },
    expire: { label: '到期', from: ['DRAFT', 'ACTIVE'], to: 'EXPIRED', permission: 'system', opinion: 'none' },
    renew: { label: '续约', from: ['ACTIVE', 'EXPIRED'], permission: 'pharma.line.state', opinion: 'none' },
    stop: {
      label: '终止',
      from: ['DRAFT', 'ACTIVE', 'EXPIRED'],
      to: 'STOPPED',
      permission: 'pharma.line.state',
      opinion: 'required',
      danger: true,
    },
  },
);

export const medicineMachine = stateMachine(
  'pharma.medicine',
  {
    DRAFT: { label: '草稿' },
    PENDING: { label: '待审核', tone: 'warning' },
    OFF: { label: '已下架' },
    ON: { label: '已上架', tone: 'success' },
    VOID: { label: '已作废' },
  },
  {
    submit: { label: '提交审核', from: ['DRAFT'], to: 'PENDING', permission: 'pharma.medicine.edit', opinion: 'none' },
    approve: {
      label: '通过',
      from: ['PENDING'],
      to: 'OFF',
      permission: 'pharma.medicine.audit',
      opinion: 'optional',
      otherThan: pharmaErrors.SAME_PERSON,
    },
    reject: {
      label: '驳回',
      from: ['PENDING'],
      to: 'DRAFT',
      permission: 'pharma.medicine.audit',
      opinion: 'required',
      danger: true,
      otherThan: pharmaErrors.SAME_PERSON,
    },
    withdraw: { label: '撤回', from: ['PENDING'], to: 'DRAFT', permission: 'pharma.medicine.edit', opinion: 'none' },
    /** Asks; the decision is `on`, by somebody else. */
    putOn: { label: '上架', from: ['OFF'], permission: 'pharma.medicine.edit', opinion: 'none' },
    on: { label: '上架通过', from: ['OFF'], to: 'ON', permission: 'system', opinion: 'optional' },
    takeOff: { label: '下架', from: ['ON'], to: 'OFF', permission: 'pharma.medicine.edit', opinion: 'required', danger: true },
    expire: { label: '批准文号到期下架', from: ['ON'], to: 'OFF', permission: 'system', opinion: 'required' },
    void: { label: '作废', from: ['DRAFT', 'OFF'], to: 'VOID', permission: 'pharma.medicine.audit', opinion: 'required', danger: true },
    modify: { label: '编辑', from: ['DRAFT', 'OFF', 'ON'], permission: 'pharma.medicine.edit', opinion: 'none' },
    /** Facts of the licence change only after an audit. */
    changeApproved: { label: '变更通过', from: ['OFF', 'ON'], permission: 'system', opinion: 'optional' },
    changeRejected: { label: '申请驳回', from: ['OFF', 'ON'], permission: 'system', opinion: 'required' },
  },
);

export const skuMachine = stateMachine(
  'pharma.sku',
  { ON: { label: '可售', tone: 'success' }, OFF: { label: '停售' } },
  {
    modify: { label: '编辑', from: ['ON', 'OFF'], permission: 'pharma.medicine.edit', opinion: 'none' },
    off: { label: '停售', from: ['ON'], to: 'OFF', permission: 'pharma.medicine.edit', opinion: 'optional', danger: true },
    on: { label: '恢复可售', from: ['OFF'], to: 'ON', permission: 'pharma.medicine.edit', opinion: 'none' },
  },
);

export const applyMachine = stateMachine(
  'pharma.medicineApply',
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
      permission: 'pharma.medicine.audit',
      opinion: 'optional',
      otherThan: pharmaErrors.SAME_PERSON,
    },
    reject: {
      label: '驳回',
      from: ['PENDING'],
      to: 'REJECTED',
      permission: 'pharma.medicine.audit',
      opinion: 'required',
      danger: true,
      otherThan: pharmaErrors.SAME_PERSON,
    },
    withdraw: { label: '撤回', from: ['PENDING'], to: 'WITHDRAWN', permission: 'pharma.medicine.edit', opinion: 'none' },
  },
);

export const agentMachine = stateMachine(
  'pharma.agent',
  {
    PENDING: { label: '待激活', tone: 'warning' },
    ACTIVE: { label: '在职', tone: 'success' },
    FROZEN: { label: '已冻结', tone: 'warning' },
    HANDOVER: { label: '交接中', tone: 'processing' },
    LEFT: { label: '已离职' },
  },
  {
    activate: { label: '激活', from: ['PENDING'], to: 'ACTIVE', permission: 'pharma.agent.edit', opinion: 'none' },
    modify: { label: '编辑', from: ['PENDING', 'ACTIVE', 'FROZEN'], permission: 'pharma.agent.edit', opinion: 'none' },
    changeParent: { label: '调整上级', from: ['ACTIVE'], permission: 'pharma.agent.edit', opinion: 'none' },
    freeze: { label: '冻结', from: ['ACTIVE'], to: 'FROZEN', permission: 'pharma.agent.state', opinion: 'required', danger: true },
    unfreeze: { label: '解冻', from: ['FROZEN'], to: 'ACTIVE', permission: 'pharma.agent.state', opinion: 'required' },
    startHandover: {
      label: '发起交接',
      from: ['ACTIVE', 'FROZEN'],
      to: 'HANDOVER',
      permission: 'pharma.agent.handover',
      opinion: 'required',
    },
    endHandover: { label: '结束交接', from: ['HANDOVER'], to: 'ACTIVE', permission: 'system', opinion: 'none' },
    endHandoverFrozen: { label: '结束交接', from: ['HANDOVER'], to: 'FROZEN', permission: 'system', opinion: 'none' },
    leave: { label: '离职', from: ['HANDOVER'], to: 'LEFT', permission: 'system', opinion: 'none' },
  },
);

export const handoverMachine = stateMachine(
  'pharma.agentHandover',
  {
    DRAFT: { label: '草稿' },
    PENDING: { label: '待审批', tone: 'warning' },
    WAITING: { label: '待生效', tone: 'processing' },
    RUNNING: { label: '交接中', tone: 'processing' },
    DONE: { label: '已完成', tone: 'success' },
    REJECTED: { label: '已驳回', tone: 'error' },
    CANCELLED: { label: '已取消' },
  },
  {
    submit: { label: '提交审批', from: ['DRAFT'], to: 'PENDING', permission: 'pharma.agent.handover', opinion: 'none' },
    approve: {
      label: '同意',
      from: ['PENDING'],
      to: 'WAITING',
      permission: 'pharma.agent.handoverAudit',
      opinion: 'optional',
      otherThan: pharmaErrors.SAME_PERSON,
    },
    reject: {
      label: '驳回',
      from: ['PENDING'],
      to: 'REJECTED',
      permission: 'pharma.agent.handoverAudit',
      opinion: 'required',
      danger: true,
      otherThan: pharmaErrors.SAME_PERSON,
    },
    start: { label: '开始交接', from: ['WAITING'], to: 'RUNNING', permission: 'system', opinion: 'none' },
    finish: { label: '交接完成', from: ['RUNNING'], to: 'DONE', permission: 'system', opinion: 'none' },
    cancel: {
      label: '取消',
      from: ['DRAFT', 'PENDING', 'WAITING'],
      to: 'CANCELLED',
      permission: 'pharma.agent.handover',
      opinion: 'required',
      danger: true,
    },
  },
);

export const adverseMachine = stateMachine(
  'pharma.adverseReport',
  {
    RECEIVED: { label: '待转报', tone: 'warning' },
    FORWARDED: { label: '已转报', tone: 'processing' },
    CLOSED: { label: '已回执', tone: 'success' },
    INVALID: { label: '无效' },
  },
  {
    receive: { label: '收到报告', from: ['RECEIVED'], permission: 'system', opinion: 'none' },
    forward: { label: '转报药企', from: ['RECEIVED'], to: 'FORWARDED', permission: 'pharma.pv.edit', opinion: 'none' },
    close: { label: '登记回执', from: ['FORWARDED'], to: 'CLOSED', permission: 'pharma.pv.edit', opinion: 'none' },
    /** The first of two persons; the second one decides. */
    proposeInvalid: { label: '提请判定无效', from: ['RECEIVED'], permission: 'pharma.pv.edit', opinion: 'required' },
    invalidate: { label: '判定无效', from: ['RECEIVED'], to: 'INVALID', permission: 'pharma.pv.edit', opinion: 'required', danger: true },
  },
);

export const pharmaStateDictionaries = [
  companyMachine,
  lineMachine,
  medicineMachine,
  skuMachine,
  applyMachine,
  agentMachine,
  handoverMachine,
  adverseMachine,
].map((machine) => machine.dictionary);

export type MedicineState = keyof typeof medicineMachine.states;
export type ApplyState = keyof typeof applyMachine.states;

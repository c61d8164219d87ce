import { stateMachine } from '#kernel/contract/stateMachine.ts';
import { enrolmentErrors } from './errors.ts';

const LIVE = ['WAIT_PAY', 'NOT_STARTED', 'ACTIVE', 'SUSPENDED'] as const;

export const contractMachine = stateMachine(
  'enrolment.contract',
  {
    WAIT_SIGN: { label: '待签署', tone: 'warning' },
    WAIT_PAY: { label: '待支付', tone: 'warning' },
    NOT_STARTED: { label: '待生效', tone: 'processing' },
    ACTIVE: { label: '生效中', tone: 'success' },
    SUSPENDED: { label: '已暂停', tone: 'warning' },
    EXPIRED: { label: '已到期', tone: 'warning' },
    TERMINATED: { label: '已终止', tone: 'error' },
    CANCELLED: { label: '已取消' },
  },
  {
    sign: { label: '签署回传', from: ['WAIT_SIGN'], to: 'WAIT_PAY', permission: 'enrolment.contract.edit', opinion: 'none' },
    signFree: { label: '签署完成，待生效', from: ['WAIT_SIGN'], to: 'NOT_STARTED', permission: 'system', opinion: 'none' },
    signStarted: { label: '签署完成，合同生效', from: ['WAIT_SIGN'], to: 'ACTIVE', permission: 'system', opinion: 'none' },
    paid: { label: '支付完成，待生效', from: ['WAIT_PAY'], to: 'NOT_STARTED', permission: 'system', opinion: 'none' },
    paidStarted: { label: '支付完成，合同生效', from: ['WAIT_PAY'], to: 'ACTIVE', permission: 'system', opinion: 'none' },
    start: { label: '合同生效', from: ['NOT_STARTED'], to: 'ACTIVE', permission: 'system', opinion: 'none' },
    amend: { label: '变更', from: ['NOT_STARTED', 'ACTIVE', 'SUSPENDED'], permission: 'enrolment.contract.amend', opinion: 'none' },
    amended: { label: '变更生效', from: ['NOT_STARTED', 'ACTIVE', 'SUSPENDED'], permission: 'system', opinion: 'none' },
    reviewed: { label: '复查通过', from: ['ACTIVE', 'SUSPENDED'], permission: 'system', opinion: 'none' },
    suspend: {
      label: '暂停',
      from: ['ACTIVE'],
      to: 'SUSPENDED',
      permission: 'enrolment.contract.suspend',
      opinion: 'required',
      danger: true,
    },
    suspendBySystem: { label: '自动暂停', from: ['ACTIVE'], to: 'SUSPENDED', permission: 'system', opinion: 'none' },
    resume: { label: '恢复', from: ['SUSPENDED'], to: 'ACTIVE', permission: 'enrolment.contract.suspend', opinion: 'required' },
    resumeBySystem: { label: '自动恢复', from: ['SUSPENDED'], to: 'ACTIVE', permission: 'system', opinion: 'none' },
    renew: { label: '续签', from: ['ACTIVE', 'EXPIRED'], permission: 'enrolment.contract.renew', opinion: 'none' },
    terminate: { label: '终止', from: LIVE, permission: 'enrolment.contract.terminate', opinion: 'required', danger: true },
    end: { label: '合同终止', from: LIVE, to: 'TERMINATED', permission: 'system', opinion: 'none' },
    cancel: {
      label: '取消',
      from: ['WAIT_SIGN', 'WAIT_PAY'],
      to: 'CANCELLED',
      permission: 'enrolment.contract.edit',
      opinion: 'required',
      danger: true,
    },
    cancelBySystem: { label: '自动取消', from: ['WAIT_SIGN', 'WAIT_PAY'], to: 'CANCELLED', permission: 'system', opinion: 'none' },
    expire: { label: '合同到期', from: ['NOT_STARTED', 'ACTIVE', 'SUSPENDED'], to: 'EXPIRED', permission: 'system', opinion: 'none' },
  },
);
export type ContractAction = keyof typeof contractMachine.transitions;

export const amendmentMachine = stateMachine(
  'enrolment.amendment',
  {
    PENDING: { label: '待审批', tone: 'warning' },
    APPROVED: { label: '已生效', tone: 'success' },
    REJECTED: { label: '已驳回', tone: 'error' },
    CANCELLED: { label: '已撤销' },
  },
  {
    approve: {
      label: '同意',
      from: ['PENDING'],
      to: 'APPROVED',
      permission: 'enrolment.contract.amendAudit',
      opinion: 'optional',
      otherThan: enrolmentErrors.OWN_AMENDMENT,
    },
    reject: {
      label: '驳回',
      from: ['PENDING'],
      to: 'REJECTED',
      permission: 'enrolment.contract.amendAudit',
      opinion: 'required',
      danger: true,
      otherThan: enrolmentErrors.OWN_AMENDMENT,
    },
    cancel: { label: '撤销', from: ['PENDING'], to: 'CANCELLED', permission: 'enrolment.contract.amend', opinion: 'none' },
  },
);

export const terminationMachine = stateMachine(
  'enrolment.termination',
  {
    PENDING: { label: '待确认', tone: 'warning' },
    CONFIRMED: { label: '已终止', tone: 'error' },
    REJECTED: { label: '已驳回', tone: 'error' },
    CANCELLED: { label: '已撤回' },
    EXPIRED: { label: '已失效' },
  },
  {
    approve: {
      label: '确认终止',
      from: ['PENDING'],
      to: 'CONFIRMED',
      permission: 'enrolment.contract.amendAudit',
      opinion: 'required',
      danger: true,
      otherThan: enrolmentErrors.OWN_AMENDMENT,
    },
    reject: {
      label: '驳回',
      from: ['PENDING'],
      to: 'REJECTED',
      permission: 'enrolment.contract.amendAudit',
      opinion: 'required',
      otherThan: enrolmentErrors.OWN_AMENDMENT,
    },
    cancel: { label: '撤回', from: ['PENDING'], to: 'CANCELLED', permission: 'enrolment.contract.terminate', opinion: 'none' },
    expire: { label: '超时失效', from: ['PENDING'], to: 'EXPIRED', permission: 'system', opinion: 'none' },
  },
);

export const contractPayMachine = stateMachine(
  'enrolment.contractPay',
  {
    INIT: { label: '待支付', tone: 'warning' },
    PENDING: { label: '支付中', tone: 'processing' },
    CHECKING: { label: '线下待复核', tone: 'warning' },
    SUCCESS: { label: '已支付', tone: 'success' },
    FAILED: { label: '支付失败', tone: 'error' },
    UNKNOWN: { label: '结果未知', tone: 'warning' },
    CLOSED: { label: '已关闭' },
  },
  {
    open: { label: '打开支付页面', from: ['INIT'], to: 'PENDING', permission: 'system', opinion: 'none' },
    succeed: { label: '支付成功', from: ['INIT', 'PENDING', 'UNKNOWN', 'FAILED'], to: 'SUCCESS', permission: 'system', opinion: 'none' },
    late: { label: '关闭后到账', from: ['CLOSED'], to: 'SUCCESS', permission: 'system', opinion: 'none' },
    fail: { label: '支付失败', from: ['PENDING', 'UNKNOWN'], to: 'FAILED', permission: 'system', opinion: 'none' },
    lose: { label: '结果未知', from: ['PENDING'], to: 'UNKNOWN', permission: 'system', opinion: 'none' },
    found: { label: '渠道确认未支付', from: ['UNKNOWN'], to: 'PENDING', permission: 'system', opinion: 'none' },
    close: { label: '关闭', from: ['INIT', 'PENDING'], to: 'CLOSED', permission: 'system', opinion: 'none' },
    register: { label: '登记线下支付', from: ['INIT'], to: 'CHECKING', permission: 'enrolment.pay.refund', opinion: 'none' },
    approve: {
      label: '复核到账',
      from: ['CHECKING'],
      to: 'SUCCESS',
      permission: 'enrolment.pay.refundAudit',
      opinion: 'optional',
      otherThan: enrolmentErrors.OWN_REFUND,
    },
    reject: {
      label: '驳回登记',
      from: ['CHECKING'],
      to: 'INIT',
      permission: 'enrolment.pay.refundAudit',
      opinion: 'required',
      danger: true,
      otherThan: enrolmentErrors.OWN_REFUND,
    },
  },
);

export const contractRefundMachine = stateMachine(
  'enrolment.contractRefund',
  {
    APPLIED: { label: '待复核', tone: 'warning' },
    PENDING: { label: '退款中', tone: 'processing' },
    REJECTED: { label: '已驳回', tone: 'error' },
    SUCCESS: { label: '已退款' },
    FAILED: { label: '退款失败', tone: 'error' },
    UNKNOWN: { label: '结果未知', tone: 'warning' },
  },
  {
    apply: { label: '申请退款', from: ['APPLIED'], permission: 'system', opinion: 'none' },
    refundAll: { label: '自动全额退款', from: ['PENDING'], permission: 'system', opinion: 'none' },
    approve: {
      label: '同意退款',
      from: ['APPLIED'],
      to: 'PENDING',
      permission: 'enrolment.pay.refundAudit',
      opinion: 'optional',
      otherThan: enrolmentErrors.OWN_REFUND,
    },
    reject: {
      label: '驳回',
      from: ['APPLIED'],
      to: 'REJECTED',
      permission: 'enrolment.pay.refundAudit',
      opinion: 'required',
      danger: true,
      otherThan: enrolmentErrors.OWN_REFUND,
    },
    succeed: { label: '退款成功', from: ['PENDING', 'UNKNOWN'], to: 'SUCCESS', permission: 'system', opinion: 'none' },
    fail: { label: '退款失败', from: ['PENDING', 'UNKNOWN'], to: 'FAILED', permission: 'system', opinion: 'none' },
    lose: { label: '结果未知', from: ['PENDING'], to: 'UNKNOWN', permission: 'system', opinion: 'none' },
  },
);

export const contractMachines = [contractMachine, amendmentMachine, terminationMachine, contractPayMachine, contractRefundMachine];

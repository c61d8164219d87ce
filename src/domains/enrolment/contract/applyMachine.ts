import { stateMachine } from '#kernel/contract/stateMachine.ts';
import { enrolmentErrors as errors } from './errors.ts';
import { applyPermissions as may } from './permissions.ts';

const [enter, audit, recheck] = [may['apply.enter'].code, may['apply.audit'].code, may['apply.recheck'].code];
const [supervise, insurer] = [may['apply.supervise'].code, may['apply.insurer'].code];
const otherThanEnterer = { otherThan: errors.OWN_ENTRY };
const otherThanReviewer = { otherThan: errors.SAME_REVIEWER };

/** 入组申请: from being entered to the contract that it opens, or to its end without one. */
export const applyMachine = stateMachine(
  'enrolment.apply',
  {
    DRAFT: { label: '草稿' },
    PENDING: { label: '待审核', tone: 'warning' },
    REVIEWING: { label: '审核中', tone: 'processing' },
    SUPPLEMENT: { label: '待补件', tone: 'warning' },
    RECHECK: { label: '待复核', tone: 'warning' },
    WAIT_INSURER: { label: '待保司确认', tone: 'processing' },
    APPROVED: { label: '审核通过', tone: 'success' },
    REJECTED: { label: '审核不通过', tone: 'error' },
    WITHDRAWN: { label: '已撤回' },
    CLOSED: { label: '超时关闭', tone: 'error' },
  },
  {
    submit: { label: '提交', from: ['DRAFT'], to: 'PENDING', permission: enter, opinion: 'none' },
    autoPass: { label: '免初审通过', from: ['PENDING'], to: 'APPROVED', permission: 'system', opinion: 'optional' },
    autoPassToRecheck: { label: '免初审，转复核', from: ['PENDING'], to: 'RECHECK', permission: 'system', opinion: 'optional' },
    autoPassToInsurer: { label: '免初审，提交保司', from: ['PENDING'], to: 'WAIT_INSURER', permission: 'system', opinion: 'optional' },
    claim: { label: '领取', from: ['PENDING', 'REVIEWING'], to: 'REVIEWING', permission: audit, opinion: 'none' },
    release: { label: '退回任务池', from: ['REVIEWING'], to: 'PENDING', permission: audit, opinion: 'none' },
    takeover: { label: '接管', from: ['REVIEWING', 'RECHECK'], permission: supervise, opinion: 'required', handsOver: true },
    prefer: { label: '分配审核人', from: ['PENDING', 'REVIEWING', 'RECHECK'], permission: supervise, opinion: 'none', handsOver: true },
    pass: { label: '初审通过', from: ['REVIEWING'], to: 'APPROVED', permission: audit, opinion: 'optional', ...otherThanEnterer },
    passToRecheck: {
      label: '初审通过，转复核',
      from: ['REVIEWING'],
      to: 'RECHECK',
      permission: 'system',
      opinion: 'optional',
      ...otherThanEnterer,
    },
    passToInsurer: {
      label: '初审通过，提交保司',
      from: ['REVIEWING'],
      to: 'WAIT_INSURER',
      permission: 'system',
      opinion: 'optional',
      ...otherThanEnterer,
    },
    supplement: { label: '通知补件', from: ['REVIEWING'], to: 'SUPPLEMENT', permission: audit, opinion: 'optional', ...otherThanEnterer },
    supply: { label: '补件提交', from: ['SUPPLEMENT'], to: 'PENDING', permission: enter, opinion: 'none' },
    reject: {
      label: '不通过',
      from: ['REVIEWING'],
      to: 'REJECTED',
      permission: audit,
      opinion: 'required',
      danger: true,
      ...otherThanEnterer,
    },
    recheckPass: { label: '复核通过', from: ['RECHECK'], to: 'APPROVED', permission: recheck, opinion: 'required', ...otherThanReviewer },
    recheckPassToInsurer: {
      label: '复核通过，提交保司',
      from: ['RECHECK'],
      to: 'WAIT_INSURER',
      permission: 'system',
      opinion: 'required',
      ...otherThanReviewer,
    },
    recheckReturn: { label: '退回初审', from: ['RECHECK'], to: 'PENDING', permission: recheck, opinion: 'required', ...otherThanReviewer },
    recheckReject: {
      label: '复核不通过',
      from: ['RECHECK'],
      to: 'REJECTED',
      permission: recheck,
      opinion: 'required',
      danger: true,
      ...otherThanReviewer,
    },
    insurerAccept: {
      label: '保司同意',
      from: ['WAIT_INSURER'],
      to: 'APPROVED',
      permission: insurer,
      opinion: 'required',
      ...otherThanEnterer,
    },
    insurerReject: {
      label: '保司不同意',
      from: ['WAIT_INSURER'],
      to: 'REJECTED',
      permission: insurer,
      opinion: 'required',
      danger: true,
      ...otherThanEnterer,
    },
    insurerReturn: {
      label: '保司退回',
      from: ['WAIT_INSURER'],
      to: 'PENDING',
      permission: insurer,
      opinion: 'required',
      ...otherThanEnterer,
    },
    withdraw: {
      label: '撤回',
      from: ['DRAFT', 'PENDING', 'SUPPLEMENT'],
      to: 'WITHDRAWN',
      permission: enter,
      opinion: 'required',
      danger: true,
    },
    timeoutClose: { label: '超时关闭', from: ['SUPPLEMENT'], to: 'CLOSED', permission: 'system', opinion: 'optional' },
    appeal: { label: '受理申诉', from: ['REJECTED'], to: 'RECHECK', permission: supervise, opinion: 'required' },
    revokeApproval: { label: '撤销通过', from: ['APPROVED'], to: 'PENDING', permission: supervise, opinion: 'required', danger: true },
  },
);
export type ApplyState = keyof typeof applyMachine.states & string;
export type ApplyAction = keyof typeof applyMachine.transitions & string;

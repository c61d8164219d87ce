import { dictionary } from '#kernel/contract/dictionary.ts';
import { stateMachine } from '#kernel/contract/stateMachine.ts';
import type { MaterialType } from '#domains/insurance/contract/businessLines.ts';
import { enrolmentErrors as errors } from './errors.ts';

/** What is handed in for, after the contract was made. */
export const otherMaterialKinds = dictionary('enrolment.otherMaterialKind', {
  FOLLOW_UP: '复查',
  IDENTITY: '证件更新',
  BANK: '收款账户',
  PRIOR_PURCHASE: '既往购药',
  PRESCRIPTION: '处方更新',
  OTHER: '其他',
});
export type OtherMaterialKind = (typeof otherMaterialKinds.codes)[number];

/** What has to be among the papers of a kind. */
export const requiredPapers: Readonly<Record<OtherMaterialKind, readonly MaterialType[]>> = {
  FOLLOW_UP: ['FOLLOW_UP'],
  IDENTITY: ['ID_CARD'],
  BANK: ['BANK_CARD'],
  PRIOR_PURCHASE: ['PRIOR_PURCHASE'],
  PRESCRIPTION: ['PRESCRIPTION'],
  OTHER: [],
};

export const followUpResults = dictionary('enrolment.followUpResult', {
  IMPROVED: { label: '好转', tone: 'success' },
  STABLE: { label: '稳定', tone: 'success' },
  PROGRESSED: { label: '进展', tone: 'warning' },
  UNCLEAR: '无法判断',
});

export const otherMaterialQueues = dictionary('enrolment.otherMaterialQueue', {
  MINE: '待我处理',
  POOL: '任务池',
  SUPPLEMENT: '待补件',
  ALL: '全部',
});
export type OtherMaterialQueue = (typeof otherMaterialQueues.codes)[number];

const [enter, audit] = ['enrolment.apply.enter', 'enrolment.material.audit'];
const otherThan = errors.OWN_ENTRY;
export const otherMaterialMachine = stateMachine(
  'enrolment.otherMaterial',
  {
    PENDING: { label: '待审核', tone: 'warning' },
    REVIEWING: { label: '审核中', tone: 'processing' },
    SUPPLEMENT: { label: '待补件', tone: 'warning' },
    APPROVED: { label: '审核通过', tone: 'success' },
    REJECTED: { label: '审核不通过', tone: 'error' },
    WITHDRAWN: { label: '已撤回' },
  },
  {
    claim: { label: '领取', from: ['PENDING', 'REVIEWING'], to: 'REVIEWING', permission: audit, opinion: 'none' },
    release: { label: '退回任务池', from: ['REVIEWING'], to: 'PENDING', permission: audit, opinion: 'none' },
    takeover: { label: '接管', from: ['REVIEWING'], permission: 'enrolment.apply.supervise', opinion: 'required', handsOver: true },
    pass: { label: '通过', from: ['REVIEWING'], to: 'APPROVED', permission: audit, opinion: 'optional', otherThan },
    supplement: { label: '通知补件', from: ['REVIEWING'], to: 'SUPPLEMENT', permission: audit, opinion: 'optional', otherThan },
    supply: { label: '补件提交', from: ['SUPPLEMENT'], to: 'PENDING', permission: enter, opinion: 'none' },
    reject: { label: '不通过', from: ['REVIEWING'], to: 'REJECTED', permission: audit, opinion: 'required', danger: true, otherThan },
    withdraw: { label: '撤回', from: ['PENDING', 'SUPPLEMENT'], to: 'WITHDRAWN', permission: enter, opinion: 'required', danger: true },
    lapse: { label: '逾期未补件', from: ['SUPPLEMENT'], to: 'WITHDRAWN', permission: 'system', opinion: 'optional' },
  },
);
export type OtherMaterialState = keyof typeof otherMaterialMachine.states;
export type OtherMaterialAction = keyof typeof otherMaterialMachine.transitions;

export const otherMaterialDictionaries = [otherMaterialKinds, followUpResults, otherMaterialQueues, otherMaterialMachine.dictionary];

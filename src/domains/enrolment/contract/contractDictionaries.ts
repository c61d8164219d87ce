import { dictionary } from '#kernel/contract/dictionary.ts';

export const contractOrigins = dictionary('enrolment.contractOrigin', { APPLY: '入组审核', AUTO: '清单自动', RENEW: '续签' });
export type ContractOrigin = (typeof contractOrigins.codes)[number];
export const signChannels = dictionary('enrolment.signChannel', { E_SIGN: '电子签', PAPER: '纸质回传' });
export type SignChannel = (typeof signChannels.codes)[number];
export const contractPayModes = dictionary('enrolment.contractPayMode', { NONE: '免费', PLATFORM: '用户支付', SPONSOR: '单位支付' });
export const suspendReasons = dictionary('enrolment.suspendReason', {
  REVIEW_OVERDUE: '复查逾期',
  POLICY: '保单中止',
  RISK: '风险核查',
  MANUAL: '人工',
});
/** Those that somebody may choose; the others are found by the system. */
export const CHOSEN_SUSPENSIONS = ['RISK', 'MANUAL'] as const;
export const cancelReasons = dictionary('enrolment.cancelReason', {
  UNSIGNED: '逾期未签',
  UNPAID: '逾期未付',
  REVOKED: '撤销通过',
  MANUAL: '人工',
});
export const terminateReasons = dictionary('enrolment.terminateReason', {
  DEATH: '被保人身故',
  LEFT: '退保或离职',
  FRAUD: '材料不真实',
  REQUEST: '本人申请',
  OTHER: '其他',
});
export const amendmentTypes = dictionary('enrolment.amendmentType', {
  DRUG: '变更用药',
  PAYEE: '变更收款账户',
  CONTACT: '变更联系方式',
  EXTEND: '延长期限',
  PLAN: '变更方案',
});
export type AmendmentType = (typeof amendmentTypes.codes)[number];
export const contractPayChannels = dictionary('enrolment.contractPayChannel', {
  WECHAT: '微信',
  ALIPAY: '支付宝',
  BANK: '对公转账',
  OFFLINE: '线下',
});
export const HAND_CHANNELS = ['BANK', 'OFFLINE'] as const;
export const payFlags = dictionary('enrolment.payFlag', {
  AMOUNT: { label: '金额不一致', tone: 'error' },
  LATE: { label: '关闭后到账', tone: 'warning' },
});
export const paySources = dictionary('enrolment.paySource', { NOTICE: '渠道通知', QUERY: '主动查询', HAND: '人工登记' });
export const payOutcomes = dictionary('enrolment.payOutcome', {
  PAID: { label: '已计入', tone: 'success' },
  LATE: { label: '关闭后到账', tone: 'warning' },
  TWICE: { label: '重复到账', tone: 'error' },
  AMOUNT: { label: '金额不一致', tone: 'error' },
});
export const payProgress = dictionary('enrolment.payProgress', {
  FREE: '无需支付',
  UNPAID: { label: '未支付', tone: 'warning' },
  PAID: { label: '已支付', tone: 'success' },
  REFUNDED: { label: '有退款', tone: 'processing' },
});
/** Personal numbers of a contract that may be shown in clear. */
export const contractNumbers = ['idNo', 'mobile', 'payeeAccount'] as const;

export const contractDictionaries = [
  contractOrigins,
  signChannels,
  contractPayModes,
  suspendReasons,
  cancelReasons,
  terminateReasons,
  amendmentTypes,
  contractPayChannels,
  payFlags,
  paySources,
  payOutcomes,
  payProgress,
];

import { dictionary } from '#kernel/contract/dictionary.ts';

export const ruleTypes = dictionary('settlement.ruleType', { SHARE: '分成规则', CYCLE: '周期规则' });
export type RuleType = (typeof ruleTypes.codes)[number];
/** What a share rule makes of a completed service. */
export const earnedTypes = dictionary('settlement.earnedType', { CONSULT: '咨询收入', FOLLOW_UP: '随访收入' });
export type EarnedType = (typeof earnedTypes.codes)[number];
export const incomeTypes = dictionary('settlement.incomeType', {
  CONSULT: '咨询收入',
  FOLLOW_UP: '随访收入',
  INCENTIVE: '激励收入',
  ADJUST: '人工调整',
  CLAWBACK: { label: '追回', tone: 'warning' },
});
export type IncomeType = (typeof incomeTypes.codes)[number];
export const baseTypes = dictionary('settlement.baseType', { PAID: '实付金额', LIST: '标价金额' });
export type BaseType = (typeof baseTypes.codes)[number];
export const payeeIdTypes = dictionary('settlement.payeeIdType', { ID_CARD: '身份证', HK_MO: '港澳居民来往内地通行证', PASSPORT: '护照' });
/** How tax is withheld: by law for those who run a platform and for those who do not. */
export const taxMethods = dictionary('settlement.taxMethod', { CUMULATIVE: '累计预扣法', PER_OCCURRENCE: '按次预扣预缴' });
export type TaxMethod = (typeof taxMethods.codes)[number];
/** What doctors may be paid for by a pharma company; nothing of it is a prescription or a sale. */
export const incentiveTasks = dictionary('settlement.incentiveTask', {
  CASE_COLLECT: '病例征集',
  PATIENT_EDU: '患者教育',
  FOLLOW_UP_RECORD: '随访记录',
  SURVEY: '学术调研',
  LECTURE: '学术授课',
});
export type IncentiveTask = (typeof incentiveTasks.codes)[number];
export const programScopes = dictionary('settlement.programScope', { ALL: '全部医生', DOCTOR: '指定医生', CHANNEL: '指定渠道' });
export const factSources = dictionary('settlement.factSource', { VISIT_RECORD: '就诊记录', TASK: '随访任务', IMPORT: '导入' });
export const factStates = dictionary('settlement.factState', {
  CHECKING: { label: '待复核', tone: 'warning' },
  NEW: { label: '待计算', tone: 'processing' },
  BOOKED: { label: '已计入收入', tone: 'success' },
  OVER_CAP: { label: '超出上限', tone: 'warning' },
  LATE: { label: '超期未收', tone: 'warning' },
  UNFIT: { label: '未达质量要求', tone: 'warning' },
  REFUSED: { label: '复核未通过', tone: 'error' },
  REVERSED: { label: '已冲回', tone: 'error' },
});
export const programChangeKinds = dictionary('settlement.programChangeKind', {
  BUDGET: '追加预算',
  INTRO: '修改激励说明',
  FACTS: '导入激励事实',
});
export type ProgramChangeKind = (typeof programChangeKinds.codes)[number];
export const perfChangeTypes = dictionary('settlement.perfChangeType', {
  BIND: '绑定',
  REBIND: '换绑',
  UNBIND: '解绑',
  TRANSFER: '离职交接',
});
export type PerfChangeType = (typeof perfChangeTypes.codes)[number];
/** What a row of a table may ask for. */
export const perfBindTypes = dictionary('settlement.perfBindType', { BIND: '绑定', REBIND: '换绑', UNBIND: '解绑' });
export type PerfBindType = (typeof perfBindTypes.codes)[number];
export const perfReasons = dictionary('settlement.perfReason', {
  NEW_DOCTOR: '新增医生',
  AREA_CHANGE: '辖区调整',
  AGENT_LEFT: '代表离职',
  CORRECTION: '数据更正',
});
export const perfSources = dictionary('settlement.perfSource', {
  MANUAL: '人工发起',
  IMPORT: '导入',
  ATTRIBUTION: '医生归属变更',
  HANDOVER: '代表交接',
});
export type PerfSource = (typeof perfSources.codes)[number];
/** How a relation stands on a day. */
export const perfRelationStates = dictionary('settlement.perfRelationState', {
  SCHEDULED: { label: '待生效', tone: 'processing' },
  ACTIVE: { label: '生效中', tone: 'success' },
  ENDED: '已结束',
  REVOKED: '已撤销',
});
/** Whether a doctor was told what became of a payment. */
export const messageStates = dictionary('settlement.messageState', {
  WAITING: { label: '待通知', tone: 'processing' },
  SENT: { label: '已通知', tone: 'success' },
  NO_MOBILE: { label: '无手机号', tone: 'warning' },
});
/** Sensitive fields of an account for payment. */
export const payeeFields = ['idNo', 'bankAccountNo', 'mobile'] as const;

export const settlementDictionaries = [
  ruleTypes,
  earnedTypes,
  incomeTypes,
  baseTypes,
  payeeIdTypes,
  taxMethods,
  incentiveTasks,
  programScopes,
  factSources,
  factStates,
  programChangeKinds,
  perfChangeTypes,
  perfBindTypes,
  perfReasons,
  perfSources,
  perfRelationStates,
  messageStates,
];

import { dictionary } from '#kernel/contract/dictionary.ts';
import { duplicateSignals } from './duplicates.ts';

export const enrolTypes = dictionary('enrolment.enrolType', {
  NEW: '首次入组',
  RENEW: '续保入组',
  CHANGE_DRUG: '换药入组',
  TRANSFER: '转入',
});
export const applySources = dictionary('enrolment.source', { MINI: '小程序', STAFF: '代录', INSURER: '保司推送', IMPORT: '导入' });
export type ApplySource = (typeof applySources.codes)[number];
export const applicantRelations = dictionary('enrolment.applicantRelation', {
  SELF: '本人',
  SPOUSE: '配偶',
  PARENT: '父母',
  CHILD: '子女',
  GUARDIAN: '监护人',
});
/** Risk of a chronic disease. */
export const chronicGrades = dictionary('enrolment.chronicGrade', {
  LOW: { label: '低危', tone: 'success' },
  MID: { label: '中危', tone: 'processing' },
  HIGH: { label: '高危', tone: 'error' },
  VERY_HIGH: { label: '很高危', tone: 'error' },
});
export type ChronicGrade = (typeof chronicGrades.codes)[number];
export const recheckReasons = dictionary('enrolment.recheckReason', {
  LEVEL: '产品要求',
  OVERRIDE: { label: '破例', tone: 'warning' },
  SAMPLE: '抽检',
  MARK: { label: '特殊标记', tone: 'warning' },
  APPEAL: { label: '申诉', tone: 'warning' },
});
export type RecheckReason = (typeof recheckReasons.codes)[number];
export const rejectReasons = dictionary('enrolment.rejectReason', {
  R01: '不在保障期',
  R02: '等待期内确诊',
  R03: '既往症',
  R04: '适应症不符',
  R05: '材料不真实',
  R06: '材料不清晰',
  R07: '非指定医院',
  R08: '身份不一致',
  R09: '重复申请',
  R10: '年龄不符',
  R11: '放弃申请',
  R99: '其他',
});
export const machineResults = dictionary('enrolment.machineResult', {
  PASS: { label: '通过', tone: 'success' },
  WARN: { label: '需关注', tone: 'warning' },
  FAIL: { label: '不通过', tone: 'error' },
  UNKNOWN: { label: '待人工判断', tone: 'warning' },
});
export type MachineResult = (typeof machineResults.codes)[number];
export const humanVerdicts = dictionary('enrolment.humanVerdict', {
  AGREE: { label: '认可', tone: 'success' },
  OVERRIDE: { label: '破例', tone: 'warning' },
  FAIL: { label: '不通过', tone: 'error' },
});
export type HumanVerdict = (typeof humanVerdicts.codes)[number];
const decisionLevels = dictionary('enrolment.decisionLevel', { L1: '初审', L2: '复核', L3: '保司' });
export const decisionVerdicts = dictionary('enrolment.decisionVerdict', {
  PASS: { label: '通过', tone: 'success' },
  ACCEPT: { label: '同意', tone: 'success' },
  SUPPLEMENT: { label: '通知补件', tone: 'warning' },
  RETURN: { label: '退回', tone: 'warning' },
  REJECT: { label: '不通过', tone: 'error' },
});
export type DecisionVerdict = (typeof decisionVerdicts.codes)[number];
export const insurerDecisions = dictionary('enrolment.insurerDecision', {
  ACCEPT: { label: '同意', tone: 'success' },
  REJECT: { label: '不同意', tone: 'error' },
  RETURN: { label: '退回', tone: 'warning' },
});
export type InsurerDecision = (typeof insurerDecisions.codes)[number];
export const applyQueues = dictionary('enrolment.applyQueue', {
  MINE: '待我处理',
  POOL: '任务池',
  RECHECK: '待复核',
  SUPPLEMENT: '待补件',
  INSURER: '待保司确认',
  ALL: '全部',
});
export type ApplyQueue = (typeof applyQueues.codes)[number];
/** Checks of the machine, by their codes; what a product asks besides has codes of its own. */
export const CHECK_NAMES = {
  E01: '保单在保障期内',
  E02: '被保人在清单内',
  E03: '等待期外确诊',
  E04: '非既往症',
  E05: '诊断符合适应症',
  E05G: '基因结论符合适应症',
  E06: '年龄符合要求',
  E07: '必备材料齐全',
  E07B: '材料在有效期内',
  E08: '无未结申请或合同',
  E09: '未被禁止入组',
  E10: '实名认证通过',
  E11: '材料未被他人使用',
  E12: '医院等级符合要求',
  E13: '控费规则',
} as const;
export type CheckCode = keyof typeof CHECK_NAMES;

export const applyDictionaries = [
  duplicateSignals,
  enrolTypes,
  applySources,
  applicantRelations,
  chronicGrades,
  recheckReasons,
  rejectReasons,
  machineResults,
  humanVerdicts,
  decisionLevels,
  decisionVerdicts,
  insurerDecisions,
  applyQueues,
];

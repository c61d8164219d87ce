import * as z from 'zod/mini';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { duplicateOut, materialOut, supplementOut } from '#kernel/contract/evidence.ts';
import { field } from '#kernel/contract/field.ts';
import { dayOut, flag, id, idOut, instant, instantOut, optionalText, several, textOrNull, wholeText } from '#kernel/contract/fields.ts';
import { mobileText, personName } from '#kernel/contract/fields.ts';
import { actionsOf } from '#kernel/contract/offeredActions.ts';
import { declareService } from '#kernel/contract/service.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { trail } from '#kernel/contract/trail.ts';
import { materialTypes, productLines } from '#domains/insurance/contract/businessLines.ts';
import {
  applicantRelations,
  applyQueues,
  applySources,
  chronicGrades,
  decisionVerdicts,
  enrolTypes,
  humanVerdicts,
  insurerDecisions,
  machineResults,
  recheckReasons,
  rejectReasons,
} from '../applyDictionaries.ts';
import { applyId, baselineFields, measureFields } from '../applyFields.ts';
import { applyMachine } from '../applyMachine.ts';
import { duplicateSignals } from '../duplicates.ts';
import { applyPermissions as may } from '../permissions.ts';

export const applyService = declareService('ContractSignCheckService', 'product');
const state = applyMachine.dictionary.schema;

const applyRow = z.strictObject({
  id: idOut,
  applyNo: field('申请编号', z.string(), { width: 170 }),
  productLine: field('业务线', productLines.schema, { width: 110 }),
  insuredName: field('被保人', z.string(), { width: 90 }),
  mobileMasked: field('手机号', textOrNull, { width: 120 }),
  insurerName: field('保司', textOrNull, { width: 150 }),
  productName: field('产品', z.string(), { width: 180 }),
  diseaseName: field('病种', z.string(), { width: 140 }),
  drugName: field('申请药品', textOrNull, { width: 140 }),
  enrolType: field('申请类型', enrolTypes.schema),
  source: field('来源', applySources.schema),
  state: field('状态', state),
  enteredStateAt: field('停留时长', instantOut, { width: 110 }),
  dueAt: field('时效', z.nullable(instantOut), { width: 130 }),
  overdue: field('是否超时', z.boolean()),
  blockedBy: field('卡点', z.string(), { width: 130 }),
  checksText: field('自动校验', z.string(), { width: 110 }),
  submittedAt: field('提交时间', z.nullable(instantOut)),
  holder: field('处理人', textOrNull),
  assigneeId: textOrNull,
  recheckReason: field('复核原因', z.nullable(recheckReasons.schema)),
  /** Entered by whoever looks; in his hands. */
  mine: z.boolean(),
  held: z.boolean(),
  version: z.int(),
  allowedActions: actionsOf(applyMachine),
});
export type ApplyRow = z.output<typeof applyRow>;

const applyFilters = {
  queue: field('队列', z.optional(applyQueues.schema)),
  applyNo: z.optional(wholeText('申请编号', 30)),
  insuredName: z.optional(personName('被保人', 30)),
  mobile: field('手机号', z.optional(mobileText('手机号格式不正确')), { example: '完整手机号' }),
  idNo: z.optional(wholeText('证件号', 30)),
  productLine: field('业务线', z.optional(several(productLines.schema))),
  insurerId: field('保司', z.optional(id)),
  productId: field('产品', z.optional(id)),
  enrolType: field('申请类型', z.optional(several(enrolTypes.schema))),
  state: z.optional(several(state)),
  submittedFrom: field('提交时间起', z.optional(instant)),
  submittedTo: field('提交时间止', z.optional(instant)),
  overdue: field('是否超时', z.optional(flag)),
  reviewerId: field('审核人', z.optional(id)),
  source: field('来源', z.optional(several(applySources.schema))),
  ...sortedBy('applyNo'),
};
export const querySignContractList = applyService.list({
  operation: 'querySignContractList',
  label: '查询入组申请',
  access: may['apply.view'],
  secrets: ['mobile', 'idNo'],
  filter: applyFilters,
  output: applyRow,
});
export const exportSignContractList = exportOf(querySignContractList, {
  operation: 'exportSignContractList',
  label: '导出入组申请',
  access: may['apply.export'],
});
export const querySignContractCounts = applyService.read({
  operation: 'querySignContractCounts',
  label: '查询入组审核队列',
  access: may['apply.view'],
  input: {},
  output: z.strictObject({ MINE: z.int(), POOL: z.int(), RECHECK: z.int(), SUPPLEMENT: z.int(), INSURER: z.int(), ALL: z.int() }),
});

export const checkOut = z.strictObject({
  checkCode: z.string(),
  question: field('审核要点', z.string()),
  hard: field('硬性', z.boolean()),
  machineResult: field('校验结果', z.nullable(machineResults.schema)),
  explain: field('依据', z.string()),
  humanVerdict: field('人工结论', z.nullable(humanVerdicts.schema)),
  humanNote: field('说明', z.string()),
});
export type ApplyCheck = z.output<typeof checkOut>;
const decision = z.strictObject({
  id: idOut,
  round: field('轮次', z.int()),
  level: field('审核级别', z.int()),
  verdict: field('结论', decisionVerdicts.schema),
  reasons: z.array(rejectReasons.schema),
  applicantWording: field('对客说明', z.string()),
  internalNote: field('内部备注', z.string()),
  userName: field('审核人', z.string()),
  seconds: field('用时（秒）', z.int()),
  overturned: field('后被改变', z.boolean()),
  at: field('时间', instantOut),
});
const applyDetail = z.strictObject({
  id: idOut,
  applyNo: field('申请编号', z.string()),
  variant: z.enum(['STANDARD', 'SAAS', 'RSB', 'HMO']),
  productLine: field('业务线', productLines.schema),
  enrolType: field('申请类型', enrolTypes.schema),
  source: field('来源', applySources.schema),
  state: field('状态', state),
  round: field('轮次', z.int()),
  submittedAt: field('提交时间', z.nullable(instantOut)),
  dueAt: field('时效', z.nullable(instantOut)),
  insuredItemId: idOut,
  insuredName: field('被保人', z.string()),
  idType: field('证件类型', z.string()),
  idNo: field('证件号', textOrNull, { mask: 'idNo' }),
  gender: field('性别', textOrNull),
  birthDate: field('出生日期', z.nullable(dayOut)),
  mobile: field('手机号', textOrNull, { mask: 'mobile' }),
  patientId: textOrNull,
  applicantRelation: field('申请人关系', applicantRelations.schema),
  applicantName: field('申请人姓名', textOrNull),
  applicantIdNo: field('申请人证件号', textOrNull, { mask: 'idNo' }),
  applicantMobile: field('申请人手机号', textOrNull, { mask: 'mobile' }),
  hasAddress: field('配送地址', z.boolean()),
  adcode: field('配送地区', textOrNull),
  policyId: idOut,
  policyNo: field('保单号', z.string()),
  insurerName: field('保司', textOrNull),
  productId: idOut,
  productName: field('产品', z.string()),
  planCode: field('方案', textOrNull),
  coverageStart: field('保障起', z.nullable(dayOut)),
  coverageEnd: field('保障止', z.nullable(dayOut)),
  waitingUntil: field('等待期至', z.nullable(dayOut)),
  preExisting: field('既往症约定', z.string()),
  diseaseName: field('疾病名称', z.string()),
  icd10: field('ICD-10编码', z.string()),
  firstDiagnosedOn: field('确诊日期', dayOut),
  stage: field('分期', z.string()),
  hasPathology: field('病理结论', z.boolean()),
  hasGene: field('基因结论', z.boolean()),
  drugId: textOrNull,
  drugName: field('申请药品', textOrNull),
  dosePlan: field('用法用量', z.string()),
  hospitalId: textOrNull,
  hospitalName: field('就诊医院', textOrNull),
  hospitalGrade: field('医院等级', textOrNull),
  departmentName: field('科室', z.string()),
  doctorName: field('医生', z.string()),
  baseline: z.nullable(baselineFields),
  healthDeclaration: field('健康告知', textOrNull),
  measures: z.nullable(measureFields),
  chronicGrade: field('风险分级', z.nullable(chronicGrades.schema)),
  proposedGrade: field('建议分级', z.nullable(chronicGrades.schema)),
  gradeNote: field('分级说明', z.string()),
  insurerCaseNo: field('保司案件号', textOrNull),
  insurerSentAt: field('提交保司时间', z.nullable(instantOut)),
  insurerDecision: field('保司结论', z.nullable(insurerDecisions.schema)),
  insurerOpinion: field('保司意见', z.string()),
  insurerDecidedAt: field('保司结论时间', z.nullable(instantOut)),
  insurerEvidenceFileId: textOrNull,
  feeFen: field('服务费', z.nullable(z.int()), { kind: 'money' }),
  payMode: field('支付方式', textOrNull),
  termMonths: field('合同期（月）', z.int()),
  markText: field('特殊标记', z.string()),
  requiredMaterials: field('必备材料', z.array(materialTypes.schema)),
  materials: z.array(materialOut(materialTypes)),
  checks: z.array(checkOut),
  duplicates: z.array(z.strictObject({ ...duplicateOut(duplicateSignals).shape, otherNo: textOrNull, otherText: z.string() })),
  decisions: z.array(decision),
  supplements: z.array(supplementOut(materialTypes)),
  nextStep: field('通过后', z.string()),
  recheckReason: field('复核原因', z.nullable(recheckReasons.schema)),
  rejectReasons: z.array(rejectReasons.schema),
  applicantWording: field('对客说明', z.string()),
  internalNote: field('内部备注', z.string()),
  contractId: textOrNull,
  lease: z.nullable(z.strictObject({ displayName: z.string(), mine: z.boolean(), until: instantOut, token: textOrNull })),
  /** I entered it or judged it before, so that I decide nothing about it now. */
  ownPart: z.boolean(),
  version: z.int(),
  allowedActions: actionsOf(applyMachine),
  trail,
});
export type ApplyDetail = z.output<typeof applyDetail>;
export const querySignContractDetail = applyService.read({
  operation: 'querySignContractDetail',
  label: '查询入组申请详情',
  access: may['apply.view'],
  input: { applyId },
  output: applyDetail,
});
export const revealSignContract = applyService.act({
  operation: 'revealSignContract',
  label: '查看入组申请敏感信息',
  access: may['apply.reveal'],
  log: 'REVEAL',
  input: { applyId, reason: optionalText('查看原因', 200) },
  output: z.strictObject({
    idNo: textOrNull,
    mobile: textOrNull,
    applicantIdNo: textOrNull,
    applicantMobile: textOrNull,
    address: textOrNull,
    pathologyResult: textOrNull,
    geneResult: textOrNull,
  }),
});

const reviewerStat = z.strictObject({
  userName: field('审核人', z.string()),
  done: field('完成件数', z.int()),
  medianSeconds: field('用时中位数（秒）', z.int()),
  passBp: field('通过率', z.int(), { kind: 'rate' }),
  supplementBp: field('补件率', z.int(), { kind: 'rate' }),
  overturnedBp: field('改判率', z.int(), { kind: 'rate' }),
});
export const querySignReviewStat = applyService.read({
  operation: 'querySignReviewStat',
  label: '查询审核看板',
  access: may['apply.supervise'],
  input: {
    from: field('开始时间', instant),
    to: field('结束时间', instant),
    productLine: field('业务线', z.optional(productLines.schema)),
  },
  output: z.array(reviewerStat),
});

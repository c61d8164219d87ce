import * as z from 'zod/mini';
import { access } from '#kernel/contract/call.ts';
import {
  duplicateOut,
  duplicateWork,
  materialOut,
  materialsIn,
  materialWork,
  supplementIn,
  supplementOut,
} from '#kernel/contract/evidence.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { field } from '#kernel/contract/field.ts';
import {
  dayOut,
  flag,
  id,
  idOut,
  instant,
  instantOut,
  mobileText,
  opinion,
  optionalText,
  personName,
  several,
  textOrNull,
  version,
  wholeText,
} from '#kernel/contract/fields.ts';
import { actionsOf } from '#kernel/contract/offeredActions.ts';
import { ADDED, declareService } from '#kernel/contract/service.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { trail } from '#kernel/contract/trail.ts';
import { materialTypes, productLines } from '#domains/insurance/contract/businessLines.ts';
import { rejectReasons } from '../applyDictionaries.ts';
import { contractMachine } from '../contractStates.ts';
import { duplicateSignals } from '../duplicates.ts';
import { otherMaterialFacts } from '../materialFacts.ts';
import { followUpResults, otherMaterialKinds, otherMaterialMachine, otherMaterialQueues } from '../materialStates.ts';
import { applyPermissions, materialPermissions as may } from '../permissions.ts';

const service = declareService('OtherMaterialService', 'product');
const state = otherMaterialMachine.dictionary.schema;
const materialId = field('材料单', id);
const leaseToken = field('审核占用', z.string('缺少审核占用').check(z.minLength(1, '缺少审核占用'), z.maxLength(64, '审核占用不正确')));
const audits = may['material.audit'];
const enters = applyPermissions['apply.enter'];

const materialRow = z.strictObject({
  id: idOut,
  materialNo: field('材料编号', z.string(), { width: 170 }),
  contractId: idOut,
  contractNo: field('合同编号', z.string(), { width: 170 }),
  insuredName: field('被保人', z.string(), { width: 90 }),
  mobileMasked: field('手机号', textOrNull, { width: 120 }),
  productName: field('产品', z.string(), { width: 180 }),
  kind: field('材料种类', otherMaterialKinds.schema, { width: 100 }),
  impact: field('关联影响', z.string(), { width: 170 }),
  state: field('状态', state),
  dueAt: field('时效', z.nullable(instantOut), { width: 130 }),
  overdue: field('是否超时', z.boolean()),
  blockedBy: field('卡点', z.string(), { width: 130 }),
  submittedAt: field('提交时间', instantOut),
  enteredName: field('录入人', z.string(), { width: 90 }),
  holder: field('处理人', textOrNull),
  version: z.int(),
  allowedActions: actionsOf(otherMaterialMachine),
});
export type OtherMaterialRow = z.output<typeof materialRow>;
export const queryOtherMaterialList = service.list({
  operation: 'queryOtherMaterialList',
  label: '查询其他材料',
  access: may['material.view'],
  secrets: ['mobile'],
  filter: {
    queue: field('队列', z.optional(otherMaterialQueues.schema)),
    materialNo: z.optional(wholeText('材料编号', 30)),
    contractNo: z.optional(wholeText('合同编号', 30)),
    insuredName: z.optional(personName('被保人', 30)),
    mobile: field('手机号', z.optional(mobileText('手机号格式不正确')), { example: '完整手机号' }),
    kind: field('材料种类', z.optional(several(otherMaterialKinds.schema))),
    state: z.optional(several(state)),
    submittedFrom: field('提交时间起', z.optional(instant)),
    submittedTo: field('提交时间止', z.optional(instant)),
    overdue: field('是否超时', z.optional(flag)),
    ...sortedBy('submittedAt', 'materialNo'),
  },
  output: materialRow,
});
export const exportOtherMaterialList = exportOf(queryOtherMaterialList, {
  operation: 'exportOtherMaterialList',
  label: '导出其他材料',
  access: may['material.export'],
});
export const queryOtherMaterialCounts = service.read({
  operation: 'queryOtherMaterialCounts',
  label: '查询其他材料队列',
  access: may['material.view'],
  input: {},
  output: z.strictObject({ MINE: z.int(), POOL: z.int(), SUPPLEMENT: z.int(), ALL: z.int() }),
});

const shownFacts = z.strictObject({
  examinedOn: field('复查日期', z.nullable(dayOut)),
  followUpResult: field('复查结论', z.nullable(followUpResults.schema)),
  mobile: field('新手机号', textOrNull, { mask: 'mobile' }),
  payeeName: field('收款户名', textOrNull),
  payeeBank: field('收款银行', textOrNull),
  payeeAccount: field('收款账号', textOrNull, { mask: 'bankCard' }),
  drugName: field('药品', textOrNull),
  quantity: field('数量', z.nullable(z.int())),
  amountFen: field('金额', z.nullable(z.int()), { kind: 'money' }),
  purchasedOn: field('购药日期', z.nullable(dayOut)),
  prescribedOn: field('处方日期', z.nullable(dayOut)),
  note: field('说明', textOrNull),
});
export type ShownFacts = z.output<typeof shownFacts>;
const materialDetail = z.strictObject({
  id: idOut,
  materialNo: field('材料编号', z.string()),
  kind: field('材料种类', otherMaterialKinds.schema),
  state: field('状态', state),
  submittedAt: field('提交时间', instantOut),
  enteredName: field('录入人', z.string()),
  dueAt: field('时效', z.nullable(instantOut)),
  facts: shownFacts,
  contract: z.strictObject({
    contractId: idOut,
    contractNo: field('合同编号', z.string()),
    productLine: field('业务线', productLines.schema),
    productName: field('产品', z.string()),
    insuredName: field('被保人', z.string()),
    mobileMasked: field('手机号', textOrNull),
    startDate: field('生效日期', z.nullable(dayOut)),
    endDate: field('到期日期', z.nullable(dayOut)),
    nextReviewOn: field('下次复查', z.nullable(dayOut)),
    reviewCycleDays: field('复查周期（天）', z.nullable(z.int())),
    payeeName: field('收款户名', textOrNull),
    payeeAccountMasked: field('收款账号', textOrNull),
    state: field('合同状态', contractMachine.dictionary.schema),
  }),
  requiredPapers: field('必备材料', z.array(materialTypes.schema)),
  materials: z.array(materialOut(materialTypes)),
  duplicates: z.array(z.strictObject({ ...duplicateOut(duplicateSignals).shape, otherText: z.string() })),
  supplements: z.array(supplementOut(materialTypes)),
  /** What a pass does to the contract, in words. */
  consequence: field('通过后', z.string()),
  outcome: field('处理结果', z.string()),
  rejectReasons: field('不通过原因', z.array(rejectReasons.schema)),
  applicantWording: field('对客说明', z.string()),
  internalNote: field('内部备注', z.string()),
  decidedName: field('审核人', textOrNull),
  decidedAt: field('审核时间', z.nullable(instantOut)),
  earlier: z.array(
    z.strictObject({
      id: idOut,
      materialNo: field('材料编号', z.string()),
      submittedAt: field('提交时间', instantOut),
      state: field('状态', state),
      outcome: field('处理结果', z.string()),
    }),
  ),
  lease: z.nullable(z.strictObject({ displayName: z.string(), mine: z.boolean(), until: instantOut, token: textOrNull })),
  /** I entered it, so that I decide nothing about it. */
  ownPart: z.boolean(),
  version: z.int(),
  allowedActions: actionsOf(otherMaterialMachine),
  trail,
});
export type OtherMaterialDetail = z.output<typeof materialDetail>;
export const queryOtherMaterialDetail = service.read({
  operation: 'queryOtherMaterialDetail',
  label: '查询其他材料详情',
  access: may['material.view'],
  input: { materialId },
  output: materialDetail,
});
export const revealOtherMaterial = service.act({
  operation: 'revealOtherMaterial',
  label: '查看其他材料敏感信息',
  access: applyPermissions['apply.reveal'],
  log: 'REVEAL',
  input: { materialId, reason: optionalText('查看原因', 200) },
  output: z.strictObject({ insuredIdNo: textOrNull, insuredMobile: textOrNull, mobile: textOrNull, payeeAccount: textOrNull }),
});

const acted = { id: idOut, state, version: z.int(), allowedActions: actionsOf(otherMaterialMachine) };
export const addOtherMaterial = service.act({
  operation: 'addOtherMaterial',
  label: '录入其他材料',
  access: enters,
  ...ADDED,
  secrets: ['facts'],
  input: {
    contractId: field('合同', id),
    kind: field('材料种类', otherMaterialKinds.schema),
    facts: field('材料内容', z._default(otherMaterialFacts, {})),
    materials: materialsIn(materialTypes),
  },
  output: z.strictObject({ ...acted, materialNo: z.string() }),
});
export const supplyOtherMaterial = service.act({
  operation: 'supplyOtherMaterial',
  label: '提交其他材料补件',
  access: enters,
  message: '提交成功!',
  input: { materialId, version, materials: materialsIn(materialTypes) },
  output: z.strictObject(acted),
});

const leased = z.strictObject({ ...acted, leaseToken: z.string(), leaseUntil: instantOut });
export const claimOtherMaterial = service.act({
  operation: 'claimOtherMaterial',
  label: '领取其他材料',
  access: audits,
  input: { materialId },
  output: leased,
});
export const claimNextOtherMaterial = service.act({
  operation: 'claimNextOtherMaterial',
  label: '领取下一件其他材料',
  access: audits,
  input: {},
  output: leased,
});
export const heartbeatOtherMaterial = service.act({
  operation: 'heartbeatOtherMaterial',
  label: '延续其他材料审核占用',
  access: audits,
  silent: true,
  input: { materialId, leaseToken },
  output: z.strictObject({ leaseUntil: instantOut }),
});
export const releaseOtherMaterial = service.act({
  operation: 'releaseOtherMaterial',
  label: '退回其他材料任务池',
  access: audits,
  message: '已退回',
  input: { materialId, leaseToken },
  output: z.strictObject(acted),
});
export const takeoverOtherMaterial = service.act({
  operation: 'takeoverOtherMaterial',
  label: '接管其他材料',
  access: applyPermissions['apply.supervise'],
  input: { materialId, opinion },
  output: leased,
});
/** What a reviewer has found so far; kept while he types, and decides nothing. */
export const saveOtherMaterialWork = service.act({
  operation: 'saveOtherMaterialWork',
  label: '保存其他材料审核进度',
  access: audits,
  secrets: ['materials', 'facts'],
  input: {
    materialId,
    leaseToken,
    materials: field('材料', z._default(z.array(materialWork).check(z.maxLength(100, '材料过多')), [])),
    duplicates: field('疑似重复', z._default(z.array(duplicateWork).check(z.maxLength(100, '疑似重复过多')), [])),
    /** What is left out stays. */
    facts: field('材料内容', z.optional(otherMaterialFacts)),
  },
  output: z.strictObject({ consequence: z.string(), savedAt: instantOut }),
});
const otherMaterialDecisions = ['pass', 'supplement', 'reject', 'withdraw'] as const;
export const auditOtherMaterial = service.act({
  operation: 'auditOtherMaterial',
  label: '审核其他材料',
  access: access.byAction('action', { withdraw: enters }, audits),
  message: '处理成功!',
  idempotency: 'required',
  input: {
    materialId,
    version,
    leaseToken: field('审核占用', z.optional(leaseToken)),
    action: field('审核结论', z.enum(otherMaterialDecisions, '请选择审核结论')),
    opinion: optionalText('意见', 500),
    rejectReasons: field('不通过原因', z._default(z.array(rejectReasons.schema).check(z.maxLength(12, '不通过原因过多')), [])),
    applicantWording: optionalText('对客说明', 500),
    internalNote: optionalText('内部备注', 500),
    supplement: field('补件要求', z.optional(supplementIn(materialTypes))),
  },
  output: z.strictObject({ ...acted, outcome: z.string() }),
});

import * as z from 'zod/mini';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { field } from '#kernel/contract/field.ts';
import {
  day,
  dayOut,
  fen,
  flag,
  id,
  idOut,
  instantOut,
  intOrNull,
  opinion,
  several,
  text,
  textOrNull,
  version,
  wholeText,
} from '#kernel/contract/fields.ts';
import { actionsOf } from '#kernel/contract/offeredActions.ts';
import { acted, CHANGED, declareService } from '#kernel/contract/service.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { trail } from '#kernel/contract/trail.ts';
import { productLines } from '#domains/insurance/contract/businessLines.ts';
import {
  amendmentTypes,
  cancelReasons,
  CHOSEN_SUSPENSIONS,
  contractNumbers,
  contractOrigins,
  contractPayModes,
  payProgress,
  signChannels,
  suspendReasons,
  terminateReasons,
} from '../contractDictionaries.ts';
import { amendmentMachine, contractMachine, terminationMachine } from '../contractStates.ts';
import { applyPermissions, contractPermissions as may } from '../permissions.ts';
import { REFUND_RULES } from '../rules/refund.ts';

export const contractService = declareService('ContractSignService', 'product');
const view = may['contract.view'];

const dayOrNull = z.nullable(dayOut);
const contractRow = z.strictObject({
  id: idOut,
  contractNo: field('合同编号', z.string(), { width: 170 }),
  productLine: field('业务线', productLines.schema, { width: 110 }),
  insuredName: field('被保人', z.string(), { width: 90 }),
  mobile: field('手机号', textOrNull, { width: 120 }),
  insurerName: field('保司', textOrNull, { width: 110 }),
  productName: field('产品', z.string(), { width: 180 }),
  planCode: field('方案', z.string(), { width: 70 }),
  drugNames: field('药品', z.string(), { width: 150 }),
  startDate: field('生效日期', dayOrNull, { width: 110 }),
  endDate: field('到期日期', dayOrNull, { width: 110 }),
  nextReviewOn: field('下次复查', dayOrNull, { width: 110 }),
  feeFen: field('应付', fen),
  paidFen: field('已付', fen),
  refundedFen: field('已退', fen),
  amendSeq: field('变更次数', z.int(), { width: 90 }),
  state: field('状态', contractMachine.dictionary.schema),
  createdAt: field('建立时间', instantOut),
  version: z.int(),
  allowedActions: actionsOf(contractMachine),
});
export type ContractRow = z.output<typeof contractRow>;

export const queryContractList = contractService.list({
  operation: 'queryContractList',
  label: '查询签约合同',
  access: view,
  filter: {
    contractNo: z.optional(wholeText('合同编号', 30)),
    insuredName: z.optional(text('被保人', 40)),
    mobile: z.optional(wholeText('手机号', 20)),
    idNo: z.optional(wholeText('证件号', 30)),
    productLine: field('业务线', z.optional(several(productLines.schema))),
    insurerId: field('保司', z.optional(id)),
    productName: z.optional(text('产品', 80)),
    state: field('状态', z.optional(several(contractMachine.dictionary.schema))),
    startFrom: field('生效日期从', z.optional(day)),
    startTo: field('生效日期到', z.optional(day)),
    endFrom: field('到期日期从', z.optional(day)),
    endTo: field('到期日期到', z.optional(day)),
    reviewDueBefore: field('复查到期前', z.optional(day)),
    payState: field('支付状态', z.optional(payProgress.schema)),
    reviewOverdue: field('复查逾期', z.optional(flag)),
    endsSoon: field('30天内到期', z.optional(flag)),
    ...sortedBy('contractNo', 'createdAt'),
  },
  output: contractRow,
});
export const exportContractList = exportOf(queryContractList, {
  operation: 'exportContractList',
  label: '导出签约合同',
  access: may['contract.export'],
});

const difference = z.strictObject({ path: z.string(), label: z.string(), before: z.unknown(), after: z.unknown() });
/** A file of a contract or a payment, as pages show it. */
export const shownFile = z.strictObject({
  fileId: idOut,
  fileName: z.string(),
  detectedType: textOrNull,
  pageCount: intOrNull,
  size: intOrNull,
});

export const amendmentRow = z.strictObject({
  id: idOut,
  contractId: idOut,
  contractNo: z.string(),
  seq: field('序号', z.int()),
  type: field('变更类型', amendmentTypes.schema),
  effectiveOn: field('生效日期', dayOut),
  changes: z.array(difference),
  reason: field('变更原因', z.string()),
  files: z.array(shownFile),
  makerName: field('发起人', z.string()),
  checkerName: field('审批人', textOrNull),
  opinion: textOrNull,
  createdAt: field('发起时间', instantOut),
  decidedAt: field('审批时间', z.nullable(instantOut)),
  applied: z.boolean(),
  state: field('状态', amendmentMachine.dictionary.schema),
  version: z.int(),
  allowedActions: actionsOf(amendmentMachine),
});

export const refundCalc = z.strictObject({
  rule: z.enum(REFUND_RULES),
  paidFen: z.string(),
  refundedFen: z.string(),
  totalDays: z.int(),
  usedDays: z.int(),
  refundFen: z.string(),
});
const terminationRow = z.strictObject({
  id: idOut,
  terminatedOn: field('终止日期', dayOut),
  reason: field('终止原因', terminateReasons.schema),
  note: field('说明', z.string()),
  refundFen: field('预计退款', fen),
  makerName: field('发起人', z.string()),
  checkerName: field('确认人', textOrNull),
  opinion: textOrNull,
  createdAt: instantOut,
  expiresAt: field('确认期限', instantOut),
  state: field('状态', terminationMachine.dictionary.schema),
  version: z.int(),
  /** For whoever confirms it; null: he may not, or it is over. */
  confirmToken: textOrNull,
  allowedActions: actionsOf(terminationMachine),
});

const chainRow = z.strictObject({
  id: idOut,
  contractNo: z.string(),
  renewSeq: z.int(),
  policyNo: z.string(),
  startDate: dayOrNull,
  endDate: dayOrNull,
  state: contractMachine.dictionary.schema,
});
const medicine = z.strictObject({ medicineId: idOut, name: z.string() });
const limit = z.strictObject({ name: z.string(), amount: z.string() });

const contractFacts = z.strictObject({
  ...contractRow.shape,
  origin: field('来源', contractOrigins.schema),
  applyId: z.nullable(idOut),
  policyNo: field('保单号', z.string()),
  productCode: field('产品编码', z.string()),
  idNo: field('证件号码', textOrNull),
  birthDate: field('出生日期', dayOrNull),
  coverageStart: field('保障起', dayOut),
  coverageEnd: field('保障止', dayOut),
  termMonths: field('合同期（月）', z.int()),
  coolingOffDays: field('犹豫期（天）', z.int()),
  reviewCycleDays: field('复查周期（天）', intOrNull),
  payMode: field('支付方式', contractPayModes.schema),
  payeeName: field('收款户名', textOrNull),
  payeeBank: field('收款银行', textOrNull),
  payeeAccount: field('收款账号', textOrNull),
  signChannel: field('签署方式', z.nullable(signChannels.schema)),
  signedAt: field('签署时间', z.nullable(instantOut)),
  signDueAt: field('签署期限', z.nullable(instantOut)),
  signSha256: field('文件指纹', textOrNull),
  templateCode: field('合同模板', z.string()),
  suspendReason: field('暂停原因', z.nullable(suspendReasons.schema)),
  cancelReason: field('取消原因', z.nullable(cancelReasons.schema)),
  terminateReason: field('终止原因', z.nullable(terminateReasons.schema)),
  terminatedOn: field('终止日期', dayOrNull),
  coverLostOn: field('失去保障日', dayOrNull),
  renewedPolicyNo: field('续保保单号', textOrNull),
});
export type ContractDetailFacts = z.output<typeof contractFacts>;

export const queryContractDetail = contractService.read({
  operation: 'queryContractDetail',
  label: '查看签约合同',
  access: view,
  input: { contractId: field('合同', id) },
  output: z.strictObject({
    contract: contractFacts,
    /** The stored bytes still are those that were signed; null: nothing is signed by a file. */
    signIntact: z.nullable(z.boolean()),
    signFile: z.nullable(shownFile),
    medicines: z.array(medicine),
    /** Medicines of the pinned version, for a change. */
    drugOptions: z.array(medicine),
    limits: z.array(limit),
    amendments: z.array(amendmentRow),
    terminations: z.array(terminationRow),
    chain: z.array(chainRow),
    trail,
  }),
});

const payBrief = z.strictObject({ id: idOut, contractId: idOut, payNo: z.string(), amountFen: fen, state: z.string() });
/** The whole chain of a contract. */
export const queryContractListByContractId = contractService.read({
  operation: 'queryContractListByContractId',
  label: '查询合同续签链',
  access: view,
  method: 'GET',
  input: { contractId: field('合同', id) },
  output: z.strictObject({
    contracts: z.array(contractFacts),
    amendments: z.array(amendmentRow),
    pays: z.array(payBrief),
    refunds: z.array(z.strictObject({ id: idOut, contractId: idOut, refundNo: z.string(), amountFen: fen, state: z.string() })),
  }),
});

export const revealContract = contractService.reveal({
  operation: 'revealContract',
  label: '查看合同敏感信息明文',
  access: applyPermissions['apply.reveal'],
  input: { field: field('字段', z.enum(contractNumbers, '字段不正确')) },
});

const answer = acted(contractMachine.dictionary.schema);
const onContract = { contractId: field('合同', id), version };

export const signContractOnPaper = contractService.act({
  operation: 'signContractOnPaper',
  label: '登记纸质签署',
  access: may['contract.edit'],
  message: '登记成功!',
  input: {
    ...onContract,
    signedOn: field('签署日期', day),
    fileId: field('签署文件', id),
  },
  output: answer,
});
export const resendSignLink = contractService.act({
  operation: 'resendSignLink',
  label: '生成签署链接',
  access: may['contract.edit'],
  input: { contractId: field('合同', id) },
  output: z.strictObject({ link: z.string(), sentAt: instantOut }),
  secretOutput: true,
});
export const suspendContract = contractService.act({
  operation: 'suspendContract',
  label: '暂停合同',
  access: may['contract.suspend'],
  ...CHANGED,
  input: { ...onContract, reason: field('暂停原因', z.enum(CHOSEN_SUSPENSIONS, '请选择暂停原因')), opinion },
  output: answer,
});
export const resumeContract = contractService.act({
  operation: 'resumeContract',
  label: '恢复合同',
  access: may['contract.suspend'],
  ...CHANGED,
  input: { ...onContract, opinion },
  output: answer,
});
export const cancelContract = contractService.act({
  operation: 'cancelContract',
  label: '取消合同',
  access: may['contract.edit'],
  ...CHANGED,
  input: { ...onContract, opinion },
  output: answer,
});
export const renewContract = contractService.act({
  operation: 'renewContract',
  label: '续签合同',
  access: may['contract.renew'],
  idempotency: 'required',
  message: '续签成功!',
  input: onContract,
  output: z.strictObject({ contractId: idOut, contractNo: z.string() }),
});

export const previewContractTerminate = contractService.read({
  operation: 'previewContractTerminate',
  label: '试算合同终止',
  access: may['contract.terminate'],
  input: { contractId: field('合同', id), terminatedOn: field('终止日期', day) },
  output: z.strictObject({ refundFen: fen, calc: z.nullable(refundCalc), openClaims: z.int() }),
});
export const addContractTermination = contractService.act({
  operation: 'addContractTermination',
  label: '申请终止合同',
  access: may['contract.terminate'],
  idempotency: 'required',
  message: '提交成功!',
  input: {
    ...onContract,
    terminatedOn: field('终止日期', day),
    reason: field('终止原因', terminateReasons.schema),
    opinion,
  },
  output: z.strictObject({ ...acted(terminationMachine.dictionary.schema).shape, confirmToken: z.string(), expiresAt: instantOut }),
});
export const auditContractTermination = contractService.act({
  operation: 'auditContractTermination',
  label: '确认合同终止',
  access: may['contract.amendAudit'],
  ...CHANGED,
  input: {
    id: field('终止申请', id),
    version,
    decision: field('结论', z.enum(['approve', 'reject'], '请选择结论')),
    opinion,
    confirmToken: field('确认凭证', z.optional(z.string().check(z.maxLength(200)))),
  },
  output: acted(terminationMachine.dictionary.schema),
});
export const cancelContractTermination = contractService.act({
  operation: 'cancelContractTermination',
  label: '撤回合同终止',
  access: may['contract.terminate'],
  ...CHANGED,
  input: { id: field('终止申请', id), version },
  output: acted(terminationMachine.dictionary.schema),
});

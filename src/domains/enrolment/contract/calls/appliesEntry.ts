import * as z from 'zod/mini';
import { materialsIn } from '#kernel/contract/evidence.ts';
import { field } from '#kernel/contract/field.ts';
import { dayOut, flag, id, idOut, instant, instantOut, optionalText, text, textOrNull, version } from '#kernel/contract/fields.ts';
import { actionsOf } from '#kernel/contract/offeredActions.ts';
import { ADDED, CHANGED, declareService, DELETED, nothing } from '#kernel/contract/service.ts';
import { materialTypes, productLines } from '#domains/insurance/contract/businessLines.ts';
import { access } from '#kernel/contract/call.ts';
import { insurerDecisions } from '../applyDictionaries.ts';
import { APPLY_SECRETS, applicantNamed, applyFields, applyId } from '../applyFields.ts';
import { applyMachine } from '../applyMachine.ts';
import { applyMachinePermissions as machine, applyPermissions as may } from '../permissions.ts';

const service = declareService('ContractSignService', 'product');
const state = applyMachine.dictionary.schema;
const insuredItemId = field('被保人', id);
const submit = field('立即提交', z._default(flag, false));
const entered = z.strictObject({
  applyId: idOut,
  applyNo: z.string(),
  id: idOut,
  state,
  version: z.int(),
  allowedActions: actionsOf(applyMachine),
});

export const addEnrolApply = service.act({
  operation: 'addEnrolApply',
  label: '代录入组申请',
  access: may['apply.enter'],
  secrets: [...APPLY_SECRETS],
  ...ADDED,
  input: z.strictObject({ insuredItemId, ...applyFields, submit }).check(applicantNamed),
  output: entered,
});
export const modifyEnrolApply = service.act({
  operation: 'modifyEnrolApply',
  label: '修改入组申请草稿',
  access: may['apply.enter'],
  secrets: [...APPLY_SECRETS],
  ...CHANGED,
  input: z.strictObject({ applyId, version, ...applyFields, submit }).check(applicantNamed),
  output: entered,
});
export const delEnrolApply = service.act({
  operation: 'delEnrolApply',
  label: '删除入组申请草稿',
  access: may['apply.enter'],
  ...DELETED,
  input: { applyId, version },
  output: nothing,
});
export const supplySignContract = service.act({
  operation: 'supplySignContract',
  label: '提交入组补件',
  access: may['apply.enter'],
  secrets: ['materials'],
  input: { applyId, version, materials: materialsIn(materialTypes) },
  output: entered,
});

const insured = z.strictObject({
  insuredItemId: idOut,
  policyNo: field('保单号', z.string()),
  productId: idOut,
  productName: field('产品', z.string()),
  productLine: field('业务线', productLines.schema),
  name: field('被保人', z.string()),
  idNoMasked: field('证件号', textOrNull),
  mobileMasked: field('手机号', textOrNull),
  coveredFrom: field('保障起', z.nullable(dayOut)),
  coveredTo: field('保障止', z.nullable(dayOut)),
  perDrug: z.boolean(),
  drugIds: z.array(idOut),
  requiredMaterials: z.array(materialTypes.schema),
});
/** Persons by their certificate, or by the number of their policy. */
export const queryInsuredForEnrol = service.read({
  operation: 'queryInsuredForEnrol',
  label: '查找被保人',
  access: may['apply.enter'],
  secrets: ['idNo'],
  input: { idNo: optionalText('证件号', 30), policyNo: optionalText('保单号', 40) },
  output: z.array(insured),
});
const intranet = declareService('EnrolApplyService', 'intranet');
const externalRequestNo = text('外部请求号', 64, 6);
const progress = z.strictObject({ applyNo: z.string(), state, applicantWording: z.string() });
export const submitEnrolApply = intranet.act({
  operation: 'submitEnrolApply',
  label: '提交入组申请（系统）',
  access: access.signed(machine.apply, 'MINI_APP', 'INSURER'),
  log: 'SYSTEM',
  secrets: ['idNo', ...APPLY_SECRETS],
  input: z
    .strictObject({
      externalRequestNo,
      idNo: text('证件号', 30, 5),
      policyNo: text('保单号', 40, 1),
      ...applyFields,
      insurerCaseNo: field('保司案件号', z.optional(text('保司案件号', 40, 1))),
    })
    .check(applicantNamed),
  output: progress,
});
const applyNo = text('申请编号', 30, 1);
export const supplyEnrolApply = intranet.act({
  operation: 'supplyEnrolApply',
  label: '提交入组补件（系统）',
  access: access.signed(machine.apply, 'MINI_APP', 'INSURER'),
  log: 'SYSTEM',
  secrets: ['materials'],
  input: { applyNo, materials: materialsIn(materialTypes) },
  output: progress,
});
export const withdrawEnrolApply = intranet.act({
  operation: 'withdrawEnrolApply',
  label: '撤回入组申请（系统）',
  access: access.signed(machine.apply, 'MINI_APP', 'INSURER'),
  log: 'SYSTEM',
  input: { applyNo, opinion: text('撤回原因', 200, 2) },
  output: progress,
});
export const queryEnrolProgress = intranet.read({
  operation: 'queryEnrolProgress',
  label: '查询入组进度（系统）',
  access: access.signed(machine.apply, 'MINI_APP', 'INSURER'),
  log: 'SYSTEM',
  input: { applyNo },
  output: progress,
});
export const pushInsurerDecision = intranet.act({
  operation: 'pushInsurerDecision',
  label: '接收保司结论',
  access: access.signed(machine.insurer, 'INSURER'),
  log: 'SYSTEM',
  input: {
    insurerCaseNo: text('保司案件号', 40, 1),
    applyNo,
    decision: field('保司结论', insurerDecisions.schema),
    opinion: text('保司意见', 500, 2),
    decidedAt: field('结论时间', instant),
  },
  output: z.strictObject({ applyNo: z.string(), state, decidedAt: instantOut }),
});

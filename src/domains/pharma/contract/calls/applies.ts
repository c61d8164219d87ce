import * as z from 'zod/mini';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { id, idOut, instantOut, several, text, textOrNull, version } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { trailDifference } from '#kernel/contract/trail.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { applyTypes } from '../dictionaries.ts';
import { pharmaPermissions as may } from '../permissions.ts';
import { differencesText } from '../rules/differencesText.ts';
import { applyMachine } from '../states.ts';
import { acted } from './declare.ts';
import { drugService } from './services.ts';

const state = applyMachine.dictionary.schema;

const applyRow = z.strictObject({
  id: idOut,
  applyNo: field('申请编号', z.string(), { width: 160 }),
  applyType: field('类型', applyTypes.schema),
  medicineId: idOut,
  medicineNo: field('药品编号', z.string(), { width: 160 }),
  genericName: field('药品', z.string(), { width: 192 }),
  strength: field('规格', textOrNull),
  /** Before and after, field by field. */
  differences: field('变更内容', z.array(trailDifference), { width: 480, text: differencesText }),
  makerId: textOrNull,
  makerName: field('提交人', textOrNull),
  checkerId: textOrNull,
  checkerName: field('审核人', textOrNull),
  opinion: field('意见', textOrNull, { width: 240 }),
  createdAt: field('提交时间', instantOut),
  decidedAt: field('审核时间', z.nullable(instantOut)),
  state: field('状态', state),
  version: z.int(),
  /** Made by the asking user himself: somebody else must decide. */
  own: z.boolean(),
});
export type ApplyRow = z.output<typeof applyRow>;

const decision = field('审核结论', z.enum(['approve', 'reject'], '请选择审核结论'));
const remark = z.optional(text('意见', 500));

const applyFilter = {
  applyId: field('申请', z.optional(id)),
  medicineId: field('药品', z.optional(id)),
  keyword: z.optional(text('药品/申请编号', 60)),
  applyType: field('申请类型', z.optional(several(applyTypes.schema))),
  state: z.optional(several(state)),
};

export const queryMedicineApplyList = drugService.list({
  operation: 'queryMedicineApplyList',
  label: '查询药品审核',
  access: may['medicine.view'],
  filter: { ...applyFilter, ...sortedBy('applyNo', 'createdAt') },
  output: applyRow,
});
export const exportMedicineApplyList = exportOf(queryMedicineApplyList, {
  operation: 'exportMedicineApplyList',
  label: '导出药品审核',
  access: may['medicine.export'],
});
export const auditMedicineApply = drugService.act({
  operation: 'auditMedicineApply',
  label: '审核药品申请',
  access: may['medicine.audit'],
  message: '审核完成',
  input: { id, version, action: decision, opinion: remark },
  output: acted(state),
});
export const withdrawMedicineApply = drugService.act({
  operation: 'withdrawMedicineApply',
  label: '撤回药品申请',
  access: may['medicine.edit'],
  message: '已撤回',
  input: { id, version },
  output: acted(state),
});
export const batchAuditMedicineApply = drugService.act({
  operation: 'batchAuditMedicineApply',
  label: '批量审核药品申请',
  access: may['medicine.audit'],
  input: {
    applyIds: field('申请', z.array(id, '请选择申请').check(z.minLength(1, '请选择申请'), z.maxLength(100, '一次最多100条'))),
    action: decision,
    opinion: remark,
  },
  output: z.array(z.strictObject({ id: idOut, applyNo: z.string(), ok: z.boolean(), code: textOrNull, message: z.string() })),
});

import * as z from 'zod/mini';
import { id, idOut, several, text, version } from '../../../../kernel/contract/fields.ts';
import { field } from '../../../../kernel/contract/field.ts';
import { trailDifference } from '../../../../kernel/contract/trail.ts';
import { applyTypes } from '../dictionaries.ts';
import { pharmaPermissions as may } from '../permissions.ts';
import { applyMachine } from '../states.ts';
import { acted, textOrNull } from './declare.ts';
import { drugService } from './medicines.ts';

const state = applyMachine.dictionary.schema;

export const applyRow = z.strictObject({
  id: idOut,
  applyNo: z.string(),
  applyType: applyTypes.schema,
  medicineId: idOut,
  medicineNo: z.string(),
  genericName: z.string(),
  strength: textOrNull,
  /** Before and after, field by field. */
  differences: z.array(trailDifference),
  makerId: textOrNull,
  makerName: textOrNull,
  checkerId: textOrNull,
  checkerName: textOrNull,
  opinion: textOrNull,
  createdAt: z.string(),
  decidedAt: textOrNull,
  state,
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
  keyword: z.optional(text('药品', 60)),
  applyType: field('申请类型', z.optional(several(applyTypes.schema))),
  state: z.optional(several(state)),
};

export const queryMedicineApplyList = drugService.list(
  'queryMedicineApplyList',
  '查询药品审核',
  may['medicine.view'],
  applyFilter,
  applyRow,
);
export const exportMedicineApplyList = drugService.exports('exportMedicineApplyList', '导出药品审核', may['medicine.export'], applyFilter);
export const auditMedicineApply = drugService.act(
  'auditMedicineApply',
  '审核药品申请',
  may['medicine.audit'],
  { id, version, action: decision, opinion: remark },
  acted(state),
  { message: '审核完成' },
);
export const withdrawMedicineApply = drugService.act(
  'withdrawMedicineApply',
  '撤回药品申请',
  may['medicine.edit'],
  { id, version },
  acted(state),
  { message: '已撤回' },
);
export const batchAuditMedicineApply = drugService.act(
  'batchAuditMedicineApply',
  '批量审核药品申请',
  may['medicine.audit'],
  {
    applyIds: field('申请', z.array(id, '请选择申请').check(z.minLength(1, '请选择申请'), z.maxLength(100, '一次最多100条'))),
    action: decision,
    opinion: remark,
  },
  z.array(z.strictObject({ id: idOut, applyNo: z.string(), ok: z.boolean(), code: textOrNull, message: z.string() })),
);

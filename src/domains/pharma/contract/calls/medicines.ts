import * as z from 'zod/mini';
import { answered } from '#kernel/contract/answered.ts';
import { access } from '#kernel/contract/call.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { fen, flag, id, idOut, instantOut, intOrNull, opinion, several, text, textOrNull, version } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { trail } from '#kernel/contract/trail.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { applyTypes, approvalKinds, medicineKinds, reimburseClasses, rxClasses } from '../dictionaries.ts';
import { pharmaPermissions as may } from '../permissions.ts';
import { listedFields, medicineFields, medicineLabels, medicineRules } from '../rules/medicineFields.ts';
import { medicineMachine } from '../states.ts';
import { ADDED, CHANGED, COPIED, DELETED, acted, nothing, rowOutcomes } from './declare.ts';
import { drugService } from './services.ts';

const state = medicineMachine.dictionary.schema;
const adcode = z.string().check(z.regex(/^\d{6}$/, '地区代码为6位数字'));

const medicineFilter = {
  /** Generic name, brand, pinyin, approval number, barcode or goods code. */
  keyword: z.optional(text('关键字', 60)),
  categoryId: field('分类', z.optional(id)),
  companyId: field('药企', z.optional(id)),
  lineId: field('产品线', z.optional(id)),
  medicineKind: field('商品大类', z.optional(several(medicineKinds.schema))),
  rxClass: field('处方分类', z.optional(several(rxClasses.schema))),
  reimburseClass: field('医保类别', z.optional(reimburseClasses.schema)),
  provinceAdcode: field('医保省份', z.optional(adcode)),
  coldChain: field('冷链', z.optional(flag)),
  tagId: field('标签', z.optional(id)),
  state: z.optional(several(state)),
  priceFrom: field('零售价从', z.optional(fen)),
  priceTo: field('零售价至', z.optional(fen)),
};

const tag = z.strictObject({ tagId: idOut, name: z.string(), colour: textOrNull });

const medicineRow = z.strictObject({
  id: idOut,
  medicineNo: field('药品编号', z.string(), { width: 160 }),
  ...answered(listedFields),
  holderName: field('持有人', textOrNull, { width: 192 }),
  categoryName: field('分类', textOrNull),
  coldChain: field('冷链', z.boolean()),
  /** In the asked province (the whole country without one), today. */
  reimburseClass: field('医保类别', z.nullable(reimburseClasses.schema)),
  imageFileId: textOrNull,
  skuCount: field('商品数', z.int()),
  /** Lowest and highest market price of its saleable goods today, fen; null where there is none or the role sees no prices. */
  priceMinFen: intOrNull,
  priceMaxFen: intOrNull,
  tags: field('促销标签', z.array(tag)),
  lineName: field('产品线', textOrNull),
  pendingApply: z.nullable(applyTypes.schema),
  state: field('状态', state),
  updatedAt: field('更新时间', instantOut),
  version: z.int(),
});
export type MedicineRow = z.output<typeof medicineRow>;

export const medicineFacts = z.strictObject({
  id: idOut,
  medicineNo: z.string(),
  ...answered(medicineFields),
  approvalKind: field(medicineLabels.approvalKind, approvalKinds.schema),
  holderName: field(medicineLabels.holderId, textOrNull),
  makerName: field(medicineLabels.makerId, textOrNull),
  importerName: field(medicineLabels.importerId, textOrNull),
  categoryName: field('分类', textOrNull),
  coldChain: field('冷链', z.boolean()),
  rxRequired: field('须凭处方', z.boolean()),
  firstOnAt: textOrNull,
  state,
  createdAt: z.string(),
  updatedAt: z.string(),
  version: z.int(),
});
export type MedicineFacts = z.output<typeof medicineFacts>;

export const medicineInput = z.strictObject(medicineFields);
export type MedicineInput = z.output<typeof medicineInput>;

export const queryMedicineList = drugService.list({
  operation: 'queryMedicineList',
  label: '查询药品',
  access: may['medicine.view'],
  filter: { ...medicineFilter, ...sortedBy('medicineNo', 'genericName', 'updatedAt') },
  output: z.strictObject({
    ...medicineRow.shape,
    /** Small picture, readable for a while. */ imageUrl: field('图片', textOrNull, { kind: 'image', width: 64 }),
  }),
});
/** Numbers on the tabs of the page. */
export const queryMedicineCounts = drugService.read({
  operation: 'queryMedicineCounts',
  label: '查询药品数量',
  access: may['medicine.view'],
  input: {},
  output: z.strictObject({
    stateCounts: z.array(z.strictObject({ state, count: z.int() })),
    pendingPrices: z.int(),
    pendingApplies: z.int(),
  }),
});
export const queryMedicineByApprovalNo = drugService.read({
  operation: 'queryMedicineByApprovalNo',
  label: '按批准文号查询药品',
  access: may['medicine.view'],
  input: { approvalNo: text('批准文号', 40, 1) },
  output: z.nullable(z.strictObject({ id: idOut, medicineNo: z.string(), genericName: z.string() })),
});
export const queryMedicineDetail = drugService.read({
  operation: 'queryMedicineDetail',
  label: '查询药品详情',
  access: may['medicine.view'],
  input: { medicineId: field('药品', id) },
  output: z.strictObject({
    medicine: medicineFacts,
    tags: z.array(tag),
    lines: z.array(
      z.strictObject({ lineId: idOut, name: z.string(), companyName: z.string(), startDate: z.string(), endDate: textOrNull }),
    ),
    applies: z.array(
      z.strictObject({
        id: idOut,
        applyNo: z.string(),
        applyType: applyTypes.schema,
        state: z.string(),
        makerName: textOrNull,
        checkerName: textOrNull,
        opinion: textOrNull,
        createdAt: z.string(),
        decidedAt: textOrNull,
      }),
    ),
    timeline: trail,
  }),
});
export const addMedicine = drugService.act({
  operation: 'addMedicine',
  label: '新增药品',
  access: may['medicine.edit'],
  ...ADDED,
  input: z.strictObject(medicineFields).check(...medicineRules),
  output: medicineFacts,
});
/** Facts of the licence of an audited medicine wait in an apply; the rest acts at once. */
export const modifyMedicine = drugService.act({
  operation: 'modifyMedicine',
  label: '修改药品',
  access: may['medicine.edit'],
  ...CHANGED,
  input: z.strictObject({ id, version, ...medicineFields }).check(...medicineRules),
  output: z.extend(medicineFacts, { applyNo: textOrNull }),
});
export const submitMedicine = drugService.act({
  operation: 'submitMedicine',
  label: '提交药品审核',
  access: may['medicine.edit'],
  message: '已提交审核',
  input: { id, version },
  output: acted(state),
});
export const changeMedicineState = drugService.act({
  operation: 'changeMedicineState',
  label: '药品上架、下架、作废',
  access: access.byAction(
    'action',
    { putOn: may['medicine.edit'], takeOff: may['medicine.edit'], void: may['medicine.audit'] },
    may['medicine.edit'],
  ),
  ...CHANGED,
  input: { id, version, action: field('操作', z.enum(['putOn', 'takeOff', 'void'], '操作不正确')), opinion: z.optional(opinion) },
  output: acted(state),
});
export const delMedicine = drugService.act({
  operation: 'delMedicine',
  label: '删除药品',
  access: may['medicine.edit'],
  ...DELETED,
  input: { id, version },
  output: nothing,
});
export const copyMedicine = drugService.act({
  operation: 'copyMedicine',
  label: '复制药品',
  access: may['medicine.edit'],
  ...COPIED,
  input: { id, approvalNo: text('批准文号', 40, 1) },
  output: medicineFacts,
});
export const moveMedicineCategory = drugService.act({
  operation: 'moveMedicineCategory',
  label: '调整药品分类',
  access: may['medicine.edit'],
  ...CHANGED,
  input: {
    medicineIds: field('药品', z.array(id, '请选择药品').check(z.minLength(1, '请选择药品'), z.maxLength(200, '一次最多200个药品'))),
    categoryId: field('目标分类', id),
  },
  output: rowOutcomes,
});
export const exportMedicineList = exportOf(queryMedicineList, {
  operation: 'exportMedicineList',
  label: '导出药品',
  access: may['medicine.export'],
});
export const importMedicine = drugService.imports({ operation: 'importMedicine', label: '导入药品', access: may['medicine.import'] });
export const importSkuPrice = drugService.imports({ operation: 'importSkuPrice', label: '导入商品价格', access: may['medicine.import'] });

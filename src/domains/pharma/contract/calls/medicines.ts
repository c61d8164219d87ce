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

export const queryMedicineList = drugService.list(
  'queryMedicineList',
  '查询药品',
  may['medicine.view'],
  { ...medicineFilter, ...sortedBy('medicineNo', 'genericName', 'updatedAt') },
  z.strictObject({
    ...medicineRow.shape,
    /** Small picture, readable for a while. */ imageUrl: field('图片', textOrNull, { kind: 'image', width: 64 }),
  }),
);
/** Numbers on the tabs of the page. */
export const queryMedicineCounts = drugService.read(
  'queryMedicineCounts',
  '查询药品数量',
  may['medicine.view'],
  {},
  z.strictObject({
    stateCounts: z.array(z.strictObject({ state, count: z.int() })),
    pendingPrices: z.int(),
    pendingApplies: z.int(),
  }),
);
export const queryMedicineByApprovalNo = drugService.read(
  'queryMedicineByApprovalNo',
  '按批准文号查询药品',
  may['medicine.view'],
  { approvalNo: text('批准文号', 40, 1) },
  z.nullable(z.strictObject({ id: idOut, medicineNo: z.string(), genericName: z.string() })),
);
export const queryMedicineDetail = drugService.read(
  'queryMedicineDetail',
  '查询药品详情',
  may['medicine.view'],
  { medicineId: field('药品', id) },
  z.strictObject({
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
);
export const addMedicine = drugService.act('addMedicine', '新增药品', may['medicine.edit'], medicineFields, medicineFacts, {
  ...ADDED,
  rules: medicineRules,
});
/** Facts of the licence of an audited medicine wait in an apply; the rest acts at once. */
export const modifyMedicine = drugService.act(
  'modifyMedicine',
  '修改药品',
  may['medicine.edit'],
  { id, version, ...medicineFields },
  z.extend(medicineFacts, { applyNo: textOrNull }),
  { ...CHANGED, rules: medicineRules },
);
export const submitMedicine = drugService.act('submitMedicine', '提交药品审核', may['medicine.edit'], { id, version }, acted(state), {
  message: '已提交审核',
});
export const changeMedicineState = drugService.act(
  'changeMedicineState',
  '药品上架、下架、作废',
  access.byAction(
    'action',
    { putOn: may['medicine.edit'], takeOff: may['medicine.edit'], void: may['medicine.audit'] },
    may['medicine.edit'],
  ),
  { id, version, action: field('操作', z.enum(['putOn', 'takeOff', 'void'], '操作不正确')), opinion: z.optional(opinion) },
  acted(state),
  CHANGED,
);
export const delMedicine = drugService.act('delMedicine', '删除药品', may['medicine.edit'], { id, version }, nothing, DELETED);
export const copyMedicine = drugService.act(
  'copyMedicine',
  '复制药品',
  may['medicine.edit'],
  { id, approvalNo: text('批准文号', 40, 1) },
  medicineFacts,
  COPIED,
);
export const moveMedicineCategory = drugService.act(
  'moveMedicineCategory',
  '调整药品分类',
  may['medicine.edit'],
  {
    medicineIds: field('药品', z.array(id, '请选择药品').check(z.minLength(1, '请选择药品'), z.maxLength(200, '一次最多200个药品'))),
    categoryId: field('目标分类', id),
  },
  rowOutcomes,
  CHANGED,
);
export const exportMedicineList = exportOf(queryMedicineList, {
  operation: 'exportMedicineList',
  label: '导出药品',
  access: access.permission(may['medicine.export']),
});
export const importMedicine = drugService.imports('importMedicine', '导入药品', may['medicine.import']);
export const importSkuPrice = drugService.imports('importSkuPrice', '导入商品价格', may['medicine.import']);

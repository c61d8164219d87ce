import * as z from 'zod/mini';
import { access } from '../../../../kernel/contract/call.ts';
import { exportOf } from '../../../../kernel/contract/exportOf.ts';
import { day, dayOut, fen, flag, id, idOut, instantOut, opinion, several, text, version } from '../../../../kernel/contract/fields.ts';
import { field } from '../../../../kernel/contract/field.ts';
import { trail } from '../../../../kernel/contract/trail.ts';
import { sortedBy } from '../../../../kernel/contract/sorting.ts';
import {
  applyTypes,
  approvalKinds,
  controlClasses,
  dosageForms,
  medicineKinds,
  reimburseClasses,
  rxClasses,
  storages,
  taxSchemes,
} from '../dictionaries.ts';
import { pharmaPermissions as may } from '../permissions.ts';
import { medicineLabels } from '../rules/medicineFields.ts';
import { medicineMachine } from '../states.ts';
import { ADDED, CHANGED, DELETED, acted, declareService, intOrNull, maybe, nothing, rowOutcomes, textOrNull } from './declare.ts';

export const drugService = declareService('DrugService');
const state = medicineMachine.dictionary.schema;
const adcode = z.string().check(z.regex(/^\d{6}$/, '地区代码为6位数字'));

const medicineFilter = {
  /** Generic name, brand, pinyin, approval number, barcode or goods code. */
  keyword: z.optional(text('关键字', 60)),
  categoryId: field('药品分类', z.optional(id)),
  companyId: field('药企', z.optional(id)),
  lineId: field('产品线', z.optional(id)),
  medicineKind: field('商品大类', z.optional(several(medicineKinds.schema))),
  rxClass: field('处方分类', z.optional(several(rxClasses.schema))),
  reimburseClass: field('医保类别', z.optional(reimburseClasses.schema)),
  provinceAdcode: field('省份', z.optional(adcode)),
  coldChain: field('冷链', z.optional(flag)),
  tagId: field('标签', z.optional(id)),
  state: z.optional(several(state)),
  priceFrom: field('最低价格', z.optional(fen)),
  priceTo: field('最高价格', z.optional(fen)),
};

const dose = z.strictObject({ amount: z.number(), unit: z.string(), timesPerDay: z.int(), days: z.optional(intOrNull) });
const indication = z.strictObject({ text: z.string(), icd10Prefixes: z.array(z.string()) });
const tag = z.strictObject({ tagId: idOut, name: z.string(), colour: textOrNull });

export const medicineRow = z.strictObject({
  id: idOut,
  medicineNo: field('药品编号', z.string(), { width: 160 }),
  genericName: field(medicineLabels.genericName, z.string(), { width: 192 }),
  brandName: field(medicineLabels.brandName, textOrNull),
  medicineKind: field(medicineLabels.medicineKind, medicineKinds.schema),
  rxClass: field(medicineLabels.rxClass, z.nullable(rxClasses.schema)),
  dosageForm: field(medicineLabels.dosageForm, z.nullable(dosageForms.schema)),
  strength: field(medicineLabels.strength, textOrNull),
  approvalNo: field(medicineLabels.approvalNo, z.string(), { width: 176 }),
  approvalValidTo: field(medicineLabels.approvalValidTo, z.nullable(dayOut)),
  holderId: textOrNull,
  holderName: field('持有人', textOrNull, { width: 192 }),
  categoryId: textOrNull,
  categoryName: field('分类', textOrNull),
  controlClass: controlClasses.schema,
  coldChain: field('冷链', z.boolean()),
  /** In the asked province (the whole country without one), today. */
  reimburseClass: field('医保类别', z.nullable(reimburseClasses.schema)),
  imageFileId: textOrNull,
  skuCount: field('商品数', z.int()),
  /** Lowest and highest market price of its saleable goods today, fen; null where there is none or the role sees no prices. */
  priceMinFen: intOrNull,
  priceMaxFen: intOrNull,
  tags: z.array(tag),
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
  genericName: z.string(),
  brandName: textOrNull,
  englishName: textOrNull,
  genericPinyin: z.string(),
  brandPinyin: z.string(),
  medicineKind: medicineKinds.schema,
  rxClass: z.nullable(rxClasses.schema),
  dosageForm: z.nullable(dosageForms.schema),
  strength: textOrNull,
  approvalNo: z.string(),
  approvalKind: approvalKinds.schema,
  approvalValidTo: textOrNull,
  baseCode: textOrNull,
  nhsaCode: textOrNull,
  holderId: textOrNull,
  holderName: textOrNull,
  makerId: textOrNull,
  makerName: textOrNull,
  importerId: textOrNull,
  importerName: textOrNull,
  categoryId: textOrNull,
  categoryName: textOrNull,
  atcCode: textOrNull,
  indications: z.array(indication),
  usageText: textOrNull,
  defaultDose: z.nullable(dose),
  contraindication: textOrNull,
  adverseReaction: textOrNull,
  labelFileId: textOrNull,
  imageFileIds: z.array(z.string()),
  storage: z.nullable(storages.schema),
  lightproof: z.boolean(),
  coldChain: z.boolean(),
  controlClass: controlClasses.schema,
  taxCode: textOrNull,
  taxRateBp: intOrNull,
  taxScheme: z.nullable(taxSchemes.schema),
  rxRequired: z.boolean(),
  sort: z.int(),
  firstOnAt: textOrNull,
  state,
  createdAt: z.string(),
  updatedAt: z.string(),
  version: z.int(),
});
export type MedicineFacts = z.output<typeof medicineFacts>;

const icd10 = z.string().check(z.trim(), z.toUpperCase(), z.regex(/^[A-Z]\d{2}(\.\d{1,3})?$/, 'ICD-10前缀应如C34或C34.9'));
export const indicationInput = z.strictObject({
  text: text('适应症', 500, 1),
  icd10Prefixes: field('ICD-10前缀', z._default(z.array(icd10).check(z.maxLength(20, 'ICD-10前缀最多20个')), [])),
});
const fields = {
  genericName: text('通用名', 100, 1),
  approvalNo: text('批准文号', 40, 1),
  medicineKind: field('商品大类', medicineKinds.schema),
  brandName: maybe(text('商品名', 100)),
  englishName: maybe(text('英文名', 100)),
  /** Generated where it is left out; correctable because of characters with several readings. */
  genericPinyin: maybe(text('通用名拼音', 200)),
  brandPinyin: maybe(text('商品名拼音', 200)),
  rxClass: field('处方分类', maybe(rxClasses.schema)),
  dosageForm: field('剂型', maybe(dosageForms.schema)),
  strength: maybe(text('规格', 60)),
  approvalValidTo: field('批准文号有效期至', maybe(day)),
  baseCode: maybe(text('药品本位码', 14)),
  nhsaCode: field(
    '国家医保药品代码',
    maybe(
      z
        .string()
        .check(
          z.trim(),
          z.toUpperCase(),
          z.maxLength(23, '国家医保药品代码为X或Z开头的23位'),
          z.regex(/^$|^[XZ][0-9A-Z]{22}$/, '国家医保药品代码为X或Z开头的23位'),
        ),
    ),
  ),
  holderId: field('上市许可持有人', maybe(id)),
  makerId: field('生产企业', maybe(id)),
  importerId: field('进口总代理', maybe(id)),
  categoryId: field('药品分类', maybe(id)),
  atcCode: field(
    'ATC编码',
    maybe(
      z
        .string()
        .check(
          z.trim(),
          z.toUpperCase(),
          z.maxLength(7, 'ATC编码格式不正确'),
          z.regex(/^$|^[A-V](\d{2}([A-Z]([A-Z](\d{2})?)?)?)?$/, 'ATC编码格式不正确'),
        ),
    ),
  ),
  indications: field('适应症', z._default(z.array(indicationInput).check(z.maxLength(30, '适应症最多30条')), [])),
  usageText: maybe(text('用法用量', 1000)),
  defaultDose: field(
    '默认用量',
    maybe(
      z.strictObject({
        amount: field('每次用量', z.number('请输入每次用量').check(z.minimum(0.001, '每次用量须大于0'), z.maximum(10_000, '每次用量过大'))),
        unit: text('剂量单位', 10, 1),
        timesPerDay: field(
          '每日次数',
          z.int('每日次数须为整数').check(z.minimum(1, '每日次数须为1至24'), z.maximum(24, '每日次数须为1至24')),
        ),
        days: field('疗程天数', maybe(z.int('疗程天数须为整数').check(z.minimum(1, '疗程天数须大于0'), z.maximum(3650, '疗程天数过大')))),
      }),
    ),
  ),
  contraindication: maybe(text('禁忌', 2000)),
  adverseReaction: maybe(text('不良反应', 2000)),
  labelFileId: field('说明书', maybe(id)),
  imageFileIds: field('图片', z._default(z.array(id).check(z.maxLength(9, '图片最多9张')), [])),
  storage: field('贮藏', maybe(storages.schema)),
  lightproof: field('避光', z._default(z.boolean(), false)),
  controlClass: field('管制分类', z._default(controlClasses.schema, 'NONE')),
  taxCode: field(
    '税收编码',
    maybe(z.string().check(z.trim(), z.maxLength(19, '税收编码为19位数字'), z.regex(/^$|^\d{19}$/, '税收编码为19位数字'))),
  ),
  taxRateBp: field('税率', maybe(z.int('税率不正确').check(z.minimum(0, '税率不正确'), z.maximum(10_000, '税率不正确')))),
  taxScheme: field('计税方式', maybe(taxSchemes.schema)),
  sort: field('排序', z._default(z.int('排序须为整数').check(z.minimum(0, '排序从0开始'), z.maximum(999_999, '排序过大')), 0)),
};
export const medicineInput = z.strictObject(fields);
export type MedicineInput = z.output<typeof medicineInput>;

export const queryMedicineList = drugService.list(
  'queryMedicineList',
  '查询药品',
  may['medicine.view'],
  { ...medicineFilter, ...sortedBy('medicineNo', 'genericName', 'updatedAt') },
  z.strictObject({ ...medicineRow.shape, /** Small picture, readable for a while. */ imageUrl: textOrNull }),
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
export const addMedicine = drugService.act('addMedicine', '新增药品', may['medicine.edit'], fields, medicineFacts, ADDED);
/** Facts of the licence of an audited medicine wait in an apply; the rest acts at once. */
export const modifyMedicine = drugService.act(
  'modifyMedicine',
  '修改药品',
  may['medicine.edit'],
  { id, version, ...fields },
  z.extend(medicineFacts, { applyNo: textOrNull }),
  CHANGED,
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
  { message: '复制成功' },
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

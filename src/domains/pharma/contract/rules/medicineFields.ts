import * as z from 'zod/mini';
import { between, coded } from '#kernel/contract/between.ts';
import { field, keysOf, without } from '#kernel/contract/field.ts';
import { day, id, text } from '#kernel/contract/fields.ts';
import { labelsOf } from '#kernel/contract/labels.ts';
import { controlClasses, dosageForms, medicineKinds, rxClasses, storages, taxSchemes } from '../dictionaries.ts';
import { pharmaErrors } from '../errors.ts';
import { approvalFits, readApprovalNo } from './approvalNo.ts';
import { medicineTaxAllowed } from './tax.ts';
import { maybe } from '../calls/declare.ts';

const icd10 = z.string().check(z.trim(), z.toUpperCase(), z.regex(/^[A-Z]\d{2}(\.\d{1,3})?$/, 'ICD-10前缀应如C34或C34.9'));
export const indicationInput = z.strictObject({
  text: text('适应症', 500, 1),
  icd10Prefixes: field('ICD-10前缀', z._default(z.array(icd10).check(z.maxLength(20, 'ICD-10前缀最多20个')), [])),
});
/** What a medicine is entered with; one place for form, differences, import, list and detail. */
export const medicineFields = {
  genericName: field('通用名', text('通用名', 100, 1), { width: 192, example: '盐酸二甲双胍片' }),
  // The form of the number is told before its kind of goods is chosen.
  approvalNo: field(
    '批准文号',
    text('批准文号', 40, 1).check(coded(pharmaErrors.APPROVAL_FORMAT, (approvalNo) => readApprovalNo(approvalNo) !== null)),
    { width: 176, example: '国药准字H20170001' },
  ),
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
/** What holds between them. */
export const medicineRules = [
  between<{ medicineKind: string; approvalNo: string }>(
    ['medicineKind', 'approvalNo'],
    ({ medicineKind, approvalNo }) => {
      const facts = readApprovalNo(approvalNo);
      return facts === null || approvalFits(facts, medicineKind);
    },
    pharmaErrors.APPROVAL_FORMAT,
  ),
  between<{ taxCode?: string | null | undefined; taxScheme?: string | null | undefined; taxRateBp?: number | null | undefined }>(
    ['taxCode', 'taxScheme', 'taxRateBp'],
    ({ taxCode, taxScheme, taxRateBp }) =>
      !taxCode || !taxScheme || taxRateBp === null || taxRateBp === undefined || medicineTaxAllowed(taxCode, taxRateBp, taxScheme),
    pharmaErrors.TAX_PAIR,
  ),
];
export const medicineFieldKeys = keysOf(medicineFields);

/** Those of a row of the list: all but the long ones and what the drawer alone shows. */
export const listedFields = without(medicineFields, [
  'englishName',
  'genericPinyin',
  'brandPinyin',
  'baseCode',
  'nhsaCode',
  'makerId',
  'importerId',
  'atcCode',
  'indications',
  'usageText',
  'defaultDose',
  'contraindication',
  'adverseReaction',
  'labelFileId',
  'imageFileIds',
  'storage',
  'lightproof',
  'taxCode',
  'taxRateBp',
  'taxScheme',
  'sort',
]);
export const listedFieldKeys = keysOf(listedFields);

/** Chinese names of a medicine's fields, for differences, audits and refusals. */
export const medicineLabels = { ...labelsOf(medicineFields), approvalKind: '批准文号类别' };

export type MedicineField = keyof typeof medicineLabels;

/** Facts of the licence and what follows from them: a medicine that is through its audit changes them by another audit. */
export const auditedFields: readonly MedicineField[] = [
  'genericName',
  'brandName',
  'medicineKind',
  'approvalNo',
  'approvalKind',
  'approvalValidTo',
  'dosageForm',
  'strength',
  'holderId',
  'makerId',
  'importerId',
  'rxClass',
  'controlClass',
  'storage',
  'lightproof',
  'taxCode',
  'taxRateBp',
  'taxScheme',
  'indications',
];

/** What a submitted medicine must have. */
export const requiredFields: readonly MedicineField[] = [
  'genericName',
  'medicineKind',
  'rxClass',
  'dosageForm',
  'strength',
  'approvalNo',
  'approvalValidTo',
  'holderId',
  'makerId',
  'categoryId',
  'indications',
  'usageText',
  'storage',
  'taxCode',
  'taxRateBp',
  'taxScheme',
];

import * as z from 'zod/mini';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { field } from '#kernel/contract/field.ts';
import { day, id, idOut, optionalText, several, text, version } from '#kernel/contract/fields.ts';
import { importFields, importStarted } from '#kernel/contract/importing.ts';
import { ADDED, CHANGED, DELETED, nothing } from '#kernel/contract/service.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { formularyPermissions as may } from '../permissions.ts';
import { formularyService } from './calls.ts';
import { socialCategories } from './dictionaries.ts';
import { quantityText } from './quantity.ts';

const MOST_FEN = 100_000_000;
const price = (label: string) =>
  field(
    label,
    z._default(z.nullable(z.int(`请输入${label}`).check(z.minimum(1, `${label}须大于0`), z.maximum(MOST_FEN, `${label}过大`))), null),
    { kind: 'money' },
  );
/** Thousandths of the unit of sale. */
const quantity = (label: string) =>
  field(
    label,
    z._default(z.nullable(z.int(`请输入${label}`).check(z.minimum(1, `${label}须大于0`), z.maximum(1_000_000_000, `${label}过大`))), null),
    { kind: 'number', text: (milli) => (milli === null ? '' : quantityText(milli)) },
  );
const days = (label: string, most: number) =>
  field(
    label,
    z._default(
      z.nullable(z.int(`${label}须为整数`).check(z.minimum(1, `${label}须大于0`), z.maximum(most, `${label}不能大于${most}`))),
      null,
    ),
  );

/** Price agreed with a chain, or with all (`*`), between two days. */
export const agreementPrice = z.strictObject({
  chainId: field('连锁', z.string().check(z.regex(/^(\*|[1-9]\d{0,18})$/, '请选择连锁'))),
  priceFen: field('协议价', z.int('请输入协议价').check(z.minimum(1, '协议价须大于0'), z.maximum(MOST_FEN, '协议价过大')), {
    kind: 'money',
  }),
  from: field('起', day),
  to: field('止', z.nullable(day)),
});
export const lineFacts = z.strictObject({
  medicineId: field('药品', id),
  indicationCode: field(
    '适应症编码',
    z.string('请输入适应症编码').check(z.trim(), z.regex(/^[A-Z0-9_.-]{1,32}$/, '适应症编码须为1-32位大写字母、数字、点、下划线或连字符')),
  ),
  indicationText: text('适应症', 200, 1),
  icd10Prefixes: field(
    '疾病编码',
    z._default(
      z
        .array(z.string().check(z.regex(/^[A-Z][0-9A-Z.]{1,7}$/, '疾病编码须为ICD-10编码或其前缀')))
        .check(z.maxLength(50, '最多50个疾病编码')),
      [],
    ),
    { text: (codes) => codes.join('、') },
  ),
  lineOfTherapy: optionalText('治疗线数', 40),
  geneRequirement: optionalText('基因检测要求', 80),
  socialCategory: field('医保类别', socialCategories.schema),
  maxUnitPriceFen: price('限价'),
  agreementPrices: field('直付协议价', z._default(z.array(agreementPrice).check(z.maxLength(50, '最多50条协议价')), []), {
    text: (rows) => (rows.length === 0 ? '' : `${rows.length}条`),
  }),
  maxQtyPerClaimMilli: quantity('每次最大数量'),
  maxQtyPerDaysMilli: quantity('周期最大数量'),
  maxQtyDays: days('周期天数', 366),
  minIntervalDays: days('最小间隔天数', 366),
  dailyDoseMilli: quantity('日剂量'),
  charityPayMonths: days('赠药：自费月数', 60),
  charityFreeMonths: days('赠药：赠送月数', 60),
  directPay: field('可直付', z._default(z.boolean(), true)),
});
const facts = lineFacts.shape;

export const lineRow = z.strictObject({
  id: idOut,
  medicineNo: field('药品编号', z.string(), { width: 170 }),
  genericName: field('通用名', z.string(), { width: 180 }),
  brandName: field('商品名', z.string(), { width: 110 }),
  spec: field('规格', z.string(), { width: 110 }),
  manufacturer: field('生产企业', z.string(), { width: 200 }),
  ...facts,
  medicineId: idOut,
  indicationText: field('适应症', z.string(), { width: 200 }),
  version: z.int(),
});
export type FormularyLineRow = z.output<typeof lineRow>;

const filter = {
  formularyVersionId: field('目录版本', id),
  keyword: z.optional(text('药品', 60)),
  indication: z.optional(text('适应症', 60)),
  socialCategory: field('医保类别', z.optional(several(socialCategories.schema))),
  capped: field('有限价', z.optional(z.boolean())),
};
export const queryFormularyLineList = formularyService.list({
  operation: 'queryFormularyLineList',
  label: '查询目录药品',
  access: may['formulary.view'],
  filter: { ...filter, ...sortedBy('medicineNo', 'indicationCode', 'lineOfTherapy', 'maxUnitPriceFen') },
  output: lineRow,
});
export const exportFormularyLine = exportOf(queryFormularyLineList, {
  operation: 'exportFormularyLine',
  label: '导出目录药品',
  access: may['formulary.view'],
});

const saved = z.strictObject({ lineId: idOut, version: z.int() });
export const addFormularyLine = formularyService.act({
  operation: 'addFormularyLine',
  label: '新增目录药品',
  access: may['formulary.edit'],
  ...ADDED,
  input: { formularyVersionId: field('目录版本', id), ...facts },
  output: saved,
});
export const modifyFormularyLine = formularyService.act({
  operation: 'modifyFormularyLine',
  label: '修改目录药品',
  access: may['formulary.edit'],
  ...CHANGED,
  input: { lineId: field('目录药品', id), version, ...facts },
  output: saved,
});
export const removeFormularyLine = formularyService.act({
  operation: 'removeFormularyLine',
  label: '删除目录药品',
  access: may['formulary.edit'],
  ...DELETED,
  input: { lineId: field('目录药品', id), version },
  output: nothing,
});
export const importFormularyLine = formularyService.act({
  operation: 'importFormularyLine',
  label: '导入目录药品',
  access: may['formulary.edit'],
  log: 'IMPORT',
  input: { ...importFields, formularyVersionId: field('目录版本', id) },
  output: importStarted,
});

import * as z from 'zod/mini';
import { between, coded, ordered } from '#kernel/contract/between.ts';
import { access } from '#kernel/contract/call.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
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
import { field } from '#kernel/contract/field.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { priceTypes, reimburseClasses } from '../dictionaries.ts';
import { pharmaErrors } from '../errors.ts';
import { pharmaPermissions as may } from '../permissions.ts';
import { provinceName } from '../provinces.ts';
import { isEan13 } from '../rules/checkDigits.ts';
import { skuMachine } from '../states.ts';
import { ADDED, CHANGED, acted, maybe, nothing } from './declare.ts';
import { drugService } from './services.ts';

const state = skuMachine.dictionary.schema;
const adcode = z.string('请选择省份').check(z.regex(/^\d{2}0000$/, '请选择省份'));
const whole = (label: string, min: number, max: number) =>
  field(label, z.int(`${label}须为整数`).check(z.minimum(min, `${label}不能小于${min}`), z.maximum(max, `${label}不能大于${max}`)));

const skuRow = z.strictObject({
  id: idOut,
  goodsCode: z.string(),
  barcode: textOrNull,
  medicineId: idOut,
  packSpec: z.string(),
  packUnits: z.int(),
  unit: z.string(),
  minQty: z.int(),
  maxQtyPerOrder: z.int(),
  weightG: intOrNull,
  lengthMm: intOrNull,
  widthMm: intOrNull,
  heightMm: intOrNull,
  traceable: z.boolean(),
  saleable: z.boolean(),
  /** In force today, fen; null where there is none or the role may not see it. */
  marketFen: intOrNull,
  supplyFen: intOrNull,
  state,
  version: z.int(),
});
export type SkuRow = z.output<typeof skuRow>;

const fields = {
  barcode: maybe(text('条形码', 13).check(coded(pharmaErrors.BARCODE_INVALID, (code) => code === '' || isEan13(code)))),
  packSpec: text('包装规格', 40, 1),
  packUnits: field('包装数量', z.int('包装数量须为正整数').check(z.minimum(1, '包装数量须为正整数'), z.maximum(100_000, '包装数量过大'))),
  unit: text('单位', 10, 1),
  minQty: z._default(whole('起售数量', 1, 99), 1),
  maxQtyPerOrder: z._default(whole('单笔限购', 1, 99), 99),
  weightG: maybe(whole('重量', 1, 1_000_000)),
  lengthMm: maybe(whole('长', 1, 10_000)),
  widthMm: maybe(whole('宽', 1, 10_000)),
  heightMm: maybe(whole('高', 1, 10_000)),
  traceable: field('追溯码', z._default(z.boolean(), true)),
  saleable: field('可销售', z._default(z.boolean(), true)),
};
const rules = [
  between<{ minQty: number; maxQtyPerOrder: number }>(
    ['maxQtyPerOrder', 'minQty'],
    ({ minQty, maxQtyPerOrder }) => minQty <= maxQtyPerOrder,
    '起售数量不能大于单笔限购',
  ),
];

export const querySkuList = drugService.read({
  operation: 'querySkuList',
  label: '查询商品',
  access: may['medicine.view'],
  input: { medicineId: field('药品', id) },
  output: z.array(skuRow),
});
export const addSku = drugService.act({
  operation: 'addSku',
  label: '新增商品',
  access: may['medicine.edit'],
  ...ADDED,
  input: z.strictObject({ medicineId: field('药品', id), ...fields }).check(...rules),
  output: skuRow,
});
export const modifySku = drugService.act({
  operation: 'modifySku',
  label: '修改商品',
  access: may['medicine.edit'],
  ...CHANGED,
  input: z.strictObject({ id, version, ...fields }).check(...rules),
  output: skuRow,
});
export const changeSkuState = drugService.act({
  operation: 'changeSkuState',
  label: '商品停售、恢复',
  access: may['medicine.edit'],
  ...CHANGED,
  input: { id, version, action: field('操作', z.enum(['on', 'off'], '操作不正确')), opinion: z.optional(opinion) },
  output: acted(state),
});

const priceFilter = {
  medicineId: field('药品', z.optional(id)),
  skuId: field('商品', z.optional(id)),
  goodsCode: z.optional(wholeText('商品编码', 20)),
  priceType: field('价格类型', z.optional(several(priceTypes.schema))),
  /** In force today, to come, or over. */
  period: field('生效情况', z.optional(z.enum(['NOW', 'FUTURE', 'PAST'], '取值不在可选范围内'))),
  pending: field('待审核', z.optional(flag)),
};
const priceRow = z.strictObject({
  id: idOut,
  skuId: idOut,
  goodsCode: field('商品编码', z.string()),
  packSpec: field('包装规格', z.string(), { width: 160 }),
  medicineId: idOut,
  genericName: field('通用名', z.string(), { width: 192 }),
  priceType: field('价格类型', priceTypes.schema),
  provinceAdcode: field('省份', textOrNull, { text: (code) => (code === null ? '' : provinceName(code)) }),
  priceFen: field('价格（元）', fen),
  effectiveFrom: field('生效日期', dayOut),
  effectiveTo: field('失效日期', z.nullable(dayOut)),
  reason: field('调价原因', z.string(), { width: 240 }),
  priceApplyId: textOrNull,
  period: field('生效情况', z.enum(['NOW', 'FUTURE', 'PAST'])),
  createdName: field('操作人', textOrNull),
  createdAt: field('操作时间', instantOut),
});
export type PriceRow = z.output<typeof priceRow>;

export const querySkuPriceList = drugService.list({
  operation: 'querySkuPriceList',
  label: '查询商品价格',
  access: may['price.view'],
  filter: { ...priceFilter, ...sortedBy('goodsCode', 'effectiveFrom', 'createdAt') },
  output: priceRow,
});
/** Supply prices need both rights; the answer names the apply where the price waits for an audit. */
export const addSkuPrice = drugService.act({
  operation: 'addSkuPrice',
  label: '新增商品价格',
  access: access.byAction('priceType', { SUPPLY: may['price.supply'] }, may['price.edit']),
  message: '保存成功!',
  input: {
    skuId: field('商品', id),
    priceType: field('价格类型', priceTypes.schema),
    provinceAdcode: field('省份', maybe(adcode)),
    priceFen: field('价格', fen.check(z.minimum(1, '价格须大于0'), z.maximum(100_000_000_000, '价格过大'))),
    effectiveFrom: field('生效日期', day),
    reason: text('调价原因', 200, 2),
  },
  output: z.strictObject({ priceId: textOrNull, applyId: textOrNull, applyNo: textOrNull }),
});
export const revokeSkuPrice = drugService.act({
  operation: 'revokeSkuPrice',
  label: '撤销未生效价格',
  access: may['price.edit'],
  message: '撤销成功!',
  input: { id },
  output: nothing,
});
export const exportSkuPriceList = exportOf(querySkuPriceList, {
  operation: 'exportSkuPriceList',
  label: '导出商品价格',
  access: may['price.export'],
});

const reimburseRow = z.strictObject({
  id: idOut,
  medicineId: idOut,
  medicineNo: field('药品编号', z.string(), { width: 160 }),
  genericName: field('通用名', z.string(), { width: 192 }),
  provinceAdcode: z.string(),
  provinceName: field('省份', z.string()),
  reimburseClass: field('医保类别', reimburseClasses.schema),
  selfPayBp: field('先行自付比例', z.int(), { kind: 'rate' }),
  restriction: field('限定支付范围', textOrNull, { width: 240 }),
  effectiveFrom: field('生效日期', dayOut),
  effectiveTo: field('失效日期', z.nullable(dayOut)),
  sourceFileId: textOrNull,
  createdAt: z.string(),
});
export type ReimburseRow = z.output<typeof reimburseRow>;
const reimburseAdcode = field('省份', z.string('请选择省份').check(z.regex(/^\d{2}0000$/, '请选择省份')));
const reimburseFilter = {
  medicineId: field('药品', z.optional(id)),
  keyword: z.optional(text('药品', 60)),
  provinceAdcode: field('省份', z.optional(reimburseAdcode)),
  reimburseClass: field('医保类别', z.optional(several(reimburseClasses.schema))),
};
export const queryReimburseList = drugService.list({
  operation: 'queryReimburseList',
  label: '查询医保目录',
  access: may['medicine.view'],
  filter: reimburseFilter,
  output: reimburseRow,
});
export const exportReimburseList = exportOf(queryReimburseList, {
  operation: 'exportReimburseList',
  label: '导出医保目录',
  access: may['medicine.export'],
});
export const saveReimburse = drugService.act({
  operation: 'saveReimburse',
  label: '维护医保目录',
  access: may['medicine.edit'],
  message: '保存成功!',
  input: z
    .strictObject({
      /** The row that is changed; absent: a new one. */
      id: z.optional(id),
      medicineId: field('药品', id),
      provinceAdcode: reimburseAdcode,
      reimburseClass: field('医保类别', reimburseClasses.schema),
      selfPayBp: field(
        '先行自付比例',
        z._default(z.int('先行自付比例不正确').check(z.minimum(0, '先行自付比例为0至100%'), z.maximum(10_000, '先行自付比例为0至100%')), 0),
      ),
      restriction: maybe(text('限定支付范围', 500)),
      effectiveFrom: field('生效日期', day),
      effectiveTo: field('失效日期', maybe(day)),
      sourceFileId: field('依据文件', maybe(id)),
    })
    .check(ordered('effectiveFrom', 'effectiveTo', '失效日期不能早于生效日期')),
  output: reimburseRow,
});
export const importReimburse = drugService.imports({ operation: 'importReimburse', label: '导入医保目录', access: may['medicine.edit'] });

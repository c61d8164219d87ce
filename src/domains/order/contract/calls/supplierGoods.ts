import * as z from 'zod/mini';
import { ordered } from '#kernel/contract/between.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { field } from '#kernel/contract/field.ts';
import { fen, flag, id, idOut, instant, instantOut, int4, intOrNull, text, textOrNull, version } from '#kernel/contract/fields.ts';
import { importFields, importStarted } from '#kernel/contract/importing.ts';
import { ADDED, CHANGED, DELETED } from '#kernel/contract/service.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { orderPermissions as may } from '../permissions.ts';
import { supplierService } from './supplier.ts';

const view = may['supplier.view'];
const edit = may['supplier.edit'];
export const SUPPLIER_GOODS_IMPORTER = 'order.supplierGoods';

const MOST_FEN = 100_000_000;
const MOST_STOCK = 10_000_000;
const goods = {
  supplyPriceFen: field('供货价', fen.check(z.minimum(1, '供货价须大于0'), z.maximum(MOST_FEN, '供货价不能大于100万元'))),
  stockQty: field('库存', int4('库存须为整数').check(z.minimum(0, '库存不能小于0'), z.maximum(MOST_STOCK, `库存不能大于${MOST_STOCK}`))),
  weightGram: field(
    '重量（克）',
    z._default(z.nullable(int4('重量须为整数').check(z.minimum(1, '重量须大于0'), z.maximum(100_000, '重量不能大于100000克'))), null),
  ),
  onSale: field('在售', flag),
};
const goodsCode = field('商品编码', text('商品编码', 32, 1), { example: 'SP100001' });

const goodsRow = z.strictObject({
  id: idOut,
  goodsCode: field('商品编码', z.string(), { width: 120 }),
  goodsName: field('商品名称', z.string(), { width: 240 }),
  supplyPriceFen: field('供货价（元）', fen, { width: 110 }),
  stockQty: field('库存', z.int(), { width: 90 }),
  weightGram: field('重量（克）', intOrNull, { width: 90 }),
  onSale: field('在售', z.boolean(), { width: 70 }),
  stockSyncedAt: field('库存更新时间', instantOut),
  updatedBy: field('修改人', textOrNull, { width: 90 }),
  version: z.int(),
});
export type SupplierGoodsRow = z.output<typeof goodsRow>;
export const querySupplierGoodsList = supplierService.list({
  operation: 'querySupplierGoodsList',
  label: '查询供应商商品',
  access: view,
  filter: {
    supplierId: field('供应商', id),
    goods: z.optional(text('商品', 60)),
    onSale: field('在售', z.optional(flag)),
    ...sortedBy('goodsCode', 'supplyPriceFen', 'stockQty'),
  },
  output: goodsRow,
});
export const exportSupplierGoodsList = exportOf(querySupplierGoodsList, {
  operation: 'exportSupplierGoodsList',
  label: '导出供应商商品',
  access: view,
});

const changed = z.strictObject({ id: idOut, version: z.int() });
/** One package of a medicine that the supplier has not listed yet. */
export const addSupplierGoods = supplierService.act({
  operation: 'addSupplierGoods',
  label: '新增供应商商品',
  access: edit,
  ...ADDED,
  input: { supplierId: field('供应商', id), goodsCode: field('药品', text('药品', 32, 1)), ...goods },
  output: changed,
});
/** A new price is that of later fulfilment orders alone. */
export const modifySupplierGoods = supplierService.act({
  operation: 'modifySupplierGoods',
  label: '修改供应商商品',
  access: edit,
  ...CHANGED,
  input: { id: field('供应商商品', id), version, ...goods },
  output: changed,
});
export const delSupplierGoods = supplierService.act({
  operation: 'delSupplierGoods',
  label: '删除供应商商品',
  access: edit,
  ...DELETED,
  input: { id: field('供应商商品', id), version },
  output: z.strictObject({ id: idOut }),
});
/** A row of the table that is imported. */
export const importedGoods = z.strictObject({ goodsCode, ...goods });
export const importSupplierGoods = supplierService.act({
  operation: 'importSupplierGoods',
  label: '导入供应商商品',
  access: edit,
  log: 'IMPORT',
  input: { supplierId: field('供应商', id), ...importFields },
  output: importStarted,
});

const adcodes = (label: string) => field(label, z.array(text(label, 6, 6)).check(z.maxLength(2_000, `${label}最多2000个`)));
/** Where a supplier delivers; of a region and one within it the smaller one counts. */
export const modifySupplierRegions = supplierService.act({
  operation: 'modifySupplierRegions',
  label: '修改供应商覆盖地区',
  access: edit,
  ...CHANGED,
  input: { supplierId: field('供应商', id), version, included: adcodes('覆盖地区'), excluded: adcodes('排除地区') },
  output: changed,
});

export const addSupplierPause = supplierService.act({
  operation: 'addSupplierPause',
  label: '新增供应商停接时段',
  access: edit,
  ...ADDED,
  input: z
    .strictObject({
      supplierId: field('供应商', id),
      fromAt: field('停接开始', instant),
      toAt: field('停接结束', instant),
      reason: text('原因', 100, 2),
    })
    .check(ordered('fromAt', 'toAt', '停接结束须晚于开始', { apart: true })),
  output: changed,
});
export const delSupplierPause = supplierService.act({
  operation: 'delSupplierPause',
  label: '删除供应商停接时段',
  access: edit,
  ...DELETED,
  input: { id: field('停接时段', id), version },
  output: z.strictObject({ id: idOut }),
});

import type { CheckedInputOf } from '#kernel/contract/call.ts';
import { refuseField } from '#kernel/contract/errors.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { command } from '#kernel/server/handler.ts';
import { containsOneOf } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { goodsByCode } from '#domains/pharma/server/index.ts';
import {
  addSupplierGoods,
  delSupplierGoods,
  exportSupplierGoodsList,
  modifySupplierGoods,
  querySupplierGoodsList,
} from '../../contract/calls/supplierGoods.ts';
import { supplierGoodsRecords, supplierRecords, type SupplierGoodsRecord, type SupplierRecord } from '../access.ts';
import { own } from '../database.ts';
import { editorOf, type Writer } from './facts.ts';

export const goodsList = listOf(querySupplierGoodsList)
  .from(({ db }) => own(db).selectFrom('orderSupplierGoods as g'))
  .with({
    where: {
      supplierId: 'g.supplierId',
      goods: containsOneOf('g.goodsCode', 'g.goodsName'),
      onSale: 'g.onSale',
    },
    id: 'g.id',
    order: [['g.id', 'desc']],
    sorts: { goodsCode: 'g.goodsCode', supplyPriceFen: 'g.supplyPriceFen', stockQty: 'g.stockQty' },
    bounded: 'goods of one supplier: some thousands at most',
    select: (rows) =>
      rows
        .select(['g.id', 'g.goodsCode', 'g.goodsName', 'g.supplyPriceFen', 'g.stockQty', 'g.weightGram', 'g.onSale'])
        .select(['g.stockSyncedAt', 'g.editorName', 'g.version']),
    present: (rows) =>
      rows.map(({ supplyPriceFen, editorName, ...row }) => ({ ...row, supplyPriceFen: Number(supplyPriceFen), updatedBy: editorName })),
  });
export const goodsExport = listExport(goodsList, {
  call: exportSupplierGoodsList,
  title: '供应商商品',
  routeKey: 'supplierSetup.goods',
});

type Goods = Omit<CheckedInputOf<typeof addSupplierGoods>, 'supplierId'>;
type GoodsFacts = Omit<Goods, 'goodsCode'>;
const asForm = ({ supplyPriceFen, stockQty, weightGram, onSale }: SupplierGoodsRecord): GoodsFacts => ({
  supplyPriceFen: Number(supplyPriceFen),
  stockQty,
  weightGram,
  onSale,
});

/** Goods of a supplier that the caller has locked. @throws Refusal SCM90020 */
export async function makeGoodsRow(
  ctx: Writer,
  supplier: Pick<SupplierRecord, 'id' | 'supplierCode'>,
  { goodsCode, supplyPriceFen, ...facts }: Goods,
): Promise<{ id: string; version: number }> {
  const known = (await goodsByCode(ctx.tx, [goodsCode])).get(goodsCode);
  if (!known) throw refuseField('goodsCode', `商品${goodsCode}不存在，请重新选择`);
  const there = await own(ctx.tx)
    .selectFrom('orderSupplierGoods')
    .select('goodsCode')
    .where('supplierId', '=', supplier.id)
    .where('medicineId', '=', known.medicineId)
    .executeTakeFirst();
  if (there) throw refuseField('goodsCode', `该药品已在供应商商品中（${there.goodsCode}）`);
  const made = await own(ctx.tx)
    .insertInto('orderSupplierGoods')
    .values({
      supplierId: supplier.id,
      goodsCode,
      ...known,
      ...facts,
      supplyPriceFen: String(supplyPriceFen),
      stockSyncedAt: ctx.now,
      editorName: editorOf(ctx),
      ...createdColumns(ctx),
    })
    .returning(['id', 'version'])
    .executeTakeFirstOrThrow();
  ctx.target({ type: supplierGoodsRecords.type, id: made.id, no: `${supplier.supplierCode}/${goodsCode}` });
  return made;
}

export const addGoods = command(addSupplierGoods, async ({ supplierId, ...goods }, ctx) =>
  makeGoodsRow(ctx, await supplierRecords.lock(ctx.tx, ctx.staff, supplierId), goods),
);

export const modifyGoods = command(modifySupplierGoods, async ({ id, version, supplyPriceFen, ...facts }, ctx) => {
  const row = await supplierGoodsRecords.lockVersion(ctx, id, version, asForm);
  if (facts.stockQty < row.reservedQty) throw refuseField('stockQty', `库存不能少于已占用的${row.reservedQty}`);
  const changed = await own(ctx.tx)
    .updateTable('orderSupplierGoods')
    .set((eb) => ({
      ...facts,
      supplyPriceFen: String(supplyPriceFen),
      ...(facts.stockQty !== row.stockQty && { stockSyncedAt: ctx.now }),
      editorName: editorOf(ctx),
      version: eb('version', '+', 1),
      ...updatedColumns(ctx),
    }))
    .where('id', '=', id)
    .returning(['id', 'version'])
    .executeTakeFirstOrThrow();
  ctx.target({ type: supplierGoodsRecords.type, id, no: row.goodsCode });
  return changed;
});

/** @throws Refusal SCM90020 while orders have taken of the stock */
export const delGoods = command(delSupplierGoods, async ({ id, version }, ctx) => {
  const row = await supplierGoodsRecords.lockVersion(ctx, id, version, asForm);
  if (row.reservedQty > 0) throw refuseField('id', `商品已被订单占用${row.reservedQty}，不能删除`);
  await own(ctx.tx).deleteFrom('orderSupplierGoods').where('id', '=', id).execute();
  ctx.target({ type: supplierGoodsRecords.type, id, no: row.goodsCode });
  return { id };
});

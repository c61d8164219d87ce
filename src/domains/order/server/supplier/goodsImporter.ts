import { dictionary } from '#kernel/contract/dictionary.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { importColumns } from '#kernel/server/importing/importColumns.ts';
import type { ParsedRow } from '#kernel/server/importing/importer.ts';
import { fault, repeated, textOf } from '#kernel/server/importing/rows.ts';
import { upsertImporter } from '#kernel/server/importing/upsertImporter.ts';
import { goodsByCode } from '#domains/pharma/server/index.ts';
import { importedGoods, importSupplierGoods, SUPPLIER_GOODS_IMPORTER } from '../../contract/calls/supplierGoods.ts';
import { orderPermissions } from '../../contract/permissions.ts';
import { supplierRecords } from '../access.ts';
import { own } from '../database.ts';

const yesNo = dictionary('order.yesNo', { Y: '是', N: '否' });
type Params = Readonly<Record<string, unknown>>;
const supplierIdOf = ({ supplierId }: Params): string => (typeof supplierId === 'string' ? supplierId : '0');

async function lookUp(db: Db | Tx, rows: readonly ParsedRow[], { params }: { params: Params }) {
  const goods = await goodsByCode(
    db,
    rows.map((row) => textOf(row, 'goodsCode')),
  );
  const stored = await own(db)
    .selectFrom('orderSupplierGoods')
    .select(['id', 'version', 'medicineId', 'goodsCode', 'supplyPriceFen', 'stockQty', 'reservedQty', 'weightGram', 'onSale'])
    .where('supplierId', '=', supplierIdOf(params))
    .where('medicineId', 'in', ['0', ...[...goods.values()].map(({ medicineId }) => medicineId)])
    .execute();
  return { goods, byMedicine: new Map(stored.map((row) => [row.medicineId, row])) };
}
type Known = Awaited<ReturnType<typeof lookUp>>;
const match = (row: ParsedRow, { goods, byMedicine }: Known) => byMedicine.get(goods.get(textOf(row, 'goodsCode'))?.medicineId ?? '');

const valuesOf = (row: ParsedRow) => ({
  supplyPriceFen: textOf(row, 'supplyPriceFen'),
  stockQty: Number(textOf(row, 'stockQty')),
  weightGram: textOf(row, 'weightGram') === '' ? null : Number(textOf(row, 'weightGram')),
  onSale: textOf(row, 'onSale') === 'Y',
});

/** Goods of one supplier by their codes; what is there takes price, stock, weight and switch of the table. */
export const supplierGoodsImporter = upsertImporter({
  code: SUPPLIER_GOODS_IMPORTER,
  label: '供应商商品',
  call: importSupplierGoods,
  admit: (ctx, params) => supplierRecords.get(ctx.tx, supplierRecords.everyone, supplierIdOf(params)),
  templateVersion: '1',
  permission: orderPermissions['supplier.edit'].code,
  maxRows: 5_000,
  allowValidOnly: true,
  columns: importColumns(importedGoods.shape, [
    'goodsCode',
    { key: 'supplyPriceFen', example: '98.00' },
    { key: 'stockQty', example: '200' },
    { key: 'weightGram', example: '120' },
    { key: 'onSale', type: 'dict', required: true, dictionary: yesNo },
  ]),
  scopeKey: supplierIdOf,
  lookUp,
  validate(rows, known) {
    const { goods } = known;
    const faults = repeated(
      rows,
      'goodsCode',
      '药品',
      (row) => goods.get(textOf(row, 'goodsCode'))?.medicineId ?? textOf(row, 'goodsCode'),
    );
    for (const row of rows) {
      const code = textOf(row, 'goodsCode');
      const stored = match(row, known);
      if (!goods.has(code)) faults.push(fault(row, 'goodsCode', '商品编码不存在'));
      else if (stored && stored.goodsCode !== code) faults.push(fault(row, 'goodsCode', `该药品已在供应商商品中（${stored.goodsCode}）`));
      else if (stored && Number(textOf(row, 'stockQty')) < stored.reservedQty)
        faults.push(fault(row, 'stockQty', `库存不能少于已占用的${stored.reservedQty}`));
    }
    return faults;
  },
  match,
  facts: valuesOf,
  before: ({ goodsCode, supplyPriceFen, stockQty, weightGram, onSale }) => ({
    goodsCode,
    supplyPriceFen: BigInt(supplyPriceFen),
    stockQty,
    weightGram,
    onSale: onSale ? 'Y' : 'N',
  }),
  async insert(rows, { goods }, { tx, now, staff, params }) {
    const supplierId = supplierIdOf(params);
    await supplierRecords.lock(tx, supplierRecords.everyone, supplierId);
    const made = await own(tx)
      .insertInto('orderSupplierGoods')
      .values(
        rows.map(({ row, values }) => {
          const goodsCode = textOf(row, 'goodsCode');
          return {
            supplierId,
            goodsCode,
            ...goods.get(goodsCode)!,
            ...values,
            stockSyncedAt: now,
            editorName: staff.displayName,
            ...createdColumns({ now, staff }),
          };
        }),
      )
      .returning('id')
      .execute();
    return made.map(({ id }) => id);
  },
  async update({ values, stored }, _known, { tx, now, staff }) {
    const { numUpdatedRows } = await own(tx)
      .updateTable('orderSupplierGoods')
      .set((eb) => ({
        ...values,
        ...(values.stockQty !== stored.stockQty && { stockSyncedAt: now }),
        editorName: staff.displayName,
        version: eb('version', '+', 1),
        ...updatedColumns({ now, staff }),
      }))
      .where('id', '=', stored.id)
      .where('version', '=', stored.version)
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  },
});

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commitImportTask, queryImportResult, queryImportRowList } from '#domains/files/contract/calls/imports.ts';
import { makeMedicine, makeSku } from '#domains/pharma/server/testing/fixtures.ts';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { uploadRows } from '#testing/uploads.ts';
import {
  addSupplierGoods,
  delSupplierGoods,
  importSupplierGoods,
  modifySupplierGoods,
  querySupplierGoodsList,
  SUPPLIER_GOODS_IMPORTER,
} from '../../contract/calls/supplierGoods.ts';
import { importerOf, keeper, makeGoods, makeSupplier, makeSupplierGoods, NONE } from '../testing/fixtures.ts';

let app: TestApp;
let as: TestStaff;
let supplierId: string;
beforeAll(async () => {
  app = await startTestApp();
  as = await keeper(app);
  supplierId = (await makeSupplier(app)).id;
});
afterAll(() => app.close());

const price = { supplyPriceFen: 9_800, stockQty: 20, onSale: true };
const told = async (goodsCode: string, more: object = {}) =>
  (await app.refused(addSupplierGoods, { supplierId, goodsCode, ...price, ...more }, { as })).fields?.map(({ message }) => message);
const rowsOf = async (goods: string) => (await app.ok(querySupplierGoodsList, { supplierId, goods }, { as })).rows;

describe('goods of a supplier', () => {
  it('cost something, are known and listed once, whatever their package', async () => {
    expect(await told(NONE)).toEqual([`商品${NONE}不存在，请重新选择`]);
    const { id: medicineId } = await makeMedicine(app);
    const [first, second] = [(await makeSku(app, medicineId)).goodsCode, (await makeSku(app, medicineId)).goodsCode];
    expect(await told(first, { supplyPriceFen: 0 })).toEqual(['供货价须大于0']);
    expect(await told(first, { stockQty: -1 })).toEqual(['库存不能小于0']);
    expect(await told(first, { weightGram: 0 })).toEqual(['重量须大于0']);
    await app.ok(addSupplierGoods, { supplierId, goodsCode: first, ...price }, { as });
    expect(await told(second)).toEqual([`该药品已在供应商商品中（${first}）`]);
    const other = await makeSupplier(app);
    await app.ok(addSupplierGoods, { supplierId: other.id, goodsCode: second, ...price }, { as });
  });

  it('take a new price and stock; a stale change shows what stands there now', async () => {
    const { id, version, goodsCode } = await makeSupplierGoods(app, supplierId);
    const before = (await rowsOf(goodsCode))[0]!;
    const changed = await app.ok(modifySupplierGoods, { id, version, ...price, supplyPriceFen: 9_500, weightGram: 120 }, { as });
    expect(changed).toEqual({ id, version: 2 });
    expect(await rowsOf(goodsCode)).toMatchObject([{ supplyPriceFen: 9_500, stockQty: 20, weightGram: 120, onSale: true }]);
    expect(before.stockQty).toBe(50);
    expect(await app.refused(modifySupplierGoods, { id, version, ...price }, { as })).toMatchObject({
      code: 'SCM90030',
      data: { current: { supplyPriceFen: 9_500, stockQty: 20, weightGram: 120, onSale: true } },
    });
  });

  it('keep what orders have taken of the stock', async () => {
    const { id, goodsCode } = await makeSupplierGoods(app, supplierId);
    const reserve = (n: number) => sql`update order_supplier_goods set reserved_qty = ${n} where id = ${id}`.execute(app.db);
    for (const wrong of [-1, 51]) await expect(reserve(wrong)).rejects.toMatchObject({ code: '23514' });
    await reserve(30);
    const short = await app.refused(modifySupplierGoods, { id, version: 1, ...price, stockQty: 29 }, { as });
    expect(short.fields).toMatchObject([{ path: 'stockQty', message: '库存不能少于已占用的30' }]);
    expect((await app.refused(delSupplierGoods, { id, version: 1 }, { as })).fields).toMatchObject([
      { message: '商品已被订单占用30，不能删除' },
    ]);
    await reserve(0);
    await app.ok(delSupplierGoods, { id, version: 1 }, { as });
    expect(await rowsOf(goodsCode)).toEqual([]);
  });

  it('are listed once when several people add them at once', async () => {
    const goodsCode = await makeGoods(app);
    const people = await Promise.all(Array.from({ length: 6 }, () => keeper(app)));
    const answers = await Promise.all(
      people.map((person) => app.send(addSupplierGoods, { supplierId, goodsCode, ...price }, { as: person })),
    );
    expect(answers.map(({ envelope: { code } }) => code).toSorted()).toEqual(['0000000', ...Array.from({ length: 5 }, () => 'SCM90020')]);
    expect(await rowsOf(goodsCode)).toHaveLength(1);
  });
});

describe('a table of goods', () => {
  const run = async (rows: readonly Record<string, string>[]) => {
    const fileId = await uploadRows(app, as, importerOf(app, SUPPLIER_GOODS_IMPORTER), rows);
    const { importTaskId } = await app.ok(importSupplierGoods, { supplierId, fileId }, { as });
    await app.runDue();
    return { importTaskId, checked: await app.ok(queryImportResult, { importTaskId }, { as }) };
  };
  const row = (goodsCode: string, more: object = {}) => ({ goodsCode, supplyPriceFen: '98.00', stockQty: '200', onSale: '是', ...more });

  it('names unknown goods, what costs nothing and what stands there twice', async () => {
    const [good, free] = [await makeGoods(app), await makeGoods(app)];
    const { importTaskId } = await run([row(NONE), row(free, { supplyPriceFen: '0' }), row(good), row(good)]);
    const { rows } = await app.ok(queryImportRowList, { importTaskId, hasError: true, pageSize: 20 }, { as });
    expect(rows.map(({ rowNo, errors }) => `${rowNo} ${errors[0]?.message}`)).toEqual([
      '2 商品编码不存在',
      '3 供货价须大于0',
      expect.stringMatching(/^5 /),
    ]);
  });

  it('adds what is new and changes what is there', async () => {
    const [fresh, known] = [await makeGoods(app), await makeSupplierGoods(app, supplierId)];
    const { importTaskId, checked } = await run([
      row(fresh, { weightGram: '90' }),
      row(known.goodsCode, { supplyPriceFen: '88.50', stockQty: '7', onSale: '否' }),
    ]);
    await app.ok(commitImportTask, { importTaskId, version: checked.version }, { as, idempotencyKey: `supplier-goods-${importTaskId}` });
    await app.runDue();
    expect(await rowsOf(fresh)).toMatchObject([{ supplyPriceFen: 9_800, stockQty: 200, weightGram: 90, onSale: true }]);
    expect(await rowsOf(known.goodsCode)).toMatchObject([
      { supplyPriceFen: 8_850, stockQty: 7, weightGram: null, onSale: false, version: 2 },
    ]);
  });
});

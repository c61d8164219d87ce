import { dictionary } from '#kernel/contract/dictionary.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { importColumns } from '#kernel/server/importing/importColumns.ts';
import type { ParsedRow } from '#kernel/server/importing/importer.ts';
import { fault, repeated, textOf } from '#kernel/server/importing/rows.ts';
import { upsertImporter } from '#kernel/server/importing/upsertImporter.ts';
import { authorColumns } from '#kernel/server/command/stampedColumns.ts';
import { institutionErrors } from '../../contract/errors.ts';
import { queryStoreGoodsList } from '../../contract/licenceCalls.ts';
import { importStoreGoods } from '../../contract/importCalls.ts';
import { institutionPermissions } from '../../contract/permissions.ts';
import { queryDrugstoreList } from '../../contract/storeCalls.ts';
import { storesSeen, type Seer } from '../access.ts';
import { own, ownTx } from '../database.ts';

const yesNo = dictionary('institution.yesNo', { Y: '是', N: '否' });

/** Drugstores that the importing person sees, by number. */
const storeIds = async (db: Db | Tx, rows: readonly ParsedRow[], seer: Seer) =>
  new Map(
    (
      await storesSeen(own(db), seer)
        .select(['s.id', 's.storeNo'])
        .where(
          's.storeNo',
          'in',
          rows.map((row) => textOf(row, 'storeNo')),
        )
        .execute()
    ).map(({ id, storeNo }) => [storeNo, id]),
  );

const goodsKey = (storeId: string | undefined, row: ParsedRow) => `${storeId}|${textOf(row, 'goodsCode')}|${textOf(row, 'effectiveFrom')}`;

async function lookUp(db: Db | Tx, rows: readonly ParsedRow[], { staff }: { staff: Seer }) {
  const codes = rows.map((row) => textOf(row, 'goodsCode'));
  const stores = await storeIds(db, rows, staff);
  const goods = await own(db)
    .selectFrom('institutionGoodsCopy')
    .select(['goodsCode', 'medicineId', 'goodsName', 'spec'])
    .where('goodsCode', 'in', codes)
    .execute();
  const stored = await own(db)
    .selectFrom('institutionStoreGoods')
    .select(['id', 'storeId', 'goodsCode', 'effectiveFrom', 'priceFen', 'inStock'])
    .where('goodsCode', 'in', codes)
    .where('storeId', 'in', [...stores.values(), '0'])
    .execute();
  const prices = new Map(stored.map((row) => [`${row.storeId}|${row.goodsCode}|${row.effectiveFrom}`, row]));
  return {
    stores,
    goods: new Map(goods.map((row) => [row.goodsCode, row])),
    priceOf: (row: ParsedRow) => prices.get(goodsKey(stores.get(textOf(row, 'storeNo')), row)),
  };
}

/** Prices of drugstores, by goods and first day. They have no version: the last price that was told holds. */
export const storeGoodsImporter = upsertImporter({
  code: 'institution.storeGoods',
  label: '门店商品价格',
  call: importStoreGoods,
  templateVersion: '1',
  permission: institutionPermissions['store.import'].code,
  allowValidOnly: true,
  columns: importColumns(
    {
      storeNo: queryDrugstoreList.input.shape.storeNo,
      goodsCode: queryStoreGoodsList.input.shape.goodsCode,
      inStock: queryStoreGoodsList.input.shape.inStock,
      effectiveFrom: queryStoreGoodsList.output.shape.effectiveFrom,
    },
    [
      { key: 'storeNo', required: true },
      { key: 'goodsCode', required: true },
      { key: 'price', label: '价格', type: 'money', required: true },
      { key: 'inStock', type: 'dict', required: true, dictionary: yesNo },
      { key: 'effectiveFrom', required: true },
    ],
  ),
  validateRow: (row) => (typeof row.record['price'] === 'bigint' && row.record['price'] <= 0n ? [fault(row, 'price', '价格须大于0')] : []),
  lookUp,
  validate(rows, { stores, goods }) {
    const faults = repeated(rows, 'goodsCode', '商品价格', (row) => goodsKey(textOf(row, 'storeNo'), row));
    for (const row of rows) {
      if (!stores.has(textOf(row, 'storeNo'))) faults.push(fault(row, 'storeNo', '门店编号不存在'));
      if (!goods.has(textOf(row, 'goodsCode'))) faults.push(fault(row, 'goodsCode', institutionErrors.GOODS_UNKNOWN.text));
    }
    return faults;
  },
  match: (row, { priceOf }) => priceOf(row),
  facts: (row) => ({ priceFen: textOf(row, 'price'), inStock: textOf(row, 'inStock') === 'Y' }),
  before: ({ priceFen, inStock }, { record }) => ({ ...record, price: BigInt(priceFen), inStock: inStock ? 'Y' : 'N' }),
  async insert(rows, { stores, goods }, { tx, now, staff }) {
    const stamp = { stockAt: now, updatedAt: now };
    const made = await ownTx(tx)
      .insertInto('institutionStoreGoods')
      .values(
        rows.map(({ row, values }) => ({
          ...goods.get(textOf(row, 'goodsCode'))!,
          ...values,
          ...stamp,
          storeId: stores.get(textOf(row, 'storeNo'))!,
          effectiveFrom: textOf(row, 'effectiveFrom'),
          ...authorColumns({ now, staff }),
        })),
      )
      .returning(['id', 'storeId', 'goodsCode', 'effectiveFrom'])
      .execute();
    const ids = new Map(made.map(({ id, storeId, goodsCode, effectiveFrom }) => [`${storeId}|${goodsCode}|${effectiveFrom}`, id]));
    return rows.map(({ row }) => ids.get(goodsKey(stores.get(textOf(row, 'storeNo')), row))!);
  },
  async update({ values, stored }, _known, { tx, now }) {
    await ownTx(tx)
      .updateTable('institutionStoreGoods')
      .set({ ...values, stockAt: now, updatedAt: now })
      .where('id', '=', stored.id)
      .execute();
    return true;
  },
});

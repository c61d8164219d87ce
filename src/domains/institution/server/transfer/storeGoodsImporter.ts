import { dictionary } from '../../../../kernel/contract/dictionary.ts';
import type { Db, Tx } from '../../../../kernel/server/context.ts';
import { importColumns } from '../../../../kernel/server/importing/importColumns.ts';
import type { Importer, ParsedRow, PlannedRow } from '../../../../kernel/server/importing/importer.ts';
import { fault, repeated, textOf } from '../../../../kernel/server/importing/rows.ts';
import { institutionErrors } from '../../contract/errors.ts';
import { queryStoreGoodsList } from '../../contract/licenceCalls.ts';
import { importStoreGoods } from '../../contract/importCalls.ts';
import { institutionPermissions } from '../../contract/permissions.ts';
import { queryDrugstoreList } from '../../contract/storeCalls.ts';
import { storesSeen, type Seer } from '../access.ts';
import { ownDb, ownTx } from '../database.ts';

const yesNo = dictionary('institution.yesNo', { Y: '是', N: '否' });

/** Drugstores that the importing person sees, by number. */
const storeIds = async (db: Db | Tx, rows: readonly ParsedRow[], seer: Seer) =>
  new Map(
    (
      await storesSeen(ownDb(db), seer)
        .select(['s.id', 's.storeNo'])
        .where(
          's.storeNo',
          'in',
          rows.map((row) => textOf(row, 'storeNo')),
        )
        .execute()
    ).map(({ id, storeNo }) => [storeNo, id]),
  );

// No `upsertImporter`: goods of a store have no version; the last price that was told holds.
export const storeGoodsImporter: Importer = {
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
      'effectiveFrom',
    ],
  ),
  validateRow: (row) => (typeof row.record['price'] === 'bigint' && row.record['price'] <= 0n ? [fault(row, 'price', '价格须大于0')] : []),
  async validateAll(rows, { db, staff }) {
    const faults = repeated(
      rows,
      'goodsCode',
      '商品价格',
      (row) => `${textOf(row, 'storeNo')}|${textOf(row, 'goodsCode')}|${textOf(row, 'effectiveFrom')}`,
    );
    const stores = await storeIds(db, rows, staff);
    const goods = new Set(
      (
        await ownDb(db)
          .selectFrom('institutionGoodsCopy')
          .select('goodsCode')
          .where(
            'goodsCode',
            'in',
            rows.map((row) => textOf(row, 'goodsCode')),
          )
          .execute()
      ).map(({ goodsCode }) => goodsCode),
    );
    for (const row of rows) {
      if (!stores.has(textOf(row, 'storeNo'))) faults.push(fault(row, 'storeNo', '门店编号不存在'));
      if (!goods.has(textOf(row, 'goodsCode'))) faults.push(fault(row, 'goodsCode', institutionErrors.GOODS_UNKNOWN.text));
    }
    return faults;
  },
  async plan(rows, { db, staff }) {
    const stores = await storeIds(db, rows, staff);
    const stored = await ownDb(db)
      .selectFrom('institutionStoreGoods')
      .select(['id', 'storeId', 'goodsCode', 'effectiveFrom', 'priceFen', 'inStock'])
      .where(
        'goodsCode',
        'in',
        rows.map((row) => textOf(row, 'goodsCode')),
      )
      .execute();
    const byKey = new Map(stored.map((row) => [`${row.storeId}|${row.goodsCode}|${row.effectiveFrom}`, row]));
    return rows.map((row): PlannedRow => {
      const old = byKey.get(`${stores.get(textOf(row, 'storeNo'))}|${textOf(row, 'goodsCode')}|${textOf(row, 'effectiveFrom')}`);
      if (!old) return { ...row, action: 'NEW' };
      const same = old.priceFen === textOf(row, 'price') && old.inStock === (textOf(row, 'inStock') === 'Y');
      return {
        ...row,
        action: same ? 'SAME' : 'CHANGE',
        before: { ...row.record, price: BigInt(old.priceFen), inStock: old.inStock ? 'Y' : 'N' },
        targetId: old.id,
      };
    });
  },
  async commitChunk(rows, _batchNo, writing) {
    const tx = ownTx(writing.tx);
    const stores = await storeIds(writing.tx, rows, writing.staff);
    const goods = new Map(
      (
        await tx
          .selectFrom('institutionGoodsCopy')
          .selectAll()
          .where(
            'goodsCode',
            'in',
            rows.map((row) => textOf(row, 'goodsCode')),
          )
          .execute()
      ).map((row) => [row.goodsCode, row]),
    );
    const written = new Map<number, string>();
    for (const row of rows) {
      const facts = goods.get(textOf(row, 'goodsCode'))!;
      const values = {
        priceFen: textOf(row, 'price'),
        inStock: textOf(row, 'inStock') === 'Y',
        stockAt: writing.now,
        updatedAt: writing.now,
      };
      const { id } = await tx
        .insertInto('institutionStoreGoods')
        .values({
          ...values,
          storeId: stores.get(textOf(row, 'storeNo'))!,
          goodsCode: facts.goodsCode,
          effectiveFrom: textOf(row, 'effectiveFrom'),
          medicineId: facts.medicineId,
          goodsName: facts.goodsName,
          spec: facts.spec,
          createdAt: writing.now,
          createdBy: writing.staff.userId,
        })
        .onConflict((conflict) => conflict.columns(['storeId', 'goodsCode', 'effectiveFrom']).doUpdateSet(values))
        .returning('id')
        .executeTakeFirstOrThrow();
      written.set(row.rowNo, id);
    }
    return written;
  },
};

import { everyone } from '#kernel/server/auth/viewer.ts';
import { Refusal } from '#kernel/contract/errors.ts';
import { dayOf } from '#kernel/contract/time.ts';
import { importColumns } from '#kernel/server/importing/importColumns.ts';
import type { Importer, ImportFault, ParsedRow, PlannedRow } from '#kernel/server/importing/importer.ts';
import { codeOf, fault, repeated, textOf } from '#kernel/server/importing/rows.ts';
import { dictionary } from '#kernel/contract/dictionary.ts';
import { addSkuPrice, querySkuPriceList } from '../../contract/calls/skus.ts';
import { pharmaErrors } from '../../contract/errors.ts';
import { importSkuPrice } from '../../contract/calls/medicines.ts';
import { pharmaPermissions } from '../../contract/permissions.ts';
import { takesEffectAtOnce } from '../../contract/rules/price.ts';
import { own, ownTx, type PharmaDb } from '../database.ts';
import { skuRecords } from '../access.ts';
import { publishMedicine } from '../medicines/medicineEvents.ts';
import { requirePriceFits, insertPrice, priceOn } from '../skus/prices.ts';

/** What can be imported: reimbursement standards are kept by province on the page. */
const importedTypes = dictionary('pharma.importedPriceType', { MARKET: '零售指导价', SUPPLY: '供货价' });

const goodsOf = (row: Pick<ParsedRow, 'record'>) => textOf(row, 'goodsCode').toUpperCase();
const amountOf = (row: Pick<ParsedRow, 'record'>) => BigInt(String(row.record['price'] ?? 0));

async function skusOf(db: PharmaDb, rows: readonly ParsedRow[]) {
  const skus = await db.selectFrom('pharmaSku').select(['id', 'goodsCode']).where('goodsCode', 'in', rows.map(goodsOf)).execute();
  return new Map(skus.map((sku) => [sku.goodsCode, sku.id]));
}

const keyOf = (skuId: string, row: Pick<ParsedRow, 'record'>) => ({
  skuId,
  priceType: codeOf(row, 'priceType', importedTypes),
  provinceAdcode: '',
});

/** What the page would refuse: a date that has a price, supply above market. */
async function misfit(db: PharmaDb, skuId: string, row: ParsedRow): Promise<ImportFault[]> {
  try {
    await requirePriceFits(db, keyOf(skuId, row), { priceFen: amountOf(row), from: textOf(row, 'effectiveFrom') });
    return [];
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return [fault(row, error.code === pharmaErrors.PRICE_DATE_TAKEN.code ? 'effectiveFrom' : 'price', error.message)];
  }
}

/** Only changes that need no audit; larger ones are entered on the page, where somebody else approves them. */
// No `upsertImporter`: a row is compared with the price of its day and adds the one that follows; no price is changed.
export const priceImporter: Importer = {
  code: 'pharma.skuPrice',
  label: '商品价格',
  call: importSkuPrice,
  templateVersion: '1',
  permission: pharmaPermissions['medicine.import'].code,
  columns: importColumns({ ...addSkuPrice.input.shape, goodsCode: querySkuPriceList.input.shape.goodsCode }, [
    { key: 'goodsCode', required: true, example: 'G00000001' },
    { key: 'priceType', dictionary: importedTypes, example: '零售指导价' },
    { key: 'price', from: 'priceFen', label: '价格（元）', example: '128.50' },
    { key: 'effectiveFrom', example: '2027-01-01' },
    { key: 'reason', example: '年度调价' },
  ]),

  async validateAll(rows, { db, now, staff }) {
    const tables = own(db);
    const skus = await skusOf(tables, rows);
    const today = dayOf(now);
    const faults: ImportFault[] = repeated(
      rows,
      'goodsCode',
      '商品、价格类型和生效日期',
      (row) => `${goodsOf(row)}|${textOf(row, 'priceType')}|${textOf(row, 'effectiveFrom')}`,
    );
    for (const row of rows) {
      const skuId = skus.get(goodsOf(row));
      const effectiveFrom = textOf(row, 'effectiveFrom');
      if (!skuId) faults.push(fault(row, 'goodsCode', `商品编码${goodsOf(row)}不存在`));
      else if (effectiveFrom < today) faults.push(fault(row, 'effectiveFrom', '生效日期不能早于今天'));
      else if (textOf(row, 'priceType') === 'SUPPLY' && !staff.permissions.has(pharmaPermissions['price.supply'].code))
        faults.push(fault(row, 'priceType', '没有维护供货价的权限'));
      else {
        const oldFen = await priceOn(tables, keyOf(skuId, row), effectiveFrom);
        if (oldFen === amountOf(row)) continue;
        if (!takesEffectAtOnce({ oldFen, newFen: amountOf(row), effectiveFrom, today }))
          faults.push(fault(row, 'price', '调价超过10%或当日生效，请在页面提交调价申请'));
        else faults.push(...(await misfit(tables, skuId, row)));
      }
    }
    return faults;
  },

  async plan(rows, { db }) {
    const tables = own(db);
    const skus = await skusOf(tables, rows);
    const planned: PlannedRow[] = [];
    for (const row of rows) {
      const oldFen = await priceOn(tables, keyOf(skus.get(goodsOf(row)) ?? '0', row), textOf(row, 'effectiveFrom'));
      planned.push(
        oldFen === amountOf(row)
          ? { ...row, action: 'SAME', targetId: skus.get(goodsOf(row))! }
          : { ...row, action: 'NEW', ...(oldFen === null ? {} : { before: { goodsCode: goodsOf(row), price: oldFen } }) },
      );
    }
    return planned;
  },

  async commitChunk(rows, _batchNo, writing) {
    const tx = ownTx(writing.tx);
    const skus = await skusOf(tx, rows);
    const written = new Map<number, string>();
    const today = dayOf(writing.now);
    const begun: string[] = [];
    for (const row of rows) {
      const skuId = skus.get(goodsOf(row))!;
      if (row.action === 'SAME') {
        written.set(row.rowNo, skuId);
        continue;
      }
      await skuRecords.lock(writing.tx, everyone, skuId);
      written.set(
        row.rowNo,
        await insertPrice(tx, keyOf(skuId, row), {
          priceFen: amountOf(row),
          from: textOf(row, 'effectiveFrom'),
          reason: textOf(row, 'reason'),
          priceApplyId: null,
          by: writing.staff.userId,
          now: writing.now,
        }),
      );
      if (textOf(row, 'priceType') === 'MARKET' && textOf(row, 'effectiveFrom') === today) begun.push(skuId);
    }
    // Other domains hear at once of prices that begin today; of later ones on their day.
    const sold =
      begun.length === 0
        ? []
        : await tx
            .selectFrom('pharmaSku as s')
            .innerJoin('pharmaMedicine as m', 'm.id', 's.medicineId')
            .select('m.id')
            .distinct()
            .where('s.id', 'in', begun)
            .where('m.state', '=', 'ON')
            .execute();
    for (const { id } of sold) await publishMedicine(writing, id, today);
    return written;
  },
};

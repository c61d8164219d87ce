import { refuseField } from '#kernel/contract/errors.ts';
import type { Day } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';
import { daysSupply, getMedicines, goodsByCode, priceOf } from '#domains/pharma/server/index.ts';
import type { OrderOrigin, OrderType } from '../../contract/orderDictionaries.ts';

export interface BoughtLine {
  goodsCode: string;
  goodsName: string;
  quantity: number;
  unitPriceFen: number;
  /** What an insurer pays of it; claims alone say so. */
  benefitFen?: number;
}
export type Snapshot = Awaited<ReturnType<typeof snapshotGoods>>[number];

/**
 * What is bought, as the catalogue knows it now; a service is no goods of the catalogue and keeps what was told.
 * @throws Refusal SCM90020 for goods that are unknown, not sold, told twice, or of another price than the app shows
 */
export async function snapshotGoods(
  tx: Tx,
  { orderType, origin }: { orderType: OrderType; origin: OrderOrigin },
  lines: readonly BoughtLine[],
  today: Day,
) {
  const twice = lines.findIndex(({ goodsCode }, at) => lines.findIndex((other) => other.goodsCode === goodsCode) !== at);
  if (twice >= 0) throw refuseField(`lines.${twice}.goodsCode`, `商品${lines[twice]!.goodsCode}重复，请合并为一行`);
  if (orderType === 'SERVICE')
    return lines.map((line, at) => {
      if (line.goodsName === '') throw refuseField(`lines.${at}.goodsName`, '请输入服务名称');
      return { ...line, medicineId: null, spec: '', manufacturer: null, approvalNo: null, rxRequired: false, coldChain: false, ...NO_TAX };
    });
  const known = await goodsByCode(
    tx,
    lines.map(({ goodsCode }) => goodsCode),
  );
  const medicines = new Map(
    (
      await getMedicines(
        tx,
        [...known.values()].map(({ medicineId }) => medicineId),
      )
    ).map((medicine) => [medicine.medicineId, medicine]),
  );
  const found = [];
  for (const [at, line] of lines.entries()) {
    const medicine = medicines.get(known.get(line.goodsCode)?.medicineId ?? '');
    const sku = medicine?.skus.find(({ goodsCode }) => goodsCode === line.goodsCode);
    if (!medicine || sku?.state !== 'ON' || medicine.state !== 'ON')
      throw refuseField(`lines.${at}.goodsCode`, `商品${line.goodsCode}不存在或已停售`);
    const price = origin === 'APP' ? await priceOf(tx, line.goodsCode, 'MARKET', today) : null;
    if (price !== null && price !== BigInt(line.unitPriceFen))
      throw refuseField(`lines.${at}.unitPriceFen`, '商品价格已变化，请刷新后重新下单');
    found.push({
      ...line,
      goodsName:
        medicine.brandName === null || medicine.brandName === ''
          ? medicine.genericName
          : `${medicine.genericName}（${medicine.brandName}）`,
      medicineId: medicine.medicineId,
      spec: sku.packSpec,
      manufacturer: medicine.manufacturer,
      approvalNo: medicine.approvalNo,
      rxRequired: medicine.rxRequired,
      coldChain: medicine.coldChain,
      daysSupply: await daysSupply(tx, line.goodsCode, line.quantity),
      taxRateBp: medicine.taxRateBp,
      taxCode: medicine.taxCode,
      taxScheme: medicine.taxScheme,
      categoryCode: medicine.categoryCode,
    });
  }
  return found;
}
const NO_TAX = { daysSupply: null, taxRateBp: null, taxCode: null, taxScheme: null, categoryCode: null } as const;

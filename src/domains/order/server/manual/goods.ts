import { refuseField } from '#kernel/contract/errors.ts';
import type { Day } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';
import { getDrugstores, storePrice } from '#domains/institution/server/index.ts';
import { snapshotGoods } from '../orders/goods.ts';

export interface SoldGoods {
  goodsCode: string;
  quantity: number;
  unitPriceFen: number;
}
interface Bought {
  drugstoreId: string;
  purchaseDate: Day;
  lines: readonly SoldGoods[];
}

export async function storeOf(tx: Tx, drugstoreId: string): Promise<{ id: string; name: string }> {
  const [store] = await getDrugstores(tx, [drugstoreId]);
  if (store?.state !== 'OPEN') throw refuseField('drugstoreId', '药店不存在或已停业，请重新选择');
  return store;
}

/** What was bought, as the catalogue knows it, with what the store asked on that day. @throws Refusal SCM90020 naming the line */
export async function soldGoods(tx: Tx, { drugstoreId, purchaseDate, lines }: Bought, today: Day) {
  const known = await snapshotGoods(
    tx,
    { orderType: 'STORE_DIRECT', origin: 'MANUAL' },
    lines.map((line) => ({ ...line, goodsName: '' })),
    today,
  );
  const found = [];
  for (const [at, line] of known.entries()) {
    if (line.medicineId === null) throw refuseField(`lines.${at}.goodsCode`, `商品${line.goodsCode}不存在或已停售`);
    const listed = await storePrice(tx, drugstoreId, line.goodsCode, purchaseDate);
    found.push({
      medicineId: line.medicineId,
      categoryCode: line.categoryCode,
      goodsCode: line.goodsCode,
      goodsName: line.goodsName,
      spec: line.spec,
      rxRequired: line.rxRequired,
      quantity: line.quantity,
      unitPriceFen: line.unitPriceFen,
      listPriceFen: listed === null ? null : Number(listed.priceFen),
    });
  }
  return found;
}
export type FoundGoods = Awaited<ReturnType<typeof soldGoods>>[number];
export const sumOfGoods = (goods: readonly Pick<SoldGoods, 'quantity' | 'unitPriceFen'>[]): number =>
  goods.reduce((sum, { quantity, unitPriceFen }) => sum + quantity * unitPriceFen, 0);

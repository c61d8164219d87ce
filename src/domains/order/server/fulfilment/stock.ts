import { refuseField } from '#kernel/contract/errors.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { own } from '../database.ts';

interface Moved {
  orderLineId: string;
  medicineId: string | null;
  quantity: number;
}
/** What becomes of a supplier's goods: reserved by an order, given back, sent, or come back by an undone parcel. */
type StockMove = 'RESERVE' | 'FREE' | 'SEND' | 'UNSEND';
const EFFECT: Readonly<Record<StockMove, { stock: number; reserved: number }>> = {
  RESERVE: { stock: 0, reserved: 1 },
  FREE: { stock: 0, reserved: -1 },
  SEND: { stock: -1, reserved: -1 },
  UNSEND: { stock: 1, reserved: 1 },
};

/**
 * Moves stock of one supplier, its rows in the order of medicines; the table refuses more than there is.
 * @throws Refusal SCM90020 where the goods are not listed any more
 */
export async function moveStock(ctx: Acting, supplierId: string, lines: readonly Moved[], move: StockMove): Promise<void> {
  const byMedicine = new Map<string, number>();
  for (const { medicineId, quantity } of lines)
    if (medicineId !== null && quantity > 0) byMedicine.set(medicineId, (byMedicine.get(medicineId) ?? 0) + quantity);
  const { stock, reserved } = EFFECT[move];
  for (const [medicineId, quantity] of [...byMedicine].toSorted(([a], [b]) => (BigInt(a) < BigInt(b) ? -1 : 1))) {
    const { numUpdatedRows } = await own(ctx.tx)
      .updateTable('orderSupplierGoods')
      .set((eb) => ({
        stockQty: eb('stockQty', '+', stock * quantity),
        reservedQty: eb('reservedQty', '+', reserved * quantity),
        version: eb('version', '+', 1),
        ...updatedColumns(ctx),
      }))
      .where('supplierId', '=', supplierId)
      .where('medicineId', '=', medicineId)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) throw refuseField('id', '供应商已不供应该药品，请先在供应商商品中补充');
  }
}

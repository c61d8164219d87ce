import { refuse, refuseField } from '#kernel/contract/errors.ts';
import { platformErrors } from '#kernel/contract/errors.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { OPEN_AFTER_SALES } from '../../contract/afterSaleStates.ts';
import { orderErrors } from '../../contract/errors.ts';
import { orderMachine } from '../../contract/orderStates.ts';
import { returnable, returnsFreight, type ReturnReason } from '../../contract/rules/returns.ts';
import { own } from '../database.ts';
import { fundingsOf, linesOf, refundedUnsent, type OrderRecord } from '../orders/access.ts';
import { partsOf, type ReturnedLine } from '../orders/refunds.ts';

export interface Wish {
  reasonCode: ReturnReason;
  type: 'REFUND_ONLY' | 'RETURN_REFUND';
  lines: readonly { orderLineId: string; quantity: number }[];
}

async function requireNoneOpen(db: Db | Tx, wish: Wish): Promise<void> {
  const open = await own(db)
    .selectFrom('orderAfterSaleLine as l')
    .innerJoin('orderAfterSale as a', 'a.id', 'l.afterSaleId')
    .select('a.afterSaleNo')
    .where(
      'l.orderLineId',
      'in',
      wish.lines.map(({ orderLineId }) => orderLineId),
    )
    .where('a.state', 'in', [...OPEN_AFTER_SALES])
    .limit(1)
    .executeTakeFirst();
  if (open) throw refuse(orderErrors.RETURN_OPEN, { no: open.afterSaleNo });
}

/**
 * What a return would be: its lines as they stand now, and what each instrument gives back.
 * @throws Refusal SCM90031 for an order that is not being fulfilled or done, SCM16040–16042, SCM90020
 */
export async function draftReturn(db: Db | Tx, order: OrderRecord, wish: Wish) {
  if (order.state !== 'FULFILLING' && order.state !== 'COMPLETED')
    throw refuse(platformErrors.WRONG_STATE, { state: orderMachine.states[order.state].label });
  if (new Set(wish.lines.map(({ orderLineId }) => orderLineId)).size < wish.lines.length)
    throw refuseField('lines', '同一商品请合并为一行');
  if (wish.reasonCode === 'NOT_SHIPPED' && wish.type !== 'REFUND_ONLY') throw refuseField('type', '未发货的商品请选择仅退款');
  const lines = await linesOf(db, order.id);
  const unsent = await refundedUnsent(db, order.id);
  const shipped = lines.some(({ shippedQty }) => shippedQty > 0) || order.orderType === 'STORE_DIRECT';
  const returned = wish.lines.map(({ orderLineId, quantity }, at): ReturnedLine => {
    const line = lines.find(({ id }) => id === orderLineId);
    if (!line) throw refuseField(`lines.${at}.orderLineId`, '商品不属于该订单');
    // What a counter handed over was never allocated to a supplier.
    const sold = {
      ...line,
      refundedUnsent: unsent.get(line.id) ?? 0,
      ...(order.orderType === 'STORE_DIRECT' && { allocatedQty: line.quantity, shippedQty: line.quantity }),
    };
    const most = returnable(wish.reasonCode, sold);
    if (wish.reasonCode === 'NOT_SHIPPED' && most === 0 && sold.shippedQty > 0) throw refuse(orderErrors.NOT_RETURNABLE);
    if (quantity > most) throw refuse(orderErrors.RETURNABLE, { n: most });
    return { line, quantity, withFreight: returnsFreight(wish.reasonCode, shipped) };
  });
  await requireNoneOpen(db, wish);
  const parts = partsOf(await fundingsOf(db, order.id), returned);
  return { returned, parts, refundFen: parts.reduce((sum, { amountFen }) => sum + amountFen, 0) };
}

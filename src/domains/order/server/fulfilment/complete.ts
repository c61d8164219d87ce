import { sql } from 'kysely';
import type { Acting } from '#kernel/server/command/acting.ts';
import type { Tx } from '#kernel/server/context.ts';
import { fulfilmentSigned } from '#events/order.ts';
import { settleExceptions } from '../exceptions/open.ts';
import { moveOrder, type OrderRecord } from '../orders/access.ts';
import { headOf, publishCompleted } from '../orders/publish.ts';
import { own } from '../database.ts';
import { movePart, partLines, type FulfilmentRecord, type LockedPart } from './access.ts';
import { moveStock } from './stock.ts';

/** Whether each piece of an order arrived, or its money went back without it. */
async function isDone(tx: Tx, orderId: string): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    select l.id
      from order_line l
      where l.order_id = ${orderId} and l.quantity > coalesce((
          select sum(p.shipped_qty)
            from order_fulfilment_line p
            join order_fulfilment f on f.id = p.fulfilment_id
            where p.order_line_id = l.id and f.state = 'SIGNED'
        ), 0) + coalesce((
          select sum(r.quantity)
            from order_after_sale_line r
            join order_after_sale a on a.id = r.after_sale_id
            where r.order_line_id = l.id and a.reason_code in ('NOT_SHIPPED', 'RETURNED') and a.state in ('REFUNDING', 'REFUNDED')
        ), 0)
      limit 1`.execute(tx);
  return rows.length === 0;
}

/** A locked order of which nothing is on its way any more is completed. */
export async function completeIfDone(ctx: Acting, order: OrderRecord): Promise<OrderRecord> {
  if (order.state !== 'FULFILLING' || order.orderType === 'SERVICE' || !(await isDone(ctx.tx, order.id))) return order;
  return completeOrder(ctx, order);
}
export async function completeOrder(ctx: Acting, order: OrderRecord): Promise<OrderRecord> {
  const done = await moveOrder(ctx, order, 'complete', { completedAt: ctx.now });
  await settleExceptions(ctx, order, ['ALLOC_FAILED', 'SUPPLIER_REJECTED']);
  await publishCompleted(ctx, done);
  return done;
}

/** All of a locked part arrived, or was fetched; an order of which this was the last is completed. */
export async function signed(ctx: Acting, { order, part }: LockedPart, opinion?: string): Promise<FulfilmentRecord> {
  const isPickup = part.way === 'PICKUP';
  if (isPickup) await handOver(ctx, part);
  await own(ctx.tx)
    .updateTable('orderShipment')
    .set((eb) => ({ signedAt: ctx.now, trackState: 'SIGNED', version: eb('version', '+', 1), updatedAt: ctx.now }))
    .where('fulfilmentId', '=', part.id)
    .where('voidedAt', 'is', null)
    .where('signedAt', 'is', null)
    .execute();
  const moved = await movePart(
    ctx,
    part,
    isPickup ? 'pickUp' : 'sign',
    { signedAt: ctx.now, endedAt: ctx.now, ...(isPickup && { shippedAt: ctx.now }) },
    opinion,
  );
  await settleExceptions(ctx, order, ['SHIP_TIMEOUT', 'LOGISTICS_PROBLEM'], part.id);
  await ctx.publish(fulfilmentSigned, order.id, { ...headOf(order, ctx.now), fulfilmentNo: part.fulfilmentNo });
  await completeIfDone(ctx, order);
  return moved;
}

/** What somebody fetches leaves the store at that moment. */
async function handOver(ctx: Acting, part: FulfilmentRecord): Promise<void> {
  const lines = await partLines(ctx.tx, part.id);
  await moveStock(ctx, part.supplierId, lines, 'SEND');
  for (const { orderLineId, quantity } of lines) {
    await own(ctx.tx)
      .updateTable('orderFulfilmentLine')
      .set({ shippedQty: quantity })
      .where('fulfilmentId', '=', part.id)
      .where('orderLineId', '=', orderLineId)
      .execute();
    await own(ctx.tx)
      .updateTable('orderLine')
      .set((eb) => ({ shippedQty: eb('shippedQty', '+', quantity) }))
      .where('id', '=', orderLineId)
      .execute();
  }
}

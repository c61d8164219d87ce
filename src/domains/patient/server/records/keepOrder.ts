import { asSystem } from '#kernel/server/command/acting.ts';
import type { PayloadOf } from '#kernel/contract/event.ts';
import type { ConsumerContext } from '#kernel/server/outbox/consumer.ts';
import type { orderPaid } from '#events/order.ts';
import { resolve } from '../access.ts';
import { json, ownTx } from '../database.ts';
import { moveSuggestion } from '../suggestions/suggestions.ts';
import { publishRecordChanged } from './changed.ts';

type OrderEvent = Omit<PayloadOf<typeof orderPaid>, 'selfPayAmount' | 'cardAmount'>;
/** `NEVER_PAID`: known only where it was heard of before. */
type Fate = 'PAID' | 'LIVE' | 'DEAD' | 'NEVER_PAID';

/** The record's copy of an order; an older event than the copy holds changes nothing (I9). */
export async function keepOrder(ctx: ConsumerContext, order: OrderEvent, fate: Fate): Promise<void> {
  const patientId = await resolve(ctx.tx, order.patientId);
  if (patientId === null) return;
  const dead = fate === 'DEAD' || fate === 'NEVER_PAID';
  // A shipment names only its own lines; the order's came when it was paid.
  const lines = json(
    order.lines.map((line) => ({
      medicineId: line.medicineId,
      medicineName: line.goodsName,
      spec: line.spec,
      qty: line.quantity,
      daysSupply: line.daysSupply,
    })),
  );
  const known = await ownTx(ctx.tx)
    .selectFrom('patientRecordOrder')
    .select(['id', 'eventAt', 'dead'])
    .where('orderId', '=', order.orderId)
    .forUpdate()
    .executeTakeFirst();
  if (known && known.eventAt > order.at) {
    // The shipment was heard of first: what was bought, and on whose suggestion, is said by the payment alone.
    if (fate !== 'PAID' || known.dead) return;
    await ownTx(ctx.tx).updateTable('patientRecordOrder').set({ lines, suggestNo: order.suggestNo }).where('id', '=', known.id).execute();
    return moveOrderedSuggestion(ctx, order, fate);
  }
  if (!known && fate === 'NEVER_PAID') return;
  const state = {
    statusCode: order.statusCode,
    statusName: order.statusName,
    payFen: String(order.payFen),
    drugstoreName: order.drugstoreName,
    dead,
    eventAt: order.at,
    updatedAt: ctx.now,
  };
  if (known)
    await ownTx(ctx.tx)
      .updateTable('patientRecordOrder')
      .set({ ...state, ...(fate === 'PAID' ? { lines } : {}) })
      .where('id', '=', known.id)
      .execute();
  else {
    await ownTx(ctx.tx)
      .insertInto('patientRecordOrder')
      .values({
        ...state,
        orderId: order.orderId,
        patientId,
        orderNo: order.orderNo,
        bizLine: order.bizLine,
        orderTime: order.orderTime,
        lines,
        suggestNo: order.suggestNo,
        createdAt: ctx.now,
      })
      .execute();
  }
  await moveOrderedSuggestion(ctx, order, fate);
  await publishRecordChanged(ctx, patientId, 'ORDER', order.at);
}

/** A paid order takes its suggestion to 已购药, a cancelled one gives it back. */
async function moveOrderedSuggestion(ctx: ConsumerContext, order: OrderEvent, fate: Fate): Promise<void> {
  if (order.suggestNo === null || fate === 'LIVE') return;
  const row = await ownTx(ctx.tx)
    .selectFrom('patientMedicineSuggested')
    .selectAll()
    .where('suggestNo', '=', order.suggestNo)
    .forUpdate()
    .executeTakeFirst();
  if (!row) return;
  const acting = asSystem(ctx, ctx);
  if (fate === 'PAID' && row.status === '1') await moveSuggestion(acting, row, 'buy', { orderId: order.orderId });
  if (fate !== 'PAID' && row.status === '2' && row.orderId === order.orderId) await moveSuggestion(acting, row, 'unbuy', { orderId: null });
}

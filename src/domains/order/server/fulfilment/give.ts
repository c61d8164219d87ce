import { sql } from 'kysely';
import { hours, plusMs } from '#kernel/contract/time.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import type { Tx } from '#kernel/server/context.ts';
import type { JobKind } from '#kernel/server/jobs/kind.ts';
import { addWorkingMinutes } from '#domains/identity/server/index.ts';
import { acceptAction, keptAction } from '../../contract/fulfilmentStates.ts';
import { allocateJob } from '../allocation/job.ts';
import { own } from '../database.ts';
import { openException, settleExceptions } from '../exceptions/open.ts';
import { moveOrder } from '../orders/access.ts';
import { bySystemOf, movePart, partLines, type FulfilmentRecord, type LockedPart } from './access.ts';
import { moveStock } from './stock.ts';

/** A supplier with an interface is asked to leave a part. */
export const cancelAtSupplierJob: JobKind<{ fulfilmentId: string }> = {
  name: 'order.cancelAtSupplier',
  label: '请求供应商取消履约单',
  retryLimit: 8,
  subject: ({ fulfilmentId }) => fulfilmentId,
};

export const supplierOf = (tx: Tx, { supplierId }: Pick<FulfilmentRecord, 'supplierId'>) =>
  own(tx)
    .selectFrom('orderSupplier')
    .select(['id', 'supplierCode', 'supplierName', 'integration', 'endpoint', 'appKey', 'secretCipher', 'acceptSlaMin', 'shipSlaHour'])
    .where('id', '=', supplierId)
    .executeTakeFirstOrThrow();

/** The supplier has a locked part: his time to take it runs. */
export async function pushed(ctx: Acting, { order, part }: LockedPart, supplierOrderNo: string | null = null): Promise<FulfilmentRecord> {
  const { acceptSlaMin } = await supplierOf(ctx.tx, part);
  const moved = await movePart(ctx, part, 'push', {
    pushState: 'SENT',
    askDueAt: null,
    supplierOrderNo: supplierOrderNo ?? part.supplierOrderNo,
    acceptDeadline: await addWorkingMinutes(ctx.tx, ctx.now, acceptSlaMin),
  });
  await settleExceptions(ctx, order, ['PUSH_FAILED'], part.id);
  return moved;
}

/** The supplier takes a locked part: his time to send it runs. */
export async function accepted(ctx: Acting, { order, part }: LockedPart): Promise<FulfilmentRecord> {
  const { shipSlaHour } = await supplierOf(ctx.tx, part);
  const moved = await movePart(ctx, part, acceptAction(part.way), {
    acceptedAt: ctx.now,
    shipDeadline: plusMs(ctx.now, hours(shipSlaHour)),
  });
  await settleExceptions(ctx, order, ['ACCEPT_TIMEOUT'], part.id);
  return moved;
}

/** Nobody brings what a locked part still had to bring: stock and lines are free, and an order without any other part waits again. */
async function freed(ctx: Acting, { order, part }: LockedPart): Promise<void> {
  const lines = (await partLines(ctx.tx, part.id)).map(({ orderLineId, medicineId, quantity, shippedQty }) => ({
    orderLineId,
    medicineId,
    quantity: quantity - shippedQty,
  }));
  await moveStock(ctx, part.supplierId, lines, 'FREE');
  for (const { orderLineId, quantity } of lines)
    await own(ctx.tx)
      .updateTable('orderLine')
      .set((eb) => ({ allocatedQty: eb('allocatedQty', '-', quantity) }))
      .where('id', '=', orderLineId)
      .execute();
  if (order.state !== 'FULFILLING') return;
  const { rows } = await sql<{ id: string }>`
    select id
      from order_fulfilment
      where order_id = ${order.id} and id <> ${part.id} and state not in ('REJECTED', 'CANCELLED') limit 1`.execute(ctx.tx);
  if (rows.length === 0) await moveOrder(ctx, order, 'recall', {}, { opinion: `履约单${part.fulfilmentNo}未能履约` });
}

/** The supplier does not take a locked part: another one is looked for. */
export async function rejected(ctx: Acting, locked: LockedPart, reason: string): Promise<FulfilmentRecord> {
  const { order, part } = locked;
  const moved = await movePart(ctx, part, 'reject', { rejectReason: reason, endedAt: ctx.now, askDueAt: null }, reason);
  await settleExceptions(ctx, order, ['PUSH_FAILED', 'ACCEPT_TIMEOUT', 'SHIP_TIMEOUT'], part.id);
  await freed(bySystemOf(ctx), locked);
  await ctx.enqueue(allocateJob, { orderId: order.id });
  return moved;
}

/**
 * A locked part is asked back: before the push at once, later when its supplier agrees.
 * @param lateReason why its supplier counts as one who refused: another one is looked for then
 */
export async function withdrawn(ctx: Acting, locked: LockedPart, opinion: string, lateReason?: string): Promise<FulfilmentRecord> {
  const { part } = locked;
  const change = lateReason === undefined ? {} : { rejectReason: lateReason };
  if (part.state === 'WAIT_PUSH') {
    const moved = await movePart(ctx, part, 'withdraw', { ...change, endedAt: ctx.now }, opinion);
    await settleExceptions(ctx, locked.order, ['PUSH_FAILED'], part.id);
    await freed(bySystemOf(ctx), locked);
    return moved;
  }
  const moved = await movePart(ctx, part, 'requestCancel', { ...change, stateBeforeCancel: part.state }, opinion);
  const { integration } = await supplierOf(ctx.tx, part);
  if (integration === 'API') await ctx.enqueue(cancelAtSupplierJob, { fulfilmentId: part.id });
  return moved;
}

/** The supplier leaves a locked part. Who was asked because he was late is replaced; what a person took back waits for that person. */
export async function cancelConfirmed(ctx: Acting, locked: LockedPart): Promise<FulfilmentRecord> {
  const { order, part } = locked;
  const moved = await movePart(ctx, part, 'confirmCancel', { stateBeforeCancel: null, endedAt: ctx.now });
  await settleExceptions(ctx, order, ['PUSH_FAILED', 'ACCEPT_TIMEOUT', 'SHIP_TIMEOUT'], part.id);
  await freed(bySystemOf(ctx), locked);
  if (part.rejectReason !== null) await ctx.enqueue(allocateJob, { orderId: order.id });
  return moved;
}

/** The supplier keeps a locked part that was asked back: it goes on as before, and a person looks at it. */
export async function cancelRefused(ctx: Acting, { order, part }: LockedPart, reason: string): Promise<FulfilmentRecord> {
  const moved = await movePart(
    ctx,
    part,
    keptAction(part.stateBeforeCancel),
    {
      stateBeforeCancel: null,
      rejectReason: null,
      // Whoever keeps a part that he had not taken yet begins anew to be asked for his word.
      ...(part.stateBeforeCancel === 'WAIT_ACCEPT' && { acceptDeadline: plusMs(ctx.now, hours(2)) }),
    },
    reason,
  );
  await openException(ctx, order, {
    type: 'SUPPLIER_REJECTED',
    detail: `供应商拒绝取消${part.fulfilmentNo}：${reason}`,
    fulfilmentId: part.id,
  });
  return moved;
}

import { shareOf } from '#kernel/contract/money.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { Tx } from '#kernel/server/context.ts';
import type { JobKind } from '#kernel/server/jobs/kind.ts';
import { afterSaleMachine, type AfterSaleAction } from '../../contract/afterSaleStates.ts';
import { own } from '../database.ts';
import { completeIfDone } from '../fulfilment/complete.ts';
import { openException, settleExceptions } from '../exceptions/open.ts';
import {
  fundingsOf,
  linesOf,
  moveOrder,
  orderRecords,
  writeOrder,
  type Funding,
  type OrderLineRecord,
  type OrderRecord,
} from './access.ts';
import { eventLines, publishClosed, publishRefund } from './publish.ts';

export const AFTER_SALE_TARGET = 'order.afterSale';

/** What was written off of a card goes back there, each write-off by itself. */
export const reverseCardJob: JobKind<{ partId: string }> = {
  name: 'order.reverseCard',
  label: '退款退回卡',
  retryLimit: 8,
  subject: ({ partId }) => partId,
};

export interface ReturnedLine {
  line: OrderLineRecord;
  quantity: number;
  withFreight: boolean;
}

/**
 * What returning goods gives back of one instrument's share of a line: cumulative over all returns of the line, so that all of them
 * together are the share (R7). The freight is a part of the cash, given back only where it is said so.
 */
function refundOf(kind: Funding['kind'], shareFen: number, { line, quantity, withFreight }: ReturnedLine): number {
  const freight = kind === 'CASH' ? Number(line.freightFen) : 0;
  const of = (sum: number) => Number(shareOf(sum, line.quantity, line.refundedQty, quantity));
  return of(shareFen - freight) + (withFreight ? of(freight) : 0);
}

/** The parts of a return, by instrument and line; those of nothing are left out. */
export const partsOf = (fundings: readonly Funding[], returned: readonly ReturnedLine[]) =>
  returned.flatMap((one) =>
    fundings
      .filter(({ state }) => state === 'CAPTURED')
      .flatMap(({ id: fundingId, kind, refId, shares }) => {
        const share = shares.find(({ orderLineId }) => orderLineId === one.line.id);
        const amountFen = share ? refundOf(kind, share.amountFen, one) : 0;
        return amountFen === 0
          ? []
          : [{ fundingId, kind, refId, orderLineId: one.line.id, amountFen, writeOffId: share?.writeOffId ?? null }];
      }),
  );
type RefundPart = ReturnType<typeof partsOf>[number];

const sumOf = (parts: readonly { amountFen: number }[]) => parts.reduce((sum, { amountFen }) => sum + amountFen, 0);

/** Takes a transition of a locked after-sale. */
export async function moveAfterSale(
  ctx: Acting,
  row: AfterSaleRecord,
  action: AfterSaleAction,
  change: Record<string, unknown> = {},
  opinion?: string,
): Promise<AfterSaleRecord> {
  const state = await moveState(ctx, afterSaleMachine, {
    targetType: AFTER_SALE_TARGET,
    targetId: row.id,
    targetNo: row.afterSaleNo,
    action,
    from: row.state,
    opinion,
  });
  return own(ctx.tx)
    .updateTable('orderAfterSale')
    .set((eb) => ({ ...change, state, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}
const lockAfterSale = (tx: Tx, id: string) =>
  own(tx).selectFrom('orderAfterSale').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow();
export type AfterSaleRecord = Awaited<ReturnType<typeof lockAfterSale>>;

/**
 * Money of a decided return begins to go back: what each instrument gives is reserved, then cards, the cashier and claims are told.
 * The order is locked; the after-sale has its lines and stands in REFUNDING.
 */
export async function startRefund(ctx: Acting, order: OrderRecord, row: AfterSaleRecord): Promise<AfterSaleRecord> {
  const lines = new Map((await linesOf(ctx.tx, order.id)).map((line) => [line.id, line]));
  const asked = await own(ctx.tx).selectFrom('orderAfterSaleLine').selectAll().where('afterSaleId', '=', row.id).orderBy('id').execute();
  const returned = asked.map(({ orderLineId, quantity, withFreight }) => ({ line: lines.get(orderLineId)!, quantity, withFreight }));
  const parts = partsOf(await fundingsOf(ctx.tx, order.id), returned);
  for (const { line, quantity } of returned)
    await own(ctx.tx)
      .updateTable('orderLine')
      .set((eb) => ({ refundedQty: eb('refundedQty', '+', quantity) }))
      .where('id', '=', line.id)
      .execute();
  // An insurer's part of a cancelled order is freed by claims on the cancellation.
  const isDone = ({ kind }: RefundPart) => kind === 'BENEFIT' && row.cause === 'CANCEL';
  for (const part of parts) {
    await own(ctx.tx)
      .updateTable('orderFundingLine')
      .set((eb) => ({ refundedFen: eb('refundedFen', '+', String(part.amountFen)) }))
      .where('fundingId', '=', part.fundingId)
      .where('orderLineId', '=', part.orderLineId)
      .execute();
    await own(ctx.tx)
      .updateTable('orderFunding')
      .set((eb) => ({ refundedFen: eb('refundedFen', '+', String(part.amountFen)) }))
      .where('id', '=', part.fundingId)
      .execute();
    const { id } = await own(ctx.tx)
      .insertInto('orderRefundPart')
      .values({
        afterSaleLineId: asked.find(({ orderLineId }) => orderLineId === part.orderLineId)!.id,
        fundingId: part.fundingId,
        orderLineId: part.orderLineId,
        amountFen: String(part.amountFen),
        ...(isDone(part) && { state: 'DONE', doneAt: ctx.now }),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    if (part.writeOffId !== null) await ctx.enqueue(reverseCardJob, { partId: id }, { singletonKey: `reverse:${id}` });
  }
  const of = (kinds: readonly string[]) => sumOf(parts.filter(({ kind }) => kinds.includes(kind)));
  const returnedIds = new Map(returned.map(({ line, quantity }) => [line.id, quantity]));
  const shareIn = (orderLineId: string, kinds: readonly string[]) =>
    sumOf(parts.filter((part) => part.orderLineId === orderLineId && kinds.includes(part.kind)));
  await publishRefund(ctx, order, {
    afterSaleId: row.id,
    cause: row.cause,
    paymentNo: parts.find(({ kind }) => kind === 'CASH')?.refId ?? null,
    lines: (await eventLines(ctx.tx, order.id))
      .filter(({ orderLineId }) => returnedIds.has(orderLineId))
      .map((line) => ({
        ...line,
        quantity: returnedIds.get(line.orderLineId)!,
        benefitShare: row.cause === 'CANCEL' ? 0 : shareIn(line.orderLineId, ['BENEFIT']),
        cardShare: shareIn(line.orderLineId, ['STORED_VALUE']),
        couponShare: shareIn(line.orderLineId, ['COUPON']),
        selfPayShare: shareIn(line.orderLineId, ['CASH']),
      })),
    // Cash of a counter goes back at the counter.
    cashAmount: order.orderType === 'STORE_DIRECT' ? 0 : of(['CASH']),
    benefitAmount: row.cause === 'CANCEL' ? 0 : of(['BENEFIT']),
    cardAmount: of(['STORED_VALUE']),
  });
  const started = await own(ctx.tx)
    .updateTable('orderAfterSale')
    .set({ refundFen: String(sumOf(parts)) })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return finishRefund(ctx, order, started);
}

/** Once everything has gone back the after-sale is done; an order of which nothing is left is closed. */
async function finishRefund(ctx: Acting, order: OrderRecord, row: AfterSaleRecord): Promise<AfterSaleRecord> {
  const waiting = await own(ctx.tx)
    .selectFrom('orderRefundPart as p')
    .innerJoin('orderAfterSaleLine as l', 'l.id', 'p.afterSaleLineId')
    .select('p.id')
    .where('l.afterSaleId', '=', row.id)
    .where('p.state', '<>', 'DONE')
    .limit(1)
    .executeTakeFirst();
  if (row.state !== 'REFUNDING' || waiting) return row;
  const done = await moveAfterSale(ctx, row, 'refundDone', { doneAt: ctx.now });
  await settleExceptions(ctx, order, ['REFUND_FAILED']);
  const refunded = await writeOrder(ctx, order, { refundedFen: String(BigInt(order.refundedFen) + BigInt(done.refundFen)) });
  const left = (await linesOf(ctx.tx, order.id)).some(({ quantity, refundedQty }) => refundedQty < quantity);
  if (!left && (refunded.state === 'FULFILLING' || refunded.state === 'COMPLETED')) {
    const closed = await moveOrder(ctx, refunded, 'close');
    await publishClosed(ctx, closed, done.reasonCode);
  } else await completeIfDone(ctx, refunded);
  return done;
}

/** What came of money that was to go back: of one write-off, or of all cash of an after-sale. */
export async function noteParts(
  ctx: Acting,
  by: { partId: string } | { afterSaleId: string },
  outcome: { done: true } | { done: false; reason: string },
): Promise<void> {
  const found = await own(ctx.tx)
    .selectFrom('orderRefundPart as p')
    .innerJoin('orderAfterSaleLine as l', 'l.id', 'p.afterSaleLineId')
    .innerJoin('orderAfterSale as a', 'a.id', 'l.afterSaleId')
    .innerJoin('orderFunding as f', 'f.id', 'p.fundingId')
    .select(['p.id', 'l.afterSaleId', 'a.orderId', 'f.kind'])
    .where((eb) => ('partId' in by ? eb('p.id', '=', by.partId) : eb('l.afterSaleId', '=', by.afterSaleId)))
    .execute();
  const parts = 'partId' in by ? found : found.filter(({ kind }) => kind === 'CASH');
  const [first] = parts;
  if (!first) return;
  const order = await orderRecords.lock(ctx.tx, orderRecords.everyone, first.orderId);
  const row = await lockAfterSale(ctx.tx, first.afterSaleId);
  await own(ctx.tx)
    .updateTable('orderRefundPart')
    .set(outcome.done ? { state: 'DONE', doneAt: ctx.now, failReason: null } : { state: 'FAILED', failReason: outcome.reason })
    .where(
      'id',
      'in',
      parts.map(({ id }) => id),
    )
    .where('state', '<>', 'DONE')
    .execute();
  if (outcome.done) await finishRefund(ctx, order, row);
  else await openException(ctx, order, { type: 'REFUND_FAILED', detail: `售后单${row.afterSaleNo}退款失败：${outcome.reason}` });
}

/** A paid order that ends gives everything back that has not gone back yet (R7a); nobody decides about it once more. */
export async function refundCancelled(ctx: Acting, order: OrderRecord): Promise<void> {
  const lines = (await linesOf(ctx.tx, order.id)).filter(({ quantity, refundedQty }) => refundedQty < quantity);
  const isPaid = (await fundingsOf(ctx.tx, order.id)).some(({ state }) => state === 'CAPTURED');
  if (lines.length === 0 || !isPaid) return;
  const row = await own(ctx.tx)
    .insertInto('orderAfterSale')
    .values({
      afterSaleNo: await nextNumber(ctx.tx, 'AS', ctx.today),
      orderId: order.id,
      type: 'REFUND_ONLY',
      cause: 'CANCEL',
      reasonCode: 'NOT_SHIPPED',
      refundFen: '0',
      state: 'REFUNDING',
      makerId: ctx.staffOrNull?.userId ?? null,
      makerName: ctx.staffOrNull?.displayName ?? ctx.actorName ?? '系统',
      decidedAt: ctx.now,
      createdAt: ctx.now,
      createdBy: ctx.staffOrNull?.userId ?? null,
      updatedAt: ctx.now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await own(ctx.tx)
    .insertInto('orderAfterSaleLine')
    .values(
      lines.map((line) => ({
        afterSaleId: row.id,
        orderLineId: line.id,
        quantity: line.quantity - line.refundedQty,
        withFreight: true,
      })),
    )
    .execute();
  await moveState(ctx, afterSaleMachine, {
    targetType: AFTER_SALE_TARGET,
    targetId: row.id,
    targetNo: row.afterSaleNo,
    action: 'openByCancel',
    from: row.state,
  });
  await startRefund(ctx, order, row);
}

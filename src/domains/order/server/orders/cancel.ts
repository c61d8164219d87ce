import { refuse } from '#kernel/contract/errors.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { releaseHolds } from '#domains/card/server/index.ts';
import { ledgerOf, SYSTEM } from '#domains/ledger/server/index.ts';
import { orderErrors } from '../../contract/errors.ts';
import type { cancelReasons } from '../../contract/orderDictionaries.ts';
import type { OrderAction } from '../../contract/orderStates.ts';
import { own } from '../database.ts';
import { settleExceptions } from '../exceptions/open.ts';
import { fundingsOf, moveOrder, type OrderRecord } from './access.ts';
import { publishCancelled } from './publish.ts';
import { refundCancelled } from './refunds.ts';

type CancelReason = (typeof cancelReasons.codes)[number];
interface Cancellation {
  action: Extract<OrderAction, 'cancel' | 'cancelBySystem' | 'expire' | 'failRx'>;
  reasonCode: CancelReason;
  opinion?: string | undefined;
  change?: Parameters<typeof moveOrder>[3];
}

/** @throws Refusal SCM16010 once a parcel left, SCM16011 while a supplier has a part of it */
async function requireUnshipped(ctx: Acting, { id }: OrderRecord): Promise<void> {
  const parts = await own(ctx.tx).selectFrom('orderFulfilment').select(['state', 'shippedAt']).where('orderId', '=', id).execute();
  if (parts.some(({ state, shippedAt }) => shippedAt !== null || state === 'SIGNED')) throw refuse(orderErrors.PARCEL_LEFT);
  if (parts.some(({ state }) => state !== 'REJECTED' && state !== 'CANCELLED')) throw refuse(orderErrors.PUSHED);
}

/**
 * Ends a locked order before anything was shipped: what was held is free, what was paid goes back. The last statements of a transaction.
 * @throws Refusal SCM16010, SCM16011
 */
export async function cancelOrder(
  kernel: Kernel,
  ctx: Acting,
  order: OrderRecord,
  { action, reasonCode, opinion, change }: Cancellation,
): Promise<OrderRecord> {
  await requireUnshipped(ctx, order);
  const ended = await moveOrder(
    ctx,
    order,
    action,
    {
      ...change,
      cancelledAt: ctx.now,
      cancelReason: reasonCode,
      leaseUserId: null,
      leaseUserName: null,
      leaseToken: null,
      leaseUntil: null,
    },
    { opinion },
  );
  await settleExceptions(ctx, order, [
    'ALLOC_FAILED',
    'PUSH_FAILED',
    'SUPPLIER_REJECTED',
    'ACCEPT_TIMEOUT',
    'CARD_FAILED',
    'AMOUNT_MISMATCH',
  ]);
  await publishCancelled(ctx, ended);
  // Cash of an order whose cards did not pay any more is there, though the order is not paid.
  await refundCancelled(ctx, ended);
  const held = (await fundingsOf(ctx.tx, order.id)).filter(({ state }) => state === 'HELD');
  await own(ctx.tx)
    .updateTable('orderFunding')
    .set({ state: 'RELEASED' })
    .where('orderId', '=', order.id)
    .where('state', '=', 'HELD')
    .execute();
  await releaseHolds(ctx, ledgerOf(kernel), { holdIds: held.flatMap(({ holdId }) => holdId ?? []), reason: '订单取消', by: SYSTEM });
  return ended;
}

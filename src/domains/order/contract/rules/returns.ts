import type { afterSaleReasons } from '../orderDictionaries.ts';

export type ReturnReason = (typeof afterSaleReasons.codes)[number];

/** From this refund on another department decides, in fen. */
export const HIGH_REFUND_FEN = 2_000_000;

/** Faults of the seller: the freight goes back with the goods. */
const SELLERS_FAULT: readonly ReturnReason[] = ['QUALITY', 'WRONG_GOODS', 'DAMAGED'];
/** What the buyer shows pictures of. */
export const NEEDS_EVIDENCE: readonly ReturnReason[] = ['QUALITY', 'DAMAGED', 'WRONG_GOODS'];

/** Whether the freight of what comes back is given back too. */
export const returnsFreight = (reason: ReturnReason, orderShipped: boolean): boolean => !orderShipped || SELLERS_FAULT.includes(reason);

interface Bought {
  quantity: number;
  allocatedQty: number;
  shippedQty: number;
  /** Of all returns whose money goes or went back. */
  refundedQty: number;
  /** Of them, pieces that were never sent. */
  refundedUnsent: number;
}
/** How many pieces may still be given back: what nobody sends for NOT_SHIPPED, what was sent for all other reasons. */
export function returnable(reason: ReturnReason, { quantity, allocatedQty, shippedQty, refundedQty, refundedUnsent }: Bought): number {
  const unsent = quantity - allocatedQty - refundedUnsent;
  const sent = shippedQty - (refundedQty - refundedUnsent);
  return Math.max(0, reason === 'NOT_SHIPPED' ? unsent : sent);
}

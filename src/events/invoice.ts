import * as z from 'zod/mini';
import { event } from '#kernel/contract/event.ts';

const id = z.string();
const text = z.string();
const fen = z.int();

export const itemInvoiced = event(
  'invoice.item.invoiced',
  z.strictObject({ sourceType: text, sourceId: id, invoiceNumbers: z.array(text), state: text }),
);
/**
 * Money moved for something that another domain asked to be paid, or was owed; negative: what was told moves back. One receipt may be
 * allocated to the same thing more than once: `allocationId` tells the parts apart, and a part that is taken back has one of its own.
 */
export const paymentSucceeded = event(
  'invoice.payment.succeeded',
  z.strictObject({
    paymentNo: text,
    kind: text,
    sourceType: text,
    sourceId: id,
    sourceNo: text,
    payeeType: z.optional(text),
    payeeId: z.optional(id),
    allocationId: z.optional(id),
    amount: fen,
    at: text,
  }),
);
const refund = z.strictObject({ refundNo: text, sourceType: text, sourceId: id, amount: fen, reason: z.optional(text) });
/** Money of an order is back with its payer. */
export const refundSucceeded = event('invoice.refund.succeeded', refund);
/** It did not go back; people go on with it, and it is told once more what became of it. */
export const refundFailed = event('invoice.refund.failed', refund);

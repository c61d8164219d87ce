import type { JobKind } from '#kernel/server/jobs/declaration.ts';

/** Sends one refund to its channel; written by whoever opens it or starts its batch, run by `send.ts`. */
export const sendRefundKind: JobKind<{ refundId: string }> = {
  name: 'invoice.sendRefund',
  label: '订单退款',
  retryLimit: 8,
  concurrency: 8,
  subject: ({ refundId }) => refundId,
};

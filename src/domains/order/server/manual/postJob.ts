import type { JobKind } from '#kernel/server/jobs/kind.ts';

/** A reviewed manual order becomes an order. */
export const postJob: JobKind<{ manualOrderId: string }> = {
  name: 'order.postManual',
  label: '手工订单落单',
  retryLimit: 5,
  subject: ({ manualOrderId }) => manualOrderId,
};

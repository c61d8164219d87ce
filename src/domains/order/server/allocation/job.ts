import type { JobKind } from '#kernel/server/jobs/kind.ts';

/** An order is given to suppliers: after it was paid or released, and again for what a supplier gave back. */
export const allocateJob: JobKind<{ orderId: string }> = {
  name: 'order.allocate',
  label: '订单分配供应商',
  retryLimit: 5,
  subject: ({ orderId }) => orderId,
};
/** A part is pushed to its supplier. */
export const pushJob: JobKind<{ fulfilmentId: string }> = {
  name: 'order.push',
  label: '推送履约单',
  retryLimit: 5,
  subject: ({ fulfilmentId }) => fulfilmentId,
};

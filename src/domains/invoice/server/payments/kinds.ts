import type { JobKind } from '#kernel/server/jobs/declaration.ts';

/** Closes what of an order is still open at the channels; written by whoever paid or cancelled it, run by `close.ts`. */
export const closeOrderPayments: JobKind<{ orderId: string }> = {
  name: 'invoice.closeOrderPayments',
  label: '关闭订单未完成支付',
  retryLimit: 8,
  subject: ({ orderId }) => orderId,
};

import type { JobKind } from '#kernel/server/jobs/declaration.ts';

/** Sends one refund to its channel; written by whoever opens it, run by `sendRefund.ts`. */
export const sendRefundKind: JobKind<{ refundId: string }> = {
  name: 'enrolment.sendContractRefund',
  label: '签约退款',
  retryLimit: 8,
  subject: ({ refundId }) => refundId,
};

import { numberPlace, type NumberPlace } from '#kernel/contract/numberPlace.ts';
import { queryRefundBatchList } from './calls/batches.ts';
import { queryPaymentList } from './calls/payments.ts';
import { queryRefundList } from './calls/refunds.ts';

/** Business numbers of the domain, and the lists that are searched by them. */
export const invoiceNumbers: readonly NumberPlace[] = [
  numberPlace('PY', '收款单', queryPaymentList, 'paymentNo', { path: '/invoice' }),
  numberPlace('RF', '退款单', queryRefundList, 'refundNo', { path: '/invoice', tab: 'refunds' }),
  numberPlace('TB', '退款批次', queryRefundBatchList, 'batchNo', { path: '/invoice', tab: 'batches' }),
];

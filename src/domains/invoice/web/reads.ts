import { queryRefundBatchDetail, queryRefundBatchList } from '../contract/calls/batches.ts';
import { queryPaymentDetail, queryPaymentList, queryPaymentTotal } from '../contract/calls/payments.ts';
import { queryRefundDetail, queryRefundList } from '../contract/calls/refunds.ts';

/** What shows payments, refunds or batches: an act on one of them changes what is shown of the others. */
export const moneyReads = [
  queryPaymentList,
  queryPaymentTotal,
  queryPaymentDetail,
  queryRefundList,
  queryRefundDetail,
  queryRefundBatchList,
  queryRefundBatchDetail,
];

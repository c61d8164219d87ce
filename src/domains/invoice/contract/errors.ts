import { declareErrors } from '#kernel/contract/errors.ts';

export const invoiceErrors = declareErrors({
  OWN_DOCUMENT: ['SCM20003', '不能审核本人提交的单据'],
  REFUND_TOO_MUCH: ['SCM20060', '可退金额为{n}元'],
  BATCH_NOT_APPROVED: ['SCM20061', '退款批次未复核或已作废'],
  REFUND_TOO_OLD: ['SCM20062', '已超原路退款期限（365天），请改为线下退款'],
  UNFIT_REFUNDS: ['SCM20063', '含{n}条不可退记录'],
  NOT_PAYABLE: ['SCM20071', '订单不在待支付状态'],
});

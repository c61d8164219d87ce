// Written by `npm run db:types` from the migrated database; do not edit.
import type { Generated, GeneratedAlways } from 'kysely';

export interface InvoicePayment {
  id: GeneratedAlways<string>;
  paymentNo: string;
  kind: Generated<'ORDER_PAY'>;
  sourceType: Generated<'ORDER'>;
  sourceId: string;
  sourceNo: string;
  title: string;
  channel: 'WECHAT' | 'ALIPAY';
  amountFen: string;
  receivedFen: string | null;
  reservedFen: Generated<string>;
  refundedFen: Generated<string>;
  status: Generated<'INIT' | 'PENDING' | 'UNKNOWN' | 'SUCCESS' | 'FAILED' | 'CLOSED'>;
  flag: 'DUPLICATE' | 'LATE' | 'AMOUNT' | null;
  channelTradeNo: string | null;
  expireAt: string;
  paidAt: string | null;
  finishedAt: string | null;
  askedAt: string | null;
  queryTimes: Generated<number>;
  unknownSince: string | null;
  askDueAt: string | null;
  failReason: string | null;
  version: Generated<number>;
  createdAt: string;
  updatedAt: string;
  updatedBy: string | null;
}

export interface InvoiceRefund {
  id: GeneratedAlways<string>;
  refundNo: string;
  paymentId: string;
  sourceType: 'AFTER_SALE' | 'DUPLICATE_PAY' | 'LATE_PAY' | 'MANUAL';
  sourceId: string;
  amountFen: string;
  way: 'ORIGINAL' | 'OFFLINE';
  payeeName: string | null;
  payeeBank: string | null;
  payeeAccountCipher: string | null;
  payeeAccountMasked: string | null;
  reason: string;
  status: 'PENDING_AUDIT' | 'APPROVED' | 'REJECTED' | 'IN_BATCH' | 'PROCESSING' | 'CHECKING' | 'SUCCESS' | 'FAILED' | 'UNKNOWN';
  byItself: boolean;
  attempt: Generated<number>;
  batchId: string | null;
  sentAt: string | null;
  channelRefundNo: string | null;
  failReason: string | null;
  notFoundTimes: Generated<number>;
  unknownSince: string | null;
  askDueAt: string | null;
  refundedAt: string | null;
  makerId: string | null;
  makerName: string;
  checkerId: string | null;
  checkerName: string | null;
  opinion: string | null;
  paidOn: string | null;
  bankSerialNo: string | null;
  voucherFileId: string | null;
  voucherBy: string | null;
  voucherByName: string | null;
  voucherCheckerId: string | null;
  voucherCheckerName: string | null;
  version: Generated<number>;
  createdAt: string;
  updatedAt: string;
  updatedBy: string | null;
}

export interface InvoiceRefundBatch {
  id: GeneratedAlways<string>;
  batchNo: string;
  itemCount: number;
  amountFen: string;
  okCount: Generated<number>;
  failCount: Generated<number>;
  unknownCount: Generated<number>;
  status: Generated<'DRAFT' | 'APPROVED' | 'RUNNING' | 'DONE' | 'PART_FAILED' | 'VOIDED'>;
  makerId: string;
  makerName: string;
  approverId: string | null;
  approverName: string | null;
  executorId: string | null;
  executorName: string | null;
  opinion: string | null;
  startedAt: string | null;
  finishedAt: string | null;
  version: Generated<number>;
  createdAt: string;
  updatedAt: string;
  updatedBy: string | null;
}

export interface InvoiceRefundBatchItem {
  batchId: string;
  refundId: string;
  amountFen: string;
  outcome: 'SUCCESS' | 'FAILED' | 'REMOVED' | null;
  failReason: string | null;
}

export interface InvoiceTables {
  invoicePayment: InvoicePayment;
  invoiceRefund: InvoiceRefund;
  invoiceRefundBatch: InvoiceRefundBatch;
  invoiceRefundBatchItem: InvoiceRefundBatchItem;
}

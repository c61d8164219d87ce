import { sql, type SqlBool } from 'kysely';
import { recordOf } from '#kernel/server/record/recordOf.ts';
import { own } from './database.ts';

/** Money lies in no region: who may see it sees all of it. */
const everybody = () => sql<SqlBool>`true`;

export const paymentRecords = recordOf((db) => own(db).selectFrom('invoicePayment as p').selectAll('p')).with({
  noun: '收款单',
  type: 'invoice.payment',
  id: 'p.id',
  scope: everybody,
  // Its refunds refer to it; who writes it still waits for whoever refunds.
  referredTo: true,
});
export type PaymentRecord = Awaited<ReturnType<typeof paymentRecords.get>>;

export const refundRecords = recordOf((db) => own(db).selectFrom('invoiceRefund as r').selectAll('r')).with({
  noun: '退款单',
  type: 'invoice.refund',
  id: 'r.id',
  scope: everybody,
});
export type RefundRecord = Awaited<ReturnType<typeof refundRecords.get>>;

export const batchRecords = recordOf((db) => own(db).selectFrom('invoiceRefundBatch as b').selectAll('b')).with({
  noun: '退款批次',
  type: 'invoice.refundBatch',
  id: 'b.id',
  scope: everybody,
  referredTo: true,
});
export type BatchRecord = Awaited<ReturnType<typeof batchRecords.get>>;

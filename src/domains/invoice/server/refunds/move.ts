import { moveState } from '#kernel/server/audit/transition.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { Tx } from '#kernel/server/context.ts';
import { refundMachine } from '../../contract/states.ts';
import { batchRecords, paymentRecords, refundRecords, type BatchRecord, type PaymentRecord, type RefundRecord } from '../access.ts';
import { own } from '../database.ts';
import { writePayment } from '../payments/move.ts';

export type RefundAction = keyof typeof refundMachine.transitions;
export type RefundChange = Partial<Omit<RefundRecord, 'id' | 'version' | 'status' | 'paymentId' | 'amountFen'>>;

/** Writes columns of a locked refund and raises its version. */
export const writeRefund = (
  ctx: Acting,
  refund: RefundRecord,
  change: RefundChange & { status?: RefundRecord['status'] },
): Promise<RefundRecord> =>
  own(ctx.tx)
    .updateTable('invoiceRefund')
    .set((eb) => ({ ...change, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
    .where('id', '=', refund.id)
    .returningAll()
    .executeTakeFirstOrThrow();

/** Takes a transition of a locked refund. */
export async function moveRefund(
  ctx: Acting,
  refund: RefundRecord,
  action: RefundAction,
  change: RefundChange = {},
  opinion?: string,
): Promise<RefundRecord> {
  const status = await moveState(ctx, refundMachine, {
    targetType: refundRecords.type,
    targetId: refund.id,
    targetNo: refund.refundNo,
    action,
    from: refund.status,
    opinion,
    contributors: [refund.makerId, ...(action === 'confirm' || action === 'deny' ? [refund.voucherBy] : [])],
  });
  return writeRefund(ctx, refund, { ...change, status });
}

export interface LockedRefund {
  batch: BatchRecord | null;
  payment: PaymentRecord;
  refund: RefundRecord;
}

/** Batch, payment, refund: everybody locks in this order. @throws Refusal SCM90040 */
export async function lockRefund(tx: Tx, refundId: string): Promise<LockedRefund> {
  const found = await refundRecords.get(tx, refundRecords.everyone, refundId);
  const batch = found.batchId === null ? null : await batchRecords.lock(tx, batchRecords.everyone, found.batchId);
  const payment = await paymentRecords.lock(tx, paymentRecords.everyone, found.paymentId);
  const refund = await refundRecords.lock(tx, refundRecords.everyone, refundId);
  return { batch: refund.batchId === found.batchId ? batch : null, payment, refund };
}

/** What goes back, or went back, of a locked payment changes. */
export const reserve = (ctx: Acting, payment: PaymentRecord, amountFen: bigint): Promise<PaymentRecord> =>
  writePayment(ctx, payment, { reservedFen: String(BigInt(payment.reservedFen) + amountFen) });

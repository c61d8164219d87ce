import { moveState } from '#kernel/server/audit/transition.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { Tx } from '#kernel/server/context.ts';
import { invoicePermissions as may } from '../../contract/permissions.ts';
import { paymentMachine } from '../../contract/states.ts';
import { paymentRecords, type PaymentRecord } from '../access.ts';
import { own } from '../database.ts';

type Action = keyof typeof paymentMachine.transitions;
export type PaymentChange = Partial<Omit<PaymentRecord, 'id' | 'version' | 'status'>>;

/** Writes columns of a locked payment and raises its version. */
export const writePayment = (
  ctx: Acting,
  payment: PaymentRecord,
  change: PaymentChange & { status?: PaymentRecord['status'] },
): Promise<PaymentRecord> =>
  own(ctx.tx)
    .updateTable('invoicePayment')
    .set((eb) => ({ ...change, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
    .where('id', '=', payment.id)
    .returningAll()
    .executeTakeFirstOrThrow();

/** Takes a transition of a locked payment. */
export async function movePayment(
  ctx: Acting,
  payment: PaymentRecord,
  action: Action,
  change: PaymentChange = {},
  opinion?: string,
): Promise<PaymentRecord> {
  const status = await moveState(ctx, paymentMachine, {
    targetType: paymentRecords.type,
    targetId: payment.id,
    targetNo: payment.paymentNo,
    action,
    from: payment.status,
    opinion,
  });
  return writePayment(ctx, payment, { ...change, status });
}

/** Locked until the transaction ends; null: no such payment. */
export async function lockPaymentNo(tx: Tx, paymentNo: string): Promise<PaymentRecord | null> {
  const found = await own(tx).selectFrom('invoicePayment').select('id').where('paymentNo', '=', paymentNo).executeTakeFirst();
  return found ? paymentRecords.lock(tx, paymentRecords.everyone, found.id) : null;
}

/** The to-do of a payment whose outcome is open for a day. */
export const latePayment = ({ id, paymentNo }: Pick<PaymentRecord, 'id' | 'paymentNo'>) => ({
  businessKey: `invoice.payment.unknown.${id}`,
  name: `收款单${paymentNo}`,
  link: `/invoice?paymentNo=${paymentNo}`,
  permission: may['refund.make'],
});

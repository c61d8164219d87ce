import { refuse } from '#kernel/contract/errors.ts';
import { yuan } from '#kernel/contract/money.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { RefundSource } from '../../contract/dictionaries.ts';
import { invoiceErrors } from '../../contract/errors.ts';
import { goesByItself, isTooOld, refundable } from '../../contract/rules/refund.ts';
import { refundMachine } from '../../contract/states.ts';
import { refundRecords, type PaymentRecord, type RefundRecord } from '../access.ts';
import { own } from '../database.ts';
import { sendRefundKind } from './kinds.ts';
import { reserve } from './move.ts';
import { publishFailed } from './failures.ts';

/** To whom money goes back by transfer. */
export interface Payee {
  payeeName: string;
  payeeBank: string;
  payeeAccountCipher: string;
  payeeAccountMasked: string;
}
interface NewRefund {
  sourceType: RefundSource;
  sourceId: string;
  amountFen: bigint;
  way: RefundRecord['way'];
  payee: Payee | null;
  reason: string;
  /** Null: the system. */
  maker: { userId: string; displayName: string } | null;
}

const FIRST = { PENDING_AUDIT: 'apply', APPROVED: 'pass', FAILED: 'refuse' } as const;

/** Why it cannot go back; null: it can. */
function faultOf(ctx: Acting, payment: PaymentRecord, { amountFen, way }: NewRefund) {
  const left = refundable(payment);
  if (amountFen > left) return refuse(invoiceErrors.REFUND_TOO_MUCH, { n: yuan(left) });
  if (way === 'ORIGINAL' && isTooOld(payment.paidAt, ctx.now)) return refuse(invoiceErrors.REFUND_TOO_OLD);
  return null;
}

/**
 * A refund of a locked payment, once for each of its causes. What somebody makes is looked at by another person; the system's own go back
 * at once where they are small. What cannot go back is refused to a person; the system's own is kept as failed, for people to end.
 * @throws Refusal SCM20060, SCM20062
 */
export async function openRefund(
  kernel: Pick<Kernel, 'ports'>,
  ctx: Acting,
  payment: PaymentRecord,
  refund: NewRefund,
): Promise<RefundRecord> {
  if (refund.sourceType !== 'MANUAL') {
    const known = await own(ctx.tx)
      .selectFrom('invoiceRefund')
      .selectAll()
      .where('sourceType', '=', refund.sourceType)
      .where('sourceId', '=', refund.sourceId)
      .where('paymentId', '=', payment.id)
      .executeTakeFirst();
    if (known) return known;
  }
  const fault = faultOf(ctx, payment, refund);
  if (fault && refund.maker) throw fault;
  const byItself = refund.maker === null && refund.way === 'ORIGINAL' && goesByItself(refund.amountFen) && !fault;
  const status = fault ? ('FAILED' as const) : byItself ? ('APPROVED' as const) : ('PENDING_AUDIT' as const);
  const row = await own(ctx.tx)
    .insertInto('invoiceRefund')
    .values({
      refundNo: await nextNumber(ctx.tx, 'RF', ctx.today),
      paymentId: payment.id,
      sourceType: refund.sourceType,
      sourceId: refund.sourceId,
      amountFen: String(refund.amountFen),
      way: refund.way,
      ...refund.payee,
      reason: refund.reason,
      status,
      byItself,
      failReason: fault?.message ?? null,
      makerId: refund.maker?.userId ?? null,
      makerName: refund.maker?.displayName ?? '系统',
      createdAt: ctx.now,
      ...updatedColumns(ctx),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await moveState(ctx, refundMachine, {
    targetType: refundRecords.type,
    targetId: row.id,
    targetNo: row.refundNo,
    action: FIRST[status],
    from: status,
    opinion: fault?.message ?? refund.reason,
  });
  if (fault) await publishFailed(kernel, ctx, row, fault.message);
  else await reserve(ctx, payment, refund.amountFen);
  if (byItself) await ctx.enqueue(sendRefundKind, { refundId: row.id });
  return row;
}

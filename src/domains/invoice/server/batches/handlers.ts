import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { CommandContext, Tx } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import { addRefundBatch, auditRefundBatch, batchRefund, voidRefundBatch } from '../../contract/calls/batches.ts';
import { invoiceErrors } from '../../contract/errors.ts';
import { isTooOld } from '../../contract/rules/refund.ts';
import { refundBatchMachine } from '../../contract/states.ts';
import { batchRecords, refundRecords, type BatchRecord, type RefundRecord } from '../access.ts';
import { own } from '../database.ts';
import { sendRefundKind } from '../refunds/kinds.ts';
import { moveRefund } from '../refunds/move.ts';
import { moveBatch } from './outcome.ts';

const answer = (ctx: CommandContext, row: BatchRecord) => ({
  ...actionAnswer(ctx, refundBatchMachine, { ...row, state: row.status }),
  state: row.status,
});

/** The refunds, locked in one order. */
async function lockRefunds(tx: Tx, ids: readonly string[]): Promise<RefundRecord[]> {
  const rows = await own(tx)
    .selectFrom('invoiceRefund')
    .selectAll()
    .where('id', 'in', [...ids])
    .orderBy('id')
    .forUpdate()
    .execute();
  if (rows.length < ids.length) throw refundRecords.missing();
  return rows;
}

/** Those that no batch may hold: not passed, sent by themselves, or too old for the way back. */
async function unfit(ctx: Acting, refunds: readonly RefundRecord[]): Promise<number> {
  const paid = await own(ctx.tx)
    .selectFrom('invoicePayment')
    .select(['id', 'paidAt'])
    .where(
      'id',
      'in',
      refunds.map(({ paymentId }) => paymentId),
    )
    .execute();
  const paidAt = new Map(paid.map((row) => [row.id, row.paidAt]));
  return refunds.filter(
    ({ status, byItself, way, paymentId }) =>
      status !== 'APPROVED' || byItself || (way === 'ORIGINAL' && isTooOld(paidAt.get(paymentId) ?? null, ctx.now)),
  ).length;
}

/** A batch of locked refunds that were passed. */
export async function makeBatch(
  ctx: Acting,
  refunds: readonly RefundRecord[],
  maker: { userId: string; displayName: string },
): Promise<BatchRecord> {
  const n = await unfit(ctx, refunds);
  if (n > 0) throw refuse(invoiceErrors.UNFIT_REFUNDS, { n });
  const batch = await own(ctx.tx)
    .insertInto('invoiceRefundBatch')
    .values({
      batchNo: await nextNumber(ctx.tx, 'TB', ctx.today),
      itemCount: refunds.length,
      amountFen: String(refunds.reduce((sum, { amountFen }) => sum + BigInt(amountFen), 0n)),
      makerId: maker.userId,
      makerName: maker.displayName,
      createdAt: ctx.now,
      ...updatedColumns(ctx),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await own(ctx.tx)
    .insertInto('invoiceRefundBatchItem')
    .values(refunds.map(({ id, amountFen }) => ({ batchId: batch.id, refundId: id, amountFen })))
    .execute();
  for (const refund of refunds) await moveRefund(ctx, refund, 'addToBatch', { batchId: batch.id });
  await moveState(ctx, refundBatchMachine, {
    targetType: batchRecords.type,
    targetId: batch.id,
    targetNo: batch.batchNo,
    action: 'create',
    from: 'DRAFT',
  });
  return batch;
}

/** @throws Refusal SCM20063 naming how many of them no batch may hold */
export const add = command(addRefundBatch, async ({ refundIds }, ctx) => {
  const batch = await makeBatch(ctx, await lockRefunds(ctx.tx, [...new Set(refundIds)]), ctx.staff);
  ctx.target({ type: batchRecords.type, id: batch.id, no: batch.batchNo });
  return answer(ctx, batch);
});

const refundsOf = (tx: Tx, batchId: string): Promise<RefundRecord[]> =>
  own(tx)
    .selectFrom('invoiceRefund')
    .selectAll()
    .where('batchId', '=', batchId)
    .where('status', '=', 'IN_BATCH')
    .orderBy('id')
    .forUpdate()
    .execute();

/** Its refunds wait for another batch. */
export async function release(ctx: Acting, batchId: string): Promise<void> {
  for (const refund of await refundsOf(ctx.tx, batchId)) await moveRefund(ctx, refund, 'removeFromBatch', { batchId: null });
  await own(ctx.tx)
    .updateTable('invoiceRefundBatchItem')
    .set({ outcome: 'REMOVED' })
    .where('batchId', '=', batchId)
    .where('outcome', 'is', null)
    .execute();
}

/** @throws Refusal SCM20003 for whoever made it */
export const audit = command(auditRefundBatch, async ({ refundBatchId, version, decision, opinion }, ctx) => {
  const batch = await batchRecords.lockVersion(ctx, refundBatchId, version, (row) => ({
    refundBatchId: row.id,
    opinion: row.opinion ?? '',
  }));
  const reason = { opinion: opinion === '' ? null : opinion };
  if (decision === 'reject') {
    const voided = await moveBatch(ctx, batch, 'reject', reason, opinion);
    await release(ctx, batch.id);
    return answer(ctx, voided);
  }
  const approver = { approverId: ctx.staff.userId, approverName: ctx.staff.displayName };
  return answer(ctx, await moveBatch(ctx, batch, 'approve', { ...reason, ...approver }, opinion));
});

export const voidBatch = command(voidRefundBatch, async ({ refundBatchId, version, opinion }, ctx) => {
  const batch = await batchRecords.lockVersion(ctx, refundBatchId, version, (row) => ({ refundBatchId: row.id, opinion: '' }));
  const voided = await moveBatch(ctx, batch, 'void', { opinion }, opinion);
  await release(ctx, batch.id);
  return answer(ctx, voided);
});

/** A locked batch that was approved runs: its refunds are sent, transfers wait for whoever makes them. */
export async function startBatch(ctx: Acting, batch: BatchRecord, executor: { userId: string; displayName: string }): Promise<BatchRecord> {
  const started = { executorId: executor.userId, executorName: executor.displayName, startedAt: ctx.now };
  const running = await moveBatch(ctx, batch, 'execute', started);
  const refunds = await refundsOf(ctx.tx, batch.id);
  if (refunds.length !== batch.itemCount)
    throw refuse(platformErrors.WRONG_STATE, { state: refundBatchMachine.states[batch.status].label });
  for (const refund of refunds) {
    await moveRefund(ctx, refund, 'send');
    if (refund.way === 'ORIGINAL') await ctx.enqueue(sendRefundKind, { refundId: refund.id });
  }
  return running;
}

/**
 * Starts an approved batch, once: whoever asks again, with whatever version, is told that it is started.
 * @throws Refusal SCM20061 for one that is not approved or was voided, SCM20003 for whoever made or approved it
 */
export const execute = command(batchRefund, async ({ refundBatchId, version }, ctx) => {
  const batch = await batchRecords.lock(ctx.tx, ctx.staff, refundBatchId);
  ctx.target({ type: batchRecords.type, id: batch.id, no: batch.batchNo });
  if (batch.startedAt !== null) return { status: batch.status, count: batch.itemCount, started: true };
  if (batch.status !== 'APPROVED') throw refuse(invoiceErrors.BATCH_NOT_APPROVED);
  await requireVersion(ctx, batchRecords.type, batch, version, () => ({ refundBatchId: batch.id }));
  const running = await startBatch(ctx, batch, ctx.staff);
  return { status: running.status, count: running.itemCount, started: true };
});

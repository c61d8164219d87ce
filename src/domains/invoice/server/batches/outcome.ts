import { sql } from 'kysely';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { refundBatchMachine } from '../../contract/states.ts';
import { batchRecords, type BatchRecord } from '../access.ts';
import { own } from '../database.ts';

type Action = keyof typeof refundBatchMachine.transitions;
type Change = Partial<Omit<BatchRecord, 'id' | 'version' | 'status'>>;

/** Takes a transition of a locked batch. */
export async function moveBatch(
  ctx: Acting,
  batch: BatchRecord,
  action: Action,
  change: Change = {},
  opinion?: string,
): Promise<BatchRecord> {
  const status = await moveState(ctx, refundBatchMachine, {
    targetType: batchRecords.type,
    targetId: batch.id,
    targetNo: batch.batchNo,
    action,
    from: batch.status,
    opinion,
    contributors: [batch.makerId, ...(action === 'execute' ? [batch.approverId] : [])],
  });
  return own(ctx.tx)
    .updateTable('invoiceRefundBatch')
    .set((eb) => ({ ...change, status, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
    .where('id', '=', batch.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/**
 * What became of a refund in its locked batch; with the last one the batch is over.
 * @param outcome null: it is open still, and unknown
 */
export async function noteOutcome(
  ctx: Acting,
  batch: BatchRecord | null,
  refundId: string,
  outcome: 'SUCCESS' | 'FAILED' | null,
  failReason: string | null,
): Promise<void> {
  if (!batch || batch.status !== 'RUNNING') return;
  if (outcome !== null)
    await own(ctx.tx)
      .updateTable('invoiceRefundBatchItem')
      .set({ outcome, failReason })
      .where('batchId', '=', batch.id)
      .where('refundId', '=', refundId)
      .where('outcome', 'is', null)
      .execute();
  const { rows } = await sql<{ okCount: number; failCount: number; unknownCount: number }>`
    select count(*) filter (where i.outcome = 'SUCCESS')::int as ok_count,
        count(*) filter (where i.outcome = 'FAILED')::int as fail_count,
        count(*) filter (where i.outcome is null and r.status = 'UNKNOWN')::int as unknown_count
      from invoice_refund_batch_item i
      join invoice_refund r on r.id = i.refund_id
      where i.batch_id = ${batch.id}`.execute(ctx.tx);
  const counts = rows[0]!;
  if (counts.okCount + counts.failCount < batch.itemCount) {
    await own(ctx.tx)
      .updateTable('invoiceRefundBatch')
      .set({ ...counts, updatedAt: ctx.now })
      .where('id', '=', batch.id)
      .execute();
    return;
  }
  await moveBatch(ctx, batch, counts.failCount === 0 ? 'finish' : 'finishPart', { ...counts, finishedAt: ctx.now });
}

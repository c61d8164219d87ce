import { moveState } from '#kernel/server/audit/transition.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { batchMachine, type BatchState } from '../../contract/batchDictionaries.ts';
import { json, own } from '../database.ts';
import type { BatchRecord } from './records.ts';
import { compareRows, recount } from './parsing/writeRows.ts';

type Changes = Partial<Omit<BatchRecord, 'id' | 'batchNo' | 'impact' | 'layout' | 'policySeqs'>>;

/** Writes columns of a list; every write gives it another version. */
export const setBatch = (acting: Acting, id: string, { version: _version, ...changes }: Changes): Promise<BatchRecord> =>
  own(acting.tx)
    .updateTable('policyInsuredBatch')
    .set((eb) => ({ ...changes, ...updatedColumns(acting), version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();

/** Takes a list along its states; the system's own moves ask nobody for rights. */
export async function moveBatch(
  acting: Acting,
  batch: BatchRecord,
  action: Parameters<typeof batchMachine.canStart>[0],
  changes: Changes = {},
  opinion?: string,
): Promise<BatchRecord> {
  const state: BatchState = await moveState(acting, batchMachine, {
    targetType: 'policy.batch',
    targetId: batch.id,
    targetNo: batch.batchNo,
    action,
    from: batch.state,
    opinion,
    contributors: [batch.makerId, batch.createdBy],
  });
  return setBatch(acting, batch.id, { ...changes, state });
}

export const lockedBatch = (tx: Acting['tx'], id: string): Promise<BatchRecord> =>
  own(tx).selectFrom('policyInsuredBatch').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow();

const isWhole = ({ errorRows, fault, faultAcceptedBy }: BatchRecord) => errorRows === 0 && (fault === null || faultAcceptedBy !== null);

/** Where a list stands after its rows were decided, all of them or some anew: with errors, or ready to be looked at. */
export async function settle(acting: Acting, batch: BatchRecord, rowIds: readonly string[] | null): Promise<BatchRecord> {
  await compareRows(acting, batch.id, rowIds);
  const counted = await recount(acting.tx, batch.id);
  const action = isWhole(counted) ? 'parsed' : 'failed';
  const there = action === 'parsed' ? 'PREVIEW' : 'HAS_ERROR';
  return counted.state === there ? setBatch(acting, batch.id, {}) : moveBatch({ ...acting, requirePermission: () => {} }, counted, action);
}

/** Numbers of endorsements of the policies whose rows are decided now; what is known of a policy stays as it was. */
export const noteSeqs = (tx: Acting['tx'], batch: BatchRecord, seqs: Readonly<Record<string, number>>): Promise<unknown> =>
  own(tx)
    .updateTable('policyInsuredBatch')
    .set({ policySeqs: json({ ...seqs, ...(batch.policySeqs as Record<string, number>) }) })
    .where('id', '=', batch.id)
    .execute();

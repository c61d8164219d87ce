import { batchMachine, type BatchState } from '../../contract/batchDictionaries.ts';
import type { BatchRecord } from './records.ts';

type BatchInHand = Pick<BatchRecord, 'makerId' | 'createdBy' | 'undoAskedBy' | 'undoAskedAt' | 'fault' | 'faultAcceptedBy'> & {
  state: BatchState;
};

/** Hours in which another person confirms that a list is taken back. */
export const CONFIRM_HOURS = 24;

/** What somebody may do with a list now: nobody passes, rejects or confirms what he himself uploaded, handed in or asked for. */
export function batchActionsOf(batch: BatchInHand, has: (permission: string | { code: string }) => boolean, userId: string): string[] {
  const own = batch.makerId === userId || batch.createdBy === userId;
  return batchMachine.allowed(batch.state, has).filter((action) => {
    if (action === 'approve' || action === 'reject') return !own;
    if (action === 'undo') return batch.undoAskedBy !== null && batch.undoAskedBy !== userId;
    return true;
  });
}

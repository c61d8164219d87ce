import { sql } from 'kysely';
import type { Tx } from '#kernel/server/context.ts';
import { recordOf } from '#kernel/server/record/recordOf.ts';
import { refuse } from '#kernel/contract/errors.ts';
import { policyErrors } from '../../contract/errors.ts';
import { layout, type Layout } from '../../contract/rules/template.ts';
import { insurerScope } from '../access.ts';
import { own } from '../database.ts';
import { batchMachine, type BatchState } from '../../contract/batchDictionaries.ts';

export const templateRecords = recordOf((db) =>
  own(db).selectFrom('policyInsuredTemplate as t').where('t.removed', '=', false).selectAll('t'),
).with({
  noun: '清单模板',
  type: 'policy.template',
  id: 't.id',
  scope: insurerScope('t.insurerId'),
});
export type TemplateRecord = Awaited<ReturnType<typeof templateRecords.get>>;

/** An insurer's people see its lists; one for policies of an employer alone has no insurer. */
export const batchRecords = recordOf((db) => own(db).selectFrom('policyInsuredBatch as b').selectAll('b')).with({
  noun: '清单批次',
  type: 'policy.batch',
  id: 'b.id',
  scope: insurerScope('b.insurerId'),
});
export type BatchRecord = Awaited<ReturnType<typeof batchRecords.get>>;

/** How the list is read, as it was when it was uploaded. */
export const layoutOf = ({ layout: kept }: Pick<BatchRecord, 'layout'>): Layout => layout.parse(kept);

/** States in which a list holds its policies: something of it is written that nobody sees yet, or it is being taken back. */
const HOLDING = ['APPLYING', 'APPLY_FAILED', 'UNDOING'] as const;

/**
 * The caller holds the locks of the policies.
 * @param except the batch that asks
 * @throws Refusal SCM13025
 */
export async function requireNoBatch(tx: Tx, policyIds: readonly string[], except: string | null = null): Promise<void> {
  if (await hasBatch(tx, policyIds, except)) throw refuse(policyErrors.BATCH_RUNNING);
}
export async function hasBatch(tx: Tx, policyIds: readonly string[], except: string | null = null): Promise<boolean> {
  const running = await own(tx)
    .selectFrom('policyInsuredBatch')
    .select('batchNo')
    .where('state', 'in', [...HOLDING])
    .where(sql<boolean>`policy_ids && ${[...policyIds]}::bigint[]`)
    .$if(except !== null, (rows) => rows.where('id', '<>', except))
    .limit(1)
    .executeTakeFirst();
  return running !== undefined;
}

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

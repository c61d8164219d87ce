import { refuse } from '#kernel/contract/errors.ts';
import type { Tx } from '#kernel/server/context.ts';
import { settlementErrors } from '../../contract/errors.ts';
import type { BillRecord } from '../access.ts';
import { own } from '../database.ts';

/** A payment of which nobody knows whether it reached the doctor is not made again. @throws Refusal SCM19052 */
export async function requireKnownOutcome(tx: Tx, bill: Pick<BillRecord, 'id' | 'status'>): Promise<void> {
  if (bill.status !== 'IN_BATCH') return;
  const open = await own(tx)
    .selectFrom('settlementPayoutItem')
    .select('id')
    .where('billId', '=', bill.id)
    .where('status', '=', 'UNKNOWN')
    .executeTakeFirst();
  if (open) throw refuse(settlementErrors.OUTCOME_OPEN);
}

import type { Updateable } from 'kysely';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { Difference } from '#kernel/server/context.ts';
import { contractMachine, type ContractAction } from '../../contract/contractStates.ts';
import { own } from '../database.ts';
import type { EnrolmentContract } from '../tables.ts';
import { contractRecords, type ContractRecord } from './access.ts';

export type ContractChange = Omit<Updateable<EnrolmentContract>, 'id' | 'version' | 'state'>;
interface MoveOptions {
  opinion?: string;
  differences?: readonly Difference[];
}

/** Writes facts of a locked contract, without a transition. */
export const writeContract = (ctx: Acting, contract: ContractRecord, change: Updateable<EnrolmentContract>): Promise<ContractRecord> =>
  own(ctx.tx)
    .updateTable('enrolmentContract')
    .set((eb) => ({ ...change, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
    .where('id', '=', contract.id)
    .returningAll()
    .executeTakeFirstOrThrow();

/** Takes a transition of a locked contract. */
export async function moveContract(
  ctx: Acting,
  contract: ContractRecord,
  action: ContractAction,
  change: ContractChange = {},
  { opinion, differences = [] }: MoveOptions = {},
): Promise<ContractRecord> {
  const state = await moveState(ctx, contractMachine, {
    targetType: contractRecords.type,
    targetId: contract.id,
    targetNo: contract.contractNo,
    action,
    from: contract.state,
    opinion,
    differences,
  });
  return writeContract(ctx, contract, {
    ...change,
    state,
    ...(contract.state === 'SUSPENDED' && state !== 'SUSPENDED' && { suspendReason: null }),
  });
}

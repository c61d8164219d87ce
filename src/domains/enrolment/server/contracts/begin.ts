import { plusDays, type Day } from '#kernel/contract/time.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { findCover, getInsuredForEnrol } from '#domains/policy/server/index.ts';
import type { ContractAction } from '../../contract/contractStates.ts';
import type { ContractRecord } from './access.ts';
import { moveContract, type ContractChange } from './move.ts';
import { publishActivated } from './publish.ts';

/** Whether the policy covers the person on a day. */
export const isCovered = async (ctx: Pick<Acting, 'tx'>, { insuredItemId }: Pick<ContractRecord, 'insuredItemId'>, day: Day) =>
  (await findCover(ctx.tx, { insuredItemId, day })) !== null;

/** Takes a locked contract to where its days put it: it gives rights from its first day on, as long as the policy covers the person. */
export async function beginsWith(
  ctx: Acting,
  contract: ContractRecord,
  { wait, start }: { wait: ContractAction; start: ContractAction },
  change: ContractChange = {},
): Promise<ContractRecord> {
  const startDate = change.startDate ?? contract.startDate;
  const begins = typeof startDate === 'string' && startDate <= ctx.today && (await isCovered(ctx, contract, ctx.today));
  if (!begins) return moveContract(ctx, contract, wait, change);
  return activate(ctx, contract, start, change);
}

/** The contract gives its rights from now on; obligatory reviews are counted from this day. */
export async function activate(
  ctx: Acting,
  contract: ContractRecord,
  action: ContractAction,
  change: ContractChange = {},
): Promise<ContractRecord> {
  const { reviewCycleDays } = contract;
  const moved = await moveContract(ctx, contract, action, {
    ...change,
    nextReviewOn: reviewCycleDays === null ? null : plusDays(ctx.today, reviewCycleDays),
  });
  await publishActivated(ctx, moved);
  return moved;
}

/** The insured person with his cover of a day; where that begins later, with the cover of its first day. */
export async function insuredWithCover(ctx: Acting, wanted: { insuredItemId: string } | { idNoHash: string; policyNo: string }) {
  const insured = await getInsuredForEnrol(ctx.tx, { ...wanted, today: ctx.today });
  const begins = insured?.coverageStart ?? null;
  if (!insured || insured.covered || begins === null || begins <= ctx.today) return insured;
  return getInsuredForEnrol(ctx.tx, { insuredItemId: insured.insuredItemId, today: begins });
}

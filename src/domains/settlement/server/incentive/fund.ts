import { yuan } from '#kernel/contract/money.ts';
import { dayOf } from '#kernel/contract/time.ts';
import { refuse, type Refusal } from '#kernel/contract/errors.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import type { Tx } from '#kernel/server/context.ts';
import type { JobKind } from '#kernel/server/jobs/kind.ts';
import { settlementErrors } from '../../contract/errors.ts';
import { programRecords, type IncomeRecord, type ProgramRecord } from '../access.ts';
import { own } from '../database.ts';

/** What is new of a programme is reckoned, and what waited is freed as far as its budget goes. */
export const workJob: JobKind<{ programId: string; programNo: string }> = {
  name: 'settlement.workIncentive',
  label: '计算激励收入',
  retryLimit: 8,
  subject: ({ programNo }) => programNo,
};
export const enqueueWork = ({ enqueue }: Pick<Acting, 'enqueue'>, { id, programNo }: Pick<ProgramRecord, 'id' | 'programNo'>) =>
  enqueue(workJob, { programId: id, programNo });

/** Whoever spends from a programme holds its row from here on: nobody else reckons with the same budget. */
export const lockProgram = (tx: Tx, id: string): Promise<ProgramRecord> => programRecords.lock(tx, programRecords.everyone, id);

export const leftOf = ({ budgetFen, usedFen, reservedFen }: Pick<ProgramRecord, 'budgetFen' | 'usedFen' | 'reservedFen'>): bigint =>
  BigInt(budgetFen) - BigInt(usedFen) - BigInt(reservedFen);

/** The refusal of what the budget does not cover. */
export const noBudget = (needFen: bigint, leftFen: bigint): Refusal =>
  refuse(settlementErrors.NO_BUDGET, { a: yuan(needFen, true), b: yuan(leftFen, true) });

/** Moves what a locked programme has spent and set aside. */
export async function spend(tx: Tx, programId: string, { used = 0n, reserved = 0n }: { used?: bigint; reserved?: bigint }): Promise<void> {
  if (used === 0n && reserved === 0n) return;
  await own(tx)
    .updateTable('settlementProgram')
    .set((eb) => ({ usedFen: eb('usedFen', '+', String(used)), reservedFen: eb('reservedFen', '+', String(reserved)) }))
    .where('id', '=', programId)
    .execute();
}

/** An incentive that was taken back gives its money and its place under the caps back; what waits for money may have it. */
export async function giveBack(ctx: Acting, program: ProgramRecord, income: IncomeRecord): Promise<void> {
  const gross = BigInt(income.grossFen);
  if (income.waitsFor === null) await spend(ctx.tx, program.id, { used: -gross });
  else if (income.waitsFor === 'PAUSE') await spend(ctx.tx, program.id, { reserved: -gross });
  const fact = await own(ctx.tx)
    .updateTable('settlementProgramFact')
    .set({ state: 'REVERSED' })
    .where('incomeId', '=', income.id)
    .returning(['taskId', 'doctorId', 'occurredAt', 'paidCount'])
    .executeTakeFirstOrThrow();
  await own(ctx.tx)
    .updateTable('settlementProgramTask')
    .set((eb) => ({ doneCount: eb('doneCount', '-', fact.paidCount) }))
    .where('id', '=', fact.taskId)
    .execute();
  await own(ctx.tx)
    .updateTable('settlementProgramCount')
    .set((eb) => ({ doneCount: eb('doneCount', '-', fact.paidCount) }))
    .where('taskId', '=', fact.taskId)
    .where('doctorId', '=', fact.doctorId)
    .where('month', '=', dayOf(fact.occurredAt).slice(0, 7))
    .execute();
  await enqueueWork(ctx, program);
}

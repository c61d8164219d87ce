import type { Kernel } from '#kernel/server/kernel.ts';
import { ledgerOf, type Actor, type Posting } from '#domains/ledger/server/index.ts';
import type { ProgramRecord } from '../access.ts';
import { fundOf, receivableOf } from '../chart.ts';

const common = (program: ProgramRecord, actor: Actor) => ({
  book: 'DOCTOR' as const,
  ref: { type: 'incentiveProgram', id: program.id, no: program.programNo },
  actor,
});

/** The company owes what it agreed to, and the programme has it to spend: the last statement of a transaction. */
export async function commit(
  use: Posting,
  kernel: Kernel,
  program: ProgramRecord,
  { key, fen }: { key: string; fen: bigint },
  actor: Actor,
): Promise<void> {
  const ledger = ledgerOf(kernel);
  const [fund, receivable] = [fundOf(program.id), receivableOf(program.pharmaCompanyId)];
  await ledger.openAccounts(use, [
    { ref: fund, ownerName: program.programName },
    { ref: receivable, ownerName: program.companyName },
  ]);
  await ledger.post(use, {
    ...common(program, actor),
    businessKey: `settlement:program:${program.id}:${key}`,
    type: 'DR_PROGRAM_COMMIT',
    debit: [{ account: receivable, amount: fen }],
    credit: [{ account: fund, amount: fen }],
  });
}

/** What a programme did not spend the company does not owe any longer. */
export async function giveRest(use: Posting, kernel: Kernel, program: ProgramRecord, actor: Actor): Promise<void> {
  const rest = BigInt(program.budgetFen) - BigInt(program.usedFen);
  if (rest === 0n) return;
  await ledgerOf(kernel).post(use, {
    ...common(program, actor),
    businessKey: `settlement:program:${program.id}:rest`,
    type: 'DR_PROGRAM_RETURN',
    debit: [{ account: fundOf(program.id), amount: rest }],
    credit: [{ account: receivableOf(program.pharmaCompanyId), amount: rest }],
  });
}

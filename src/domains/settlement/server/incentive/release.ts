import { refuse } from '#kernel/contract/errors.ts';
import { sql } from 'kysely';
import type { Acting } from '#kernel/server/command/acting.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import type { Ledger } from '#domains/ledger/server/index.ts';
import { settlementErrors } from '../../contract/errors.ts';
import { incomeRecords, type IncomeRecord } from '../access.ts';
import { own } from '../database.ts';
import type { Due } from '../income/postings.ts';
import { moveIncome, settleBooks } from '../income/write.ts';
import { leftOf, lockProgram, noBudget, spend } from './fund.ts';

const CHUNK = 200;

/**
 * Frees what waited: what was done while a programme was paused has its money set aside, what found no budget takes what there is now,
 * the oldest first.
 * @returns whether there may be more
 */
export async function releaseWaiting(ctx: Acting, ledger: Ledger, programId: string): Promise<boolean> {
  const program = await lockProgram(ctx.tx, programId);
  if (program.status !== 'ACTIVE' && program.status !== 'ENDED') return false;
  const waiting = await own(ctx.tx)
    .selectFrom('settlementIncome')
    .selectAll()
    .where('programId', '=', programId)
    .where('status', '=', 'HELD')
    .where('waitsFor', 'is not', null)
    .orderBy(sql`waits_for = 'BUDGET'`)
    .orderBy('id')
    .limit(CHUNK)
    .forUpdate()
    .execute();
  let left = leftOf(program);
  let [used, reserved] = [0n, 0n];
  const due: Due[] = [];
  for (const income of waiting) {
    const gross = BigInt(income.grossFen);
    if (income.waitsFor === 'PAUSE') reserved -= gross;
    else if (gross > left) continue;
    else left -= gross;
    used += gross;
    due.push({ income: await moveIncome(ctx, income, 'release', '', { waitsFor: null }), step: 'accrue' });
  }
  await spend(ctx.tx, programId, { used, reserved });
  await settleBooks(ctx, ledger, due);
  return waiting.length === CHUNK && due.length > 0;
}

/**
 * Somebody frees one that waits, before the job does.
 * @throws Refusal SCM19036 while its programme is paused; SCM19032 without budget for it
 */
export async function unholdWaiting(
  ctx: CommandContext,
  ledger: Ledger,
  programId: string,
  { id, version, opinion }: { id: string; version: number; opinion: string },
): Promise<IncomeRecord> {
  const program = await lockProgram(ctx.tx, programId);
  const income = await incomeRecords.lockVersion(ctx, id, version);
  if (program.status === 'PAUSED') throw refuse(settlementErrors.PROGRAM_PAUSED, { no: program.programNo });
  const gross = BigInt(income.grossFen);
  const isSetAside = income.waitsFor === 'PAUSE';
  if (!isSetAside && gross > leftOf(program)) throw noBudget(gross, leftOf(program));
  const freed = await moveIncome(ctx, income, 'unholdPending', opinion, { waitsFor: null });
  await spend(ctx.tx, programId, { used: gross, reserved: isSetAside ? -gross : 0n });
  await settleBooks(ctx, ledger, [{ income: freed, step: 'accrue' }], { id: ctx.staff.userId, name: ctx.staff.displayName });
  return freed;
}

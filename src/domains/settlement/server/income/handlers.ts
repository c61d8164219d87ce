import { refuse } from '#kernel/contract/errors.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { trailOf } from '#kernel/server/audit/transition.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command, query } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { ledgerOf } from '#domains/ledger/server/index.ts';
import { holdIncome, incomeTrace, queryIncomeDetail, reverseIncome, unholdIncome } from '../../contract/calls/income.ts';
import { settlementErrors } from '../../contract/errors.ts';
import { incomeMachine } from '../../contract/states.ts';
import { incomeRecords, type IncomeRecord } from '../access.ts';
import { own } from '../database.ts';
import { giveBack, lockProgram } from '../incentive/fund.ts';
import { unholdWaiting } from '../incentive/release.ts';
import { incomeRow } from './list.ts';
import { backOf, moveIncome, settleBooks } from './write.ts';

const answer = (ctx: CommandContext, row: IncomeRecord) => ({
  ...actionAnswer(ctx, incomeMachine, { ...row, state: row.status }),
  state: row.status,
});
const actorOf = ({ staff }: CommandContext) => ({ id: staff.userId, name: staff.displayName });

export const detail = (kernel: Kernel) =>
  query(queryIncomeDetail, async ({ id }, ctx) => {
    const income = await incomeRow(ctx.db, id, ctx.has);
    if (!income) throw incomeRecords.missing();
    const row = await incomeRecords.get(ctx.db, ctx.staff, id);
    const original =
      row.originalItemId === null
        ? null
        : await own(ctx.db).selectFrom('settlementIncome').select('incomeNo').where('id', '=', row.originalItemId).executeTakeFirst();
    const transfers = await ledgerOf(kernel).transfersOf(ctx.db, { type: 'settlementIncome', id });
    return {
      income,
      trace: incomeTrace.parse(row.calcTrace),
      originalNo: original?.incomeNo ?? null,
      transfers: transfers.map(({ transferId, transferNo, entries }) => ({
        transferId,
        transferNo,
        amountFen: entries.reduce((sum, { side, amount }) => sum + (side === 'D' ? Number(amount) : 0), 0),
      })),
      trail: await trailOf(ctx.db, incomeRecords.type, id),
    };
  });

/** @throws Refusal SCM19011 for an income that is being paid */
function requireFree({ billId }: IncomeRecord): void {
  if (billId !== null) throw refuse(settlementErrors.IN_BILL);
}

/** What is stopped is left out of every run; what was taken back or adjusted cannot be stopped. */
export const hold = command(holdIncome, async ({ id, version, opinion }, ctx) => {
  const income = await incomeRecords.lockVersion(ctx, id, version);
  requireFree(income);
  if (BigInt(income.grossFen) < 0n) throw refuse(settlementErrors.TAKEN_BACK, { what: '挂起' });
  return answer(ctx, await moveIncome(ctx, income, 'hold', opinion, { holdReason: opinion }));
});

/** @throws Refusal SCM19012 for whoever held it */
export const unhold = (kernel: Kernel) =>
  command(unholdIncome, async ({ id, version, opinion }, ctx) => {
    const { programId, waitsFor } = await incomeRecords.get(ctx.tx, ctx.staff, id);
    if (programId !== null && waitsFor !== null)
      return answer(ctx, await unholdWaiting(ctx, ledgerOf(kernel), programId, { id, version, opinion }));
    const income = await incomeRecords.lockVersion(ctx, id, version);
    const holder = (await trailOf(ctx.tx, incomeRecords.type, id)).findLast(({ action }) => action === 'hold');
    if (income.status === 'HELD' && holder?.opNo === ctx.staff.opNo) throw refuse(settlementErrors.OWN_HOLD);
    const isDue = income.availableAt <= ctx.now;
    const freed = await moveIncome(ctx, income, isDue ? 'unhold' : income.matured ? 'unhold' : 'unholdPending', opinion, {
      matured: income.matured || isDue,
    });
    if (isDue && !income.matured) await settleBooks(ctx, ledgerOf(kernel), [{ income: freed, step: 'mature' }], actorOf(ctx));
    return answer(ctx, freed);
  });

export const reverse = (kernel: Kernel) =>
  command(reverseIncome, async ({ id, version, opinion }, ctx) => {
    const { programId } = await incomeRecords.get(ctx.tx, ctx.staff, id);
    // A programme is locked before its incomes, everywhere.
    const program = programId === null ? null : await lockProgram(ctx.tx, programId);
    const income = await incomeRecords.lockVersion(ctx, id, version);
    requireFree(income);
    if (BigInt(income.grossFen) < 0n) throw refuse(settlementErrors.TAKEN_BACK, { what: '冲回' });
    const reversed = await moveIncome(ctx, income, 'reverse', opinion);
    const answered = answer(ctx, reversed);
    if (program) await giveBack(ctx, program, reversed);
    await settleBooks(ctx, ledgerOf(kernel), backOf(reversed), actorOf(ctx));
    return answered;
  });

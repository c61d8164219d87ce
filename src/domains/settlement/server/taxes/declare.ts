import { refuse } from '#kernel/contract/errors.ts';
import { yuan } from '#kernel/contract/money.ts';
import { dayOf } from '#kernel/contract/time.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { command } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { ledgerOf, type Actor, type Ledger } from '#domains/ledger/server/index.ts';
import { markTaxDeclared } from '../../contract/calls/taxes.ts';
import { settlementErrors } from '../../contract/errors.ts';
import { taxMonthMachine } from '../../contract/taxStates.ts';
import { taxMonthRecords, type TaxMonthRecord } from '../access.ts';
import { cashOf, taxPayableOf } from '../chart.ts';
import { own } from '../database.ts';
import { correctionKey, sumsOf, type MonthSums } from './month.ts';

/** @throws Refusal SCM19017 for a month that is not over, SCM19018 while the bank has not answered all of its payments */
export async function requireFinal(ctx: Pick<Acting, 'tx' | 'now'>, month: TaxMonthRecord): Promise<MonthSums> {
  if (dayOf(ctx.now).slice(0, 7) <= month.taxMonth) throw refuse(settlementErrors.MONTH_RUNNING, { month: month.taxMonth });
  const sums = await sumsOf(ctx.tx, month);
  if (sums.openCount > 0) throw refuse(settlementErrors.ROWS_OPEN, { month: month.taxMonth, n: sums.openCount });
  return sums;
}

/** A locked month is declared, or corrected: what is owed to the tax office by then is paid, or comes back. */
export async function declareMonth(
  ctx: Acting,
  ledger: Ledger,
  month: TaxMonthRecord,
  taxFen: bigint,
  actor: Actor,
): Promise<TaxMonthRecord> {
  const status = await moveState(ctx, taxMonthMachine, {
    targetType: taxMonthRecords.type,
    targetId: month.id,
    targetNo: month.taxMonth,
    action: month.status === 'CORRECTING' ? 'correct' : 'declare',
    from: month.status,
  });
  const declareCount = month.declareCount + 1;
  const row = await own(ctx.tx)
    .updateTable('settlementTaxMonth')
    .set((eb) => ({
      status,
      declaredFen: String(taxFen),
      declareCount,
      declaredBy: actor.id,
      declaredByName: actor.name,
      declaredAt: ctx.now,
      version: eb('version', '+', 1),
      ...updatedColumns(ctx),
    }))
    .where('id', '=', month.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  const dueFen = taxFen - BigInt(month.declaredFen);
  if (dueFen === 0n) return row;
  const [amount, isBack] = dueFen < 0n ? [-dueFen, true] : [dueFen, false];
  const tax = [{ account: taxPayableOf(month.payerEntityId), amount }];
  const cash = [{ account: cashOf(month.payerEntityId), amount }];
  const first = `settlement:tax:${month.payerEntityId}:${month.taxMonth}`;
  await ledger.post(ctx, {
    businessKey: declareCount === 1 ? first : `${first}:${declareCount}`,
    book: 'DOCTOR',
    type: isBack ? 'DR_TAX_REFUND' : 'DR_TAX_PAID',
    debit: isBack ? cash : tax,
    credit: isBack ? tax : cash,
    ref: { type: 'settlementTaxMonth', id: month.id, no: month.taxMonth },
    actor,
  });
  return row;
}

/** @throws Refusal SCM19017, SCM19018; SCM19019 where the records say another sum than the file that was handed in */
export const declare = (kernel: Kernel) =>
  command(markTaxDeclared, async ({ id, version, taxFen }, ctx) => {
    const month = await taxMonthRecords.lockVersion(ctx, id, version);
    const sums = await requireFinal(ctx, month);
    if (sums.taxFen !== BigInt(taxFen)) throw refuse(settlementErrors.TAX_CHANGED, { a: yuan(sums.taxFen, true) });
    await kernel.ports.notices.closeTodo(ctx.tx, correctionKey(month), ctx.now);
    const row = await declareMonth(ctx, ledgerOf(kernel), month, sums.taxFen, { id: ctx.staff.userId, name: ctx.staff.displayName });
    return { ...actionAnswer(ctx, taxMonthMachine, { ...row, state: row.status }), state: row.status };
  });

import { dayOf, type Instant } from '#kernel/contract/time.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import { createdColumns } from '#kernel/server/command/stampedColumns.ts';
import { SYSTEM, type Actor, type Ledger } from '#domains/ledger/server/index.ts';
import type { BillRecord } from '../access.ts';
import { frozenWith } from '../accounts/ledgerFreezes.ts';
import { clawbackOf, payableOf } from '../chart.ts';
import { own } from '../database.ts';
import { taxesOf } from '../payout/tax.ts';
import { isBillable, leastOf, lockLines, ROLLED, STOPPED, sumUp, type BillLine, type BillSums, type RunScope } from './collect.ts';

/** Sums as the row of a bill keeps them. */
export const sumColumns = (sums: BillSums) => ({
  itemCount: sums.itemCount,
  consultFen: String(sums.consultFen),
  followUpFen: String(sums.followUpFen),
  incentiveFen: String(sums.incentiveFen),
  adjustFen: String(sums.adjustFen),
  clawbackFen: String(sums.clawbackFen),
  grossFen: String(sums.grossFen),
  carryInFen: String(sums.carryInFen),
});

/** What would be withheld if the bill were paid now. */
export async function estimateOf(ctx: Pick<Acting, 'tx' | 'now'>, bill: { payerEntityId: string; doctorId: string; grossFen: string }) {
  const taxes = await taxesOf(ctx.tx, bill.payerEntityId, dayOf(ctx.now).slice(0, 7), [bill]);
  return taxes.get(bill.doctorId)!.taxFen;
}

/** Incomes are in at most one bill: those that are in it are in no other until they are free again. */
export async function lockIncomes({ tx, now }: Pick<Acting, 'tx' | 'now'>, billId: string, lines: readonly BillLine[]): Promise<void> {
  await own(tx)
    .updateTable('settlementIncome')
    .set((eb) => ({ status: 'LOCKED' as const, billId, version: eb('version', '+', 1), updatedAt: now, updatedBy: null }))
    .where(
      'id',
      'in',
      lines.map(({ id }) => id),
    )
    .execute();
}
export const freeIncomes = ({ tx, now }: Pick<Acting, 'tx' | 'now'>, billId: string) =>
  own(tx)
    .updateTable('settlementIncome')
    .set((eb) => ({ status: 'AVAILABLE' as const, billId: null, version: eb('version', '+', 1), updatedAt: now, updatedBy: null }))
    .where('billId', '=', billId)
    .where('status', '=', 'LOCKED')
    .execute();

type Held = Pick<BillRecord, 'id' | 'billNo' | 'doctorId' | 'payerEntityId' | 'grossFen' | 'holdSeq'>;

/** What the doctor owes is set against what is payable, then the bill's sum is set aside: nothing that is taken back later eats it. */
export async function holdBill(ctx: Acting, ledger: Ledger, bill: Held, actor: Actor = SYSTEM): Promise<void> {
  const payable = payableOf(bill.doctorId, bill.payerEntityId);
  const claw = clawbackOf(bill.doctorId, bill.payerEntityId);
  const n = bill.holdSeq + 1;
  const ref = { type: 'settlementBill', id: bill.id, no: bill.billNo };
  const doctor = await own(ctx.tx)
    .selectFrom('settlementDoctor')
    .select('name')
    .where('doctorId', '=', bill.doctorId)
    .executeTakeFirstOrThrow();
  await ledger.openAccounts(ctx, [
    { ref: payable, ownerName: doctor.name },
    { ref: claw, ownerName: doctor.name },
  ]);
  await ledger.lock(ctx, [payable, claw]);
  const [free, owed] = await ledger.balances(ctx.tx, [payable, claw], ctx.now);
  const netted = free!.available < owed!.posted ? free!.available : owed!.posted;
  if (netted > 0n)
    await ledger.post(ctx, {
      businessKey: `settlement:bill:${bill.id}:net:${n}`,
      book: 'DOCTOR',
      type: 'DR_NET',
      debit: [{ account: payable, amount: netted }],
      credit: [{ account: claw, amount: netted }],
      ref,
      actor,
    });
  const { holdId } = await ledger.hold(ctx, {
    businessKey: `settlement:bill:${bill.id}:hold:${n}`,
    book: 'DOCTOR',
    legs: [{ account: payable, amount: BigInt(bill.grossFen) }],
    expiresAt: null,
    ref,
    actor,
  });
  await own(ctx.tx).updateTable('settlementBill').set({ holdId, holdSeq: n }).where('id', '=', bill.id).execute();
}

export const releaseBill = (
  ctx: Acting,
  ledger: Ledger,
  bill: Pick<BillRecord, 'id' | 'holdId' | 'holdSeq'>,
  reason: string,
  actor: Actor,
) => ledger.release(ctx, { holdId: bill.holdId!, businessKey: `settlement:bill:${bill.id}:release:${bill.holdSeq}`, reason, actor });

interface Run extends RunScope {
  id: string;
  startedBy: string | null;
}

/** The bill of one doctor in a run; without enough for one the reason is kept. @param at when it is made */
export async function buildBill(ctx: Acting, ledger: Ledger, run: Run, doctorId: string, at: Instant = ctx.now): Promise<void> {
  const lines = await lockLines(ctx.tx, run, doctorId);
  if (lines.length === 0) return;
  const sums = sumUp(run.period, lines);
  const isFrozen = (await frozenWith(ctx.tx, run.payerEntityId, [doctorId])).size > 0;
  if (isFrozen || !isBillable(sums.grossFen, await leastOf(ctx.tx, run, doctorId))) {
    await own(ctx.tx)
      .insertInto('settlementRunSkip')
      .values({ runId: run.id, doctorId, grossFen: String(sums.grossFen), reason: isFrozen ? STOPPED : ROLLED })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return;
  }
  const bill = await own(ctx.tx)
    .insertInto('settlementBill')
    .values({
      billNo: await nextNumber(ctx.tx, 'JS', dayOf(at)),
      runId: run.id,
      period: run.period,
      doctorId,
      payerEntityId: run.payerEntityId,
      ...sumColumns(sums),
      estTaxFen: String(await estimateOf(ctx, { payerEntityId: run.payerEntityId, doctorId, grossFen: String(sums.grossFen) })),
      ...createdColumns({ now: at, userId: run.startedBy }),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await lockIncomes(ctx, bill.id, lines);
  await holdBill(ctx, ledger, bill);
}

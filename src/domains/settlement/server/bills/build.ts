import { dayOf, type Instant } from '#kernel/contract/time.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import { createdColumns } from '#kernel/server/command/stampedColumns.ts';
import { getDoctors } from '#domains/doctor/server/index.ts';
import { SYSTEM, type Actor, type Ledger } from '#domains/ledger/server/index.ts';
import type { BillRecord } from '../access.ts';
import { frozenWith } from '../accounts/ledgerFreezes.ts';
import { clawbackOf, payableOf } from '../chart.ts';
import { own } from '../database.ts';
import { taxesOf } from '../payout/tax.ts';
import { isBillable, leastFor, lockLines, ROLLED, STOPPED, sumUp, type BillLine, type BillSums, type RunScope } from './collect.ts';

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

/** What a doctor owes is set against what is payable, then the bill's sum is set aside; his accounts are locked. */
async function setAside(ctx: Acting, ledger: Ledger, bill: Held, actor: Actor): Promise<void> {
  const payable = payableOf(bill.doctorId, bill.payerEntityId);
  const claw = clawbackOf(bill.doctorId, bill.payerEntityId);
  const n = bill.holdSeq + 1;
  const ref = { type: 'settlementBill', id: bill.id, no: bill.billNo };
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

/** Sums of bills are set aside, their accounts locked together: nothing that is taken back later eats them. */
async function holdBills(ctx: Acting, ledger: Ledger, bills: readonly Held[], actor: Actor): Promise<void> {
  if (bills.length === 0) return;
  const doctorIds = bills.map(({ doctorId }) => doctorId);
  const doctors = await own(ctx.tx)
    .selectFrom('settlementDoctor')
    .select(['doctorId', 'name'])
    .where('doctorId', 'in', doctorIds)
    .execute();
  const names = new Map(doctors.map(({ doctorId, name }) => [doctorId, name]));
  const accounts = bills.flatMap(({ doctorId, payerEntityId }) =>
    [payableOf, clawbackOf].map((of) => ({ ref: of(doctorId, payerEntityId), ownerName: names.get(doctorId) ?? doctorId })),
  );
  await ledger.openAccounts(ctx, accounts);
  await ledger.lock(
    ctx,
    accounts.map(({ ref }) => ref),
  );
  for (const bill of bills) await setAside(ctx, ledger, bill, actor);
}
export const holdBill = (ctx: Acting, ledger: Ledger, bill: Held, actor: Actor = SYSTEM): Promise<void> =>
  holdBills(ctx, ledger, [bill], actor);

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

type Due = Pick<BillRecord, 'doctorId' | 'payerEntityId' | 'grossFen'> & { lines: readonly BillLine[]; sums: BillSums };
/** Who of these doctors gets a bill; of the others the reason is kept. */
async function dueOf({ tx }: Pick<Acting, 'tx'>, run: Run, doctorIds: readonly string[]): Promise<Due[]> {
  const byDoctor = Map.groupBy(await lockLines(tx, run, doctorIds), ({ doctorId }) => doctorId);
  const doctors = new Map((await getDoctors(tx, doctorIds)).map((doctor) => [doctor.doctorId, doctor]));
  const frozen = await frozenWith(tx, run.payerEntityId, doctorIds);
  const due: Due[] = [];
  for (const [doctorId, lines] of byDoctor) {
    const sums = sumUp(run.period, lines);
    const isFrozen = frozen.has(doctorId);
    const grossFen = String(sums.grossFen);
    if (!isFrozen && isBillable(sums.grossFen, await leastFor(tx, run, doctorId, doctors.get(doctorId))))
      due.push({ doctorId, payerEntityId: run.payerEntityId, grossFen, lines, sums });
    else
      await own(tx)
        .insertInto('settlementRunSkip')
        .values({ runId: run.id, doctorId, grossFen, reason: isFrozen ? STOPPED : ROLLED })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
  }
  return due;
}

/** Bills of doctors in a run; without enough for one the reason is kept. @param at when they are made */
export async function buildBills(
  ctx: Acting,
  ledger: Ledger,
  run: Run,
  doctorIds: readonly string[],
  at: Instant = ctx.now,
): Promise<void> {
  const due = await dueOf(ctx, run, doctorIds);
  const taxes = await taxesOf(ctx.tx, run.payerEntityId, dayOf(ctx.now).slice(0, 7), due);
  const bills: Held[] = [];
  for (const { doctorId, lines, sums } of due) {
    const bill = await own(ctx.tx)
      .insertInto('settlementBill')
      .values({
        billNo: await nextNumber(ctx.tx, 'JS', dayOf(at)),
        runId: run.id,
        period: run.period,
        doctorId,
        payerEntityId: run.payerEntityId,
        ...sumColumns(sums),
        estTaxFen: String(taxes.get(doctorId)!.taxFen),
        ...createdColumns({ now: at, userId: run.startedBy }),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await lockIncomes(ctx, bill.id, lines);
    bills.push(bill);
  }
  await holdBills(ctx, ledger, bills, SYSTEM);
}

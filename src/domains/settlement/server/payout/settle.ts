import { sql } from 'kysely';
import { batchFinished } from '#events/settlement.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { known } from '#kernel/server/money/inquiry.ts';
import { ledgerErrors } from '#domains/ledger/contract/errors.ts';
import { SYSTEM, tryLedger, type Actor, type Ledger } from '#domains/ledger/server/index.ts';
import { payoutItemMachine } from '../../contract/payoutStates.ts';
import { billRecords, payoutRecords, type BillRecord, type PayoutRecord } from '../access.ts';
import { holdBill } from '../bills/build.ts';
import { moveBill } from '../bills/handlers.ts';
import { cashOf, clawbackOf, inTransitOf, payableOf, taxPayableOf } from '../chart.ts';
import { own } from '../database.ts';
import { refreshBalances } from '../doctors/balance.ts';
import { moveBatch } from './batches.ts';
import { noteTaxChange } from '../taxes/month.ts';
import { noteMessage } from './messages.ts';
import { lockTaxes } from './tax.ts';

/** What the bank says of one payment. */
export interface Outcome {
  itemId: string;
  result: 'SUCCESS' | 'FAILED' | 'RETURNED';
  serial: string | null;
  day: string | null;
  failReason: string | null;
}

const lockItem = (ctx: Pick<Acting, 'tx'>, id: string) =>
  own(ctx.tx).selectFrom('settlementPayoutItem').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow();
type Item = Awaited<ReturnType<typeof lockItem>>;
type Step = (ledger: Ledger) => Promise<unknown>;

const ACTIONS = { SUCCESS: 'succeed', FAILED: 'fail', RETURNED: 'return' } as const;
const refOf = (item: Item) => ({ type: 'settlementPayout', id: item.id, no: item.bizRef });

/** The record of a payment that did not reach the doctor is taken back in its month. */
const takeTaxBack = (ctx: Acting, itemId: string) =>
  sql`
  insert into settlement_tax_record (
    payer_entity_id, doctor_id, payout_item_id, tax_month, method, run_from, gross_fen, taxable_fen, rate_bp, cum_tax_fen, previous_tax_fen,
    tax_fen, is_back, created_at
  )
    select r.payer_entity_id, r.doctor_id, r.payout_item_id, r.tax_month, r.method, r.run_from, -r.gross_fen, -r.taxable_fen, r.rate_bp,
        -r.cum_tax_fen, -r.previous_tax_fen, -r.tax_fen, true, ${ctx.now}::timestamptz
      from settlement_tax_record r
      where r.payout_item_id = ${itemId} and not r.is_back`.execute(ctx.tx);

const settleIncomes = (ctx: Acting, billId: string, paid: boolean) =>
  own(ctx.tx)
    .updateTable('settlementIncome')
    .set((eb) => ({
      status: paid ? ('SETTLED' as const) : ('LOCKED' as const),
      version: eb('version', '+', 1),
      updatedAt: ctx.now,
      updatedBy: null,
    }))
    .where('billId', '=', billId)
    .execute();

/** What did not reach the doctor is set aside anew; of an account that is frozen when the payment is tried again. */
async function holdIfOpen(ctx: Acting, ledger: Ledger, bill: BillRecord, actor: Actor): Promise<void> {
  const held = await tryLedger(ctx.tx, () => holdBill(ctx, ledger, bill, actor));
  if ('refused' in held && held.refused.code !== ledgerErrors.FROZEN.code) throw held.refused;
}

/** Rows, bill and taxes follow what the bank says of one payment. @returns what then happens in the books */
async function takeOutcome(ctx: Acting, item: Item, outcome: Outcome, payerId: string, actor: Actor): Promise<Step[]> {
  const status = await moveState(ctx, payoutItemMachine, {
    targetType: 'settlement.payoutItem',
    targetId: item.id,
    targetNo: item.bizRef,
    action: ACTIONS[outcome.result],
    from: item.status,
    opinion: outcome.failReason ?? '',
  });
  const bill = await billRecords.lock(ctx.tx, billRecords.everyone, item.billId);
  const isPaid = outcome.result === 'SUCCESS';
  const write = (more: object) =>
    own(ctx.tx)
      .updateTable('settlementPayoutItem')
      .set((eb) => ({ ...more, status, ...known, version: eb('version', '+', 1), updatedAt: ctx.now }))
      .where('id', '=', item.id)
      .execute();
  if (isPaid) {
    await moveBill(ctx, bill, 'paid', '');
    await noteMessage(ctx, item.id, 'PAID');
    await settleIncomes(ctx, bill.id, true);
    return [
      async (ledger) => {
        const { transferId } = await ledger.post(ctx, {
          businessKey: `settlement:payout:${item.id}:paid`,
          book: 'DOCTOR',
          type: 'DR_PAID',
          debit: [{ account: inTransitOf(payerId), amount: BigInt(item.netFen) }],
          credit: [{ account: cashOf(payerId), amount: BigInt(item.netFen) }],
          ref: refOf(item),
          actor,
        });
        await write({ paidTransferId: transferId, bankSerialNo: outcome.serial, bankDay: outcome.day });
      },
    ];
  }
  await write({ failReason: outcome.failReason });
  await noteMessage(ctx, item.id, 'FAILED');
  await takeTaxBack(ctx, item.id);
  if (outcome.result === 'RETURNED') await settleIncomes(ctx, bill.id, false);
  const failed = await moveBill(ctx, bill, outcome.result === 'RETURNED' ? 'returned' : 'failed', '', { failedPayeeNo: item.payeeNo });
  const reverse =
    (transfer: string, step: string): Step =>
    (ledger) =>
      ledger.reverse(ctx, {
        transfer,
        businessKey: `settlement:payout:${item.id}:${step}`,
        reason: outcome.failReason ?? '付款未成功',
        actor,
      });
  return [
    ...(outcome.result === 'RETURNED' ? [reverse(item.paidTransferId!, 'returned')] : []),
    reverse(item.captureTransferId!, 'failed'),
    (ledger) => holdIfOpen(ctx, ledger, failed, actor),
  ];
}

/** A batch follows its rows: it is over when none of them is open, and stays partly failed while one of them did not reach its doctor. */
async function follow(ctx: Acting, batchId: string): Promise<void> {
  const batch = await payoutRecords.lock(ctx.tx, payoutRecords.everyone, batchId);
  const { rows } = await sql<{ open: number; lost: number }>`
    select count(*) filter (where status in ('PENDING', 'UNKNOWN'))::int as open,
        count(*) filter (where status in ('FAILED', 'RETURNED'))::int as lost
      from settlement_payout_item where batch_id = ${batchId}`.execute(ctx.tx);
  const { open, lost } = rows[0]!;
  if (open > 0) return;
  const change = { finishedAt: batch.finishedAt ?? ctx.now };
  if (lost > 0 && batch.status !== 'PARTIAL') await moveBatch(ctx, batch, 'finishPart', '', change);
  else if (lost === 0 && batch.status === 'EXPORTED') await moveBatch(ctx, batch, 'finish', '', change);
  if (batch.finishedAt === null) await tellFinished(ctx, batch);
}

/** Others hear once that a batch is over; what comes back later changes only its records. */
async function tellFinished(ctx: Acting, { id, batchNo, payerEntityId, taxMonth }: PayoutRecord): Promise<void> {
  const { rows } = await sql<{ success: string; tax: string; fail: string }>`
    select coalesce(sum(net_fen) filter (where status = 'SUCCESS'), 0)::text as success,
        coalesce(sum(tax_fen) filter (where status = 'SUCCESS'), 0)::text as tax,
        coalesce(sum(net_fen) filter (where status in ('FAILED', 'RETURNED')), 0)::text as fail
      from settlement_payout_item where batch_id = ${id}`.execute(ctx.tx);
  const { success, tax, fail } = rows[0]!;
  await ctx.publish(batchFinished, id, {
    batchNo,
    payerEntityId,
    taxMonth,
    successFen: Number(success),
    taxFen: Number(tax),
    failFen: Number(fail),
  });
}

/**
 * What the bank says of payments of one batch, in its order: a payment may succeed and come back. Rows, bills, incomes, taxes and books
 * follow each of them; the books last.
 */
export async function settlePayouts(
  ctx: Acting,
  ledger: Ledger,
  batchId: string,
  outcomes: readonly Outcome[],
  actor: Actor = SYSTEM,
): Promise<void> {
  if (outcomes.length === 0) return;
  const { payerEntityId: payerId, taxMonth } = await payoutRecords.lock(ctx.tx, payoutRecords.everyone, batchId);
  const ids = [...new Set(outcomes.map(({ itemId }) => itemId))].toSorted((a, b) => Number(a) - Number(b));
  const items = [];
  for (const id of ids) items.push(await lockItem(ctx, id));
  await lockTaxes(ctx.tx, payerId, taxMonth, items);
  for (const { billId } of items) await billRecords.lock(ctx.tx, billRecords.everyone, billId);
  // Where a payment comes back, its month is declared anew.
  if (outcomes.some(({ result }) => result !== 'SUCCESS')) await noteTaxChange(ctx, payerId, taxMonth);
  await ledger.lock(ctx, [
    ...items.flatMap(({ doctorId }) => [payableOf(doctorId, payerId), clawbackOf(doctorId, payerId)]),
    inTransitOf(payerId),
    taxPayableOf(payerId),
    cashOf(payerId),
  ]);
  for (const outcome of outcomes) {
    const steps = await takeOutcome(ctx, await lockItem(ctx, outcome.itemId), outcome, payerId, actor);
    for (const step of steps) await step(ledger);
  }
  await follow(ctx, batchId);
  await refreshBalances(
    ctx,
    items.map(({ doctorId }) => doctorId),
  );
}

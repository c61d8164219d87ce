import { sql } from 'kysely';
import { billSettled } from '#events/card.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { Actor, Ledger, Posting } from '#domains/ledger/server/index.ts';
import { billMachine } from '../../contract/useStates.ts';
import { own } from '../database.ts';
import { cash } from '../chart.ts';
import { finishBatch, reopenBatch } from './batches.ts';
import { counterpartyAccount } from './bills.ts';

type Settling = Parameters<typeof moveState>[0] & Posting;

interface BillPayment {
  billId: string;
  /** Of the receipt or the payment. */
  paymentNo: string;
  /** Of the part of it that is for this bill; null: all of it is. */
  allocationId: string | null;
  /** Fen; negative: money that was counted goes back. */
  amount: bigint;
  at: string;
  actor: Actor;
}

const between = (least: bigint, value: bigint, most: bigint): bigint => (value < least ? least : value > most ? most : value);

/**
 * A payment of a bill, or one that is taken back, once by its allocation. A bill is settled by all that was paid of it together, in
 * whichever order it was told, at most by what was confirmed; a bill that is settled no longer is open again, with its batch.
 * @returns by how much the bill is settled more, or less
 */
export async function settleBill(use: Settling, ledger: Ledger, payment: BillPayment): Promise<bigint> {
  const { tx, now } = use;
  const bill = await own(tx).selectFrom('cardSettlementBill').selectAll().where('id', '=', payment.billId).forUpdate().executeTakeFirst();
  if (!bill || payment.amount === 0n) return 0n;
  const key = payment.allocationId ?? payment.paymentNo;
  const { rows } = await sql`
    insert into card_bill_payment (bill_id, payment_no, allocation_key, amount, paid_at, created_at)
      values (
        ${bill.id}, ${payment.paymentNo}, ${key}, ${String(payment.amount)}, ${payment.at}::timestamptz, ${now}::timestamptz
      )
      on conflict (bill_id, allocation_key) do nothing
      returning id`.execute(tx);
  if (rows.length === 0 || bill.confirmedAmount === null) return 0n;
  const { rows: sums } = await sql<{ paid: string }>`
    select sum(amount) as paid from card_bill_payment where bill_id = ${bill.id}`.execute(tx);
  const confirmed = BigInt(bill.confirmedAmount);
  const settled = between(0n, BigInt(sums[0]!.paid), confirmed);
  const change = settled - BigInt(bill.settledAmount);
  const action =
    change > 0n ? (settled === confirmed ? 'settle' : 'settleModule') : settled === 0n ? ('takeBack' as const) : ('takeBackPart' as const);
  if (change === 0n || !billMachine.canStart(action, bill.status)) return 0n;
  const status = await moveState(use, billMachine, {
    targetType: 'card.settlementBill',
    targetId: bill.id,
    targetNo: bill.billNo,
    action,
    from: bill.status,
    opinion: payment.paymentNo,
  });
  await own(tx)
    .updateTable('cardSettlementBill')
    .set((eb) => ({ settledAmount: String(settled), paymentNo: payment.paymentNo, status, version: eb('version', '+', 1) }))
    .where('id', '=', bill.id)
    .execute();
  await use.publish(billSettled, bill.id, {
    billId: bill.id,
    billNo: bill.billNo,
    direction: bill.direction,
    counterpartyId: bill.counterpartyId,
    amount: Number(change),
    paymentNo: payment.paymentNo,
    at: payment.at,
  });
  if (status === 'SETTLED') await finishBatch(use, bill.batchId);
  else if (bill.status === 'SETTLED') await reopenBatch(use, bill.batchId);
  const account = counterpartyAccount(bill);
  await ledger.openAccount(use, cash, { ownerName: '平台' });
  await ledger.openAccount(use, account, { ownerName: bill.counterpartyName });
  const isPayable = bill.direction === 'PAYABLE';
  const isBack = change < 0n;
  const ours = [{ account: cash, amount: isBack ? -change : change }];
  const theirs = [{ account, amount: isBack ? -change : change }];
  // Cash goes out for what is owed to a merchant, or comes back of it; of a funder it is the other way.
  const cashGoesOut = isPayable !== isBack;
  await ledger.post(use, {
    businessKey: `card:pay:${key}:${bill.id}`,
    book: 'CARD',
    type: `CARD_${isBack ? 'UNSETTLE' : 'SETTLE'}_${isPayable ? 'PAYABLE' : 'RECEIVABLE'}`,
    debit: cashGoesOut ? theirs : ours,
    credit: cashGoesOut ? ours : theirs,
    ref: { type: 'cardSettlementBill', id: bill.id, no: bill.billNo },
    actor: payment.actor,
  });
  return change;
}

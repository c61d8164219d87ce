import { sql } from 'kysely';
import { dayOf, plusDays } from '#kernel/contract/time.ts';
import { lockKeys } from '#kernel/server/command/lockKeys.ts';
import { nextNumbers } from '#kernel/server/command/numbers.ts';
import type { Writing } from '#kernel/server/context.ts';
import { json, own } from '../database.ts';
import { candidatesOf, planBills, totalOf, type PlannedBill, type SettlementScope } from './candidates.ts';
import { checksOf } from './checks.ts';

/** Days after the end of a period within which a bill is to be settled. */
const DUE_DAYS = 30;

/** Whoever takes lines into bills and whoever frees them by voiding one wait for each other: what is carried on is free once. */
export const LINES_TAKEN = 'card.settlementLines';

interface LineValues {
  billId: string;
  direction: SettlementScope['direction'];
  lineNo: number;
  sourceType: string;
  sourceId: string | null;
  sourceNo: string;
  orderNo: string | null;
  amount: string;
  fee: string;
  net: string;
  carries: boolean;
  doneAt: string | null;
}

function linesOf(bill: PlannedBill, billId: string, billNo: string, direction: SettlementScope['direction']): LineValues[] {
  const lines = bill.lines.map((line, at): LineValues => ({
    billId,
    direction,
    lineNo: at + 1,
    sourceType: line.sourceType,
    sourceId: line.sourceId,
    sourceNo: line.sourceNo,
    orderNo: line.orderNo,
    amount: String(line.amount),
    fee: String(line.fee),
    net: String(line.amount - line.fee),
    carries: false,
    doneAt: line.doneAt,
  }));
  if (bill.carry > 0n)
    lines.push({
      billId,
      direction,
      lineNo: lines.length + 1,
      sourceType: 'ADJUST',
      sourceId: null,
      sourceNo: `${billNo}-结转下期`,
      orderNo: null,
      amount: String(bill.carry),
      fee: '0',
      net: String(bill.carry),
      carries: true,
      doneAt: null,
    });
  return lines;
}

/** Inserts many rows in few statements. */
async function insertLines({ tx }: Pick<Writing, 'tx'>, lines: readonly LineValues[], now: string): Promise<void> {
  for (let at = 0; at < lines.length; at += 2_000) {
    const part = lines.slice(at, at + 2_000);
    await sql`
      insert into card_settlement_line (
        bill_id, direction, line_no, source_type, source_id, source_no, order_no, amount, fee, net, carries, done_at, created_at
      )
        select u.*, ${now}::timestamptz
          from unnest(
            ${part.map((one) => one.billId)}::bigint[], ${part.map((one) => one.direction)}::text[],
            ${part.map((one) => one.lineNo)}::int[], ${part.map((one) => one.sourceType)}::text[],
            ${part.map((one) => one.sourceId)}::bigint[], ${part.map((one) => one.sourceNo)}::text[],
            ${part.map((one) => one.orderNo)}::text[], ${part.map((one) => one.amount)}::bigint[], ${part.map((one) => one.fee)}::bigint[],
            ${part.map((one) => one.net)}::bigint[], ${part.map((one) => one.carries)}::boolean[],
            ${part.map((one) => one.doneAt)}::timestamptz[]
          ) as u`.execute(tx);
  }
}

/** Makes the bills of a batch: exactly what its preview shows, by the same rules at the same cutoff. */
export async function buildBatch(writing: Pick<Writing, 'tx'>, batchId: string, now: string): Promise<void> {
  const { tx } = writing;
  await lockKeys(tx, LINES_TAKEN);
  const batch = await own(tx).selectFrom('cardSettlementBatch').selectAll().where('id', '=', batchId).forUpdate().executeTakeFirstOrThrow();
  if (batch.status !== 'GENERATING') return;
  const scope: SettlementScope = {
    direction: batch.direction,
    kind: batch.kind,
    bizLine: batch.bizLine,
    cutoffAt: batch.cutoffAt,
    counterpartyIds: batch.counterpartyIds,
  };
  const bills = planBills(await candidatesOf(tx, scope));
  const numbers = bills.length === 0 ? [] : await nextNumbers(tx, 'SL', dayOf(now), bills.length);
  for (const [at, bill] of bills.entries()) {
    const { id } = await own(tx)
      .insertInto('cardSettlementBill')
      .values({
        billNo: numbers[at]!,
        batchId,
        direction: batch.direction,
        counterpartyType: bill.counterpartyType,
        counterpartyId: bill.counterpartyId,
        counterpartyName: bill.counterpartyName,
        productCode: bill.productCode,
        lineCount: bill.lines.length + (bill.carry > 0n ? 1 : 0),
        grossAmount: String(bill.sums.gross),
        reversalAmount: String(bill.sums.reversal),
        feeAmount: String(bill.sums.fee),
        adjustAmount: String(bill.sums.adjust),
        netAmount: String(bill.sums.net),
        status: 'DRAFT',
        dueDate: plusDays(batch.periodTo, DUE_DAYS),
        createdAt: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await insertLines(writing, linesOf(bill, id, numbers[at]!, batch.direction), now);
  }
  const total = totalOf(bills);
  await own(tx)
    .updateTable('cardSettlementBatch')
    .set((eb) => ({
      billCount: bills.length,
      lineCount: total.lineCount,
      grossAmount: String(total.gross),
      reversalAmount: String(total.reversal),
      feeAmount: String(total.fee),
      netAmount: String(total.net),
      status: 'DRAFT' as const,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', batchId)
    .execute();
  await own(tx)
    .updateTable('cardSettlementBatch')
    .set({ checks: json(await checksOf(tx, batchId)) })
    .where('id', '=', batchId)
    .execute();
}

import { sql } from 'kysely';
import { billConfirmed } from '#events/card.ts';
import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { lockKeys } from '#kernel/server/command/lockKeys.ts';
import type { CommandContext, Tx } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { cardLimits } from '#domains/identity/server/index.ts';
import { attach } from '#domains/files/server/index.ts';
import { ledgerOf, type AccountRef, type Actor, type Ledger, type Posting } from '#domains/ledger/server/index.ts';
import { confirmBill, disputeBill, remindBill, resolveBillLine, voidBill } from '../../contract/calls/settlement.ts';
import { CARD_CONFIRM } from '../../contract/purposes.ts';
import { cardErrors } from '../../contract/errors.ts';
import { adjustmentOf, billSums } from '../../contract/rules/settlement.ts';
import type { resolutions } from '../../contract/useDictionaries.ts';
import { billMachine } from '../../contract/useStates.ts';
import { settlementBillRecords, type SettlementBillRecord } from '../access.ts';
import { own } from '../database.ts';
import { merchantPayable, receivableOf, settleDiff } from '../chart.ts';
import { finishBatch } from './batches.ts';
import { LINES_TAKEN } from './build.ts';
import {
  isAdjusted,
  requireCarriesFree,
  requireOtherConfirmer,
  requireTheirs,
  requireUndecided,
  requireWithinFactor,
} from './differences.ts';

/** Lines of a bill whose difference nobody has dealt with. */
export const UNRESOLVED = sql`l.live and l.match_state in ('AMOUNT_DIFF', 'OURS_ONLY', 'THEIRS_ONLY') and l.resolution is null`;
async function unresolvedOf(tx: Tx, billId: string): Promise<number> {
  const { rows } = await sql<{
    n: number;
  }>`select count(*)::int as n from card_settlement_line l where l.bill_id = ${billId} and ${UNRESOLVED}`.execute(tx);
  return rows[0]!.n;
}

/** Sums of a bill and of its batch, from its lines. */
async function sumUp(tx: Tx, bill: Pick<SettlementBillRecord, 'id' | 'batchId'>): Promise<bigint> {
  const lines = await own(tx)
    .selectFrom('cardSettlementLine')
    .select(['sourceType', 'amount', 'fee'])
    .where('billId', '=', bill.id)
    .where('live', '=', true)
    .execute();
  const sums = billSums(lines.map((line) => ({ sourceType: line.sourceType, amount: BigInt(line.amount), fee: BigInt(line.fee) })));
  await own(tx)
    .updateTable('cardSettlementBill')
    .set({
      lineCount: lines.length,
      grossAmount: String(sums.gross),
      reversalAmount: String(sums.reversal),
      feeAmount: String(sums.fee),
      adjustAmount: String(sums.adjust),
      netAmount: String(sums.net),
    })
    .where('id', '=', bill.id)
    .execute();
  await sql`
    update card_settlement_batch s
      set bill_count = b.bills, line_count = b.lines, gross_amount = b.gross, reversal_amount = b.reversal, fee_amount = b.fee,
        net_amount = b.net
      from (
        select count(*)::int as bills, coalesce(sum(line_count), 0) as lines, coalesce(sum(gross_amount), 0) as gross,
            coalesce(sum(reversal_amount), 0) as reversal, coalesce(sum(fee_amount), 0) as fee, coalesce(sum(net_amount), 0) as net
          from card_settlement_bill
          where batch_id = ${bill.batchId} and status <> 'VOIDED'
      ) b
      where s.id = ${bill.batchId}`.execute(tx);
  return sums.net;
}

type Action = keyof typeof billMachine.transitions;
async function move(ctx: CommandContext, bill: SettlementBillRecord, action: Action, opinion: string, more: object = {}) {
  const status = await moveState(ctx, billMachine, {
    targetType: 'card.settlementBill',
    targetId: bill.id,
    targetNo: bill.billNo,
    action,
    from: bill.status,
    opinion,
  });
  return touch(ctx, bill, { status, ...more });
}
async function touch(ctx: CommandContext, bill: SettlementBillRecord, more: object) {
  const row = await own(ctx.tx)
    .updateTable('cardSettlementBill')
    .set((eb) => ({ version: eb('version', '+', 1), ...more }))
    .where('id', '=', bill.id)
    .returning(['id', 'billNo', 'status', 'version', 'netAmount'])
    .executeTakeFirstOrThrow();
  return {
    ...actionAnswer(ctx, billMachine, { ...row, state: row.status }),
    state: row.status,
    billNo: row.billNo,
    net: Number(row.netAmount),
    unresolved: await unresolvedOf(ctx.tx, bill.id),
  };
}
const wrongState = (state: SettlementBillRecord['status']) =>
  refuse(platformErrors.WRONG_STATE, { state: billMachine.states[state].label });

/** What the counterparty told by word; its statement as a file comes by the import. */
export const dispute = command(disputeBill, async ({ billId, version, lines, opinion }, ctx) => {
  const bill = await settlementBillRecords.lockVersion(ctx, billId, version);
  if (!billMachine.canStart('dispute', bill.status) && bill.status !== 'DISPUTED') throw wrongState(bill.status);
  const stored = await own(ctx.tx)
    .selectFrom('cardSettlementLine')
    .select(['id', 'sourceNo', 'sourceType', 'amount', 'resolution'])
    .where('billId', '=', billId)
    .where('live', '=', true)
    .where(
      'id',
      'in',
      lines.map(({ lineId }) => lineId),
    )
    .execute();
  const { differenceFactor } = await cardLimits(ctx.tx);
  for (const { lineId, theirAmount } of lines) {
    const line = stored.find(({ id }) => id === lineId);
    if (!line) throw refuse(platformErrors.NOT_FOUND, { message: '结算明细不存在或已删除' });
    if (line.sourceType === 'ADJUST') throw refuseField('lines', '调整和结转的明细不能登记差异');
    requireUndecided(line);
    requireWithinFactor(line, BigInt(theirAmount), differenceFactor);
    await own(ctx.tx)
      .updateTable('cardSettlementLine')
      .set({
        theirAmount: String(theirAmount),
        matchState: BigInt(line.amount) === BigInt(theirAmount) ? 'MATCHED' : 'AMOUNT_DIFF',
        opinion: null,
        disputedBy: ctx.staff.userId,
        disputedByName: ctx.staff.displayName,
      })
      .where('id', '=', lineId)
      .execute();
  }
  if (!lines.some(({ lineId, theirAmount }) => Number(stored.find(({ id }) => id === lineId)?.amount) !== theirAmount))
    throw refuseField('lines', '请登记至少一条有差异的明细');
  return bill.status === 'DISPUTED' ? touch(ctx, bill, {}) : move(ctx, bill, 'dispute', opinion);
});

/** Where the books say what a bill's counterparty is owed, or owes. */
export const counterpartyAccount = (
  bill: Pick<SettlementBillRecord, 'direction' | 'counterpartyType' | 'counterpartyId' | 'productCode'>,
): AccountRef =>
  bill.direction === 'PAYABLE'
    ? merchantPayable(bill.counterpartyId)
    : receivableOf({ funder: bill.counterpartyType, funderId: bill.counterpartyId, productCode: bill.productCode });

/** The adjustment in the books: what the other side is owed more or less than was written off. */
async function postAdjustment(ctx: Posting, ledger: Ledger, bill: SettlementBillRecord, lineId: string, amount: bigint, actor: Actor) {
  const account = counterpartyAccount(bill);
  await ledger.openAccount(ctx, account, { ownerName: bill.counterpartyName });
  await ledger.openAccount(ctx, settleDiff, { ownerName: '平台' });
  const size = amount < 0n ? -amount : amount;
  // More is owed to a merchant, or less by a funder: the difference is ours.
  const ours = bill.direction === 'PAYABLE' ? amount > 0n : amount < 0n;
  const legs = [{ account: settleDiff, amount: size }];
  const theirs = [{ account, amount: size }];
  await ledger.post(ctx, {
    businessKey: `card:adj:${lineId}`,
    book: 'CARD',
    type: 'CARD_SETTLE_ADJ',
    debit: ours ? legs : theirs,
    credit: ours ? theirs : legs,
    ref: { type: 'cardSettlementBill', id: bill.id, no: bill.billNo },
    actor,
  });
}

/** What a decision adds to its bill. Of a write-off that is not owed at all there is no fee either. */
function changeOf(
  resolution: (typeof resolutions.codes)[number],
  line: { amount: string; fee: string; net: string },
  theirs: bigint,
): { amount: bigint; fee: bigint } {
  if (resolution === 'OURS') return { amount: 0n, fee: 0n };
  if (resolution === 'NEXT') return { amount: -BigInt(line.net), fee: 0n };
  return { amount: adjustmentOf(BigInt(line.amount), theirs), fee: theirs === 0n ? -BigInt(line.fee) : 0n };
}

/** One difference: ours stands, theirs does, or the line moves to the next period; the line itself is never changed. */
export const resolve = (kernel: Kernel) =>
  command(resolveBillLine, async ({ lineId, billId, version, resolution, opinion }, ctx) => {
    const bill = await settlementBillRecords.lockVersion(ctx, billId, version);
    if (bill.status !== 'DISPUTED') throw wrongState(bill.status);
    const line = await own(ctx.tx)
      .selectFrom('cardSettlementLine')
      .selectAll()
      .where('id', '=', lineId)
      .where('billId', '=', billId)
      .where('live', '=', true)
      .executeTakeFirst();
    if (!line) throw refuse(platformErrors.NOT_FOUND, { message: '结算明细不存在或已删除' });
    if (line.resolution !== null || line.matchState === 'MATCHED' || line.matchState === 'UNCHECKED')
      throw refuseField('resolution', '该明细没有待处理的差异');
    const theirs = BigInt(line.theirAmount ?? '0');
    const change = changeOf(resolution, line, theirs);
    const amount = change.amount - change.fee;
    if (resolution === 'THEIRS') await requireTheirs(ctx, line, theirs, amount);
    await own(ctx.tx)
      .updateTable('cardSettlementLine')
      .set({ resolution, opinion, resolvedBy: ctx.staff.userId, resolvedByName: ctx.staff.displayName, resolvedAt: ctx.now })
      .where('id', '=', lineId)
      .execute();
    let posted: { id: string } | null = null;
    if (amount !== 0n) {
      posted = await own(ctx.tx)
        .insertInto('cardSettlementLine')
        .values((eb) => ({
          billId,
          direction: bill.direction,
          lineNo: eb
            .selectFrom('cardSettlementLine')
            .select((inner) => inner(inner.fn.max('lineNo'), '+', 1).as('no'))
            .where('billId', '=', billId),
          sourceType: 'ADJUST' as const,
          sourceId: lineId,
          sourceNo: `${line.sourceNo}-${resolution === 'THEIRS' ? '调整' : '结转下期'}`,
          orderNo: line.orderNo,
          amount: String(change.amount),
          fee: String(change.fee),
          net: String(amount),
          carries: resolution === 'NEXT',
          matchState: 'MATCHED' as const,
          opinion,
          createdAt: ctx.now,
        }))
        .returning('id')
        .executeTakeFirstOrThrow();
      await sumUp(ctx.tx, bill);
    }
    ctx.target({ type: 'card.settlementBill', id: bill.id, no: bill.billNo });
    const answer = await touch(ctx, bill, {});
    if (posted && resolution === 'THEIRS')
      await postAdjustment(ctx, ledgerOf(kernel), bill, posted.id, amount, { id: ctx.staff.userId, name: ctx.staff.displayName });
    return answer;
  });

/** What would be negative is owed the other way: the next batch takes it. @returns the bill's net amount, never negative */
async function carryNegative(ctx: CommandContext, bill: SettlementBillRecord): Promise<bigint> {
  const net = BigInt(bill.netAmount);
  if (net >= 0n) return net;
  await own(ctx.tx)
    .insertInto('cardSettlementLine')
    .values((eb) => ({
      billId: bill.id,
      direction: bill.direction,
      lineNo: eb
        .selectFrom('cardSettlementLine')
        .select((inner) => inner(inner.fn.max('lineNo'), '+', 1).as('no'))
        .where('billId', '=', bill.id),
      sourceType: 'ADJUST' as const,
      sourceId: null,
      sourceNo: `${bill.billNo}-结转下期`,
      amount: String(-net),
      fee: '0',
      net: String(-net),
      carries: true,
      matchState: 'MATCHED' as const,
      createdAt: ctx.now,
    }))
    .execute();
  return sumUp(ctx.tx, bill);
}

/** Both sides agree: from now on the bill is money. */
export const confirm = command(confirmBill, async ({ billId, version, confirmFileId }, ctx) => {
  const bill = await settlementBillRecords.lockVersion(ctx, billId, version);
  const open = await unresolvedOf(ctx.tx, billId);
  if (open > 0) throw refuse(cardErrors.UNRESOLVED, { n: open });
  await requireOtherConfirmer(ctx, billId);
  const netAmount = String(await carryNegative(ctx, bill));
  await attach(
    ctx.tx,
    {
      fileIds: [confirmFileId],
      purpose: CARD_CONFIRM,
      ownerType: 'card.settlementBill',
      ownerId: billId,
      field: 'confirm',
      userId: ctx.staff.userId,
    },
    ctx.now,
  );
  const answer = await move(ctx, bill, 'confirm', '', {
    confirmedAmount: netAmount,
    confirmFileId,
    confirmedAt: ctx.now,
    ...(netAmount === '0' && { status: 'SETTLED', settledAmount: '0' }),
  });
  await ctx.publish(billConfirmed, billId, {
    billId,
    billNo: bill.billNo,
    direction: bill.direction,
    counterpartyType: bill.counterpartyType,
    counterpartyId: bill.counterpartyId,
    counterpartyName: bill.counterpartyName,
    productCode: bill.productCode,
    netAmount: Number(netAmount),
    lines: [{ taxCode: null, taxRateBp: null, amount: Number(netAmount) }],
  });
  if (netAmount === '0') await finishBatch(ctx, bill.batchId);
  return answer;
});

export const voidOne = command(voidBill, async ({ billId, version, opinion }, ctx) => {
  await lockKeys(ctx.tx, LINES_TAKEN);
  const bill = await settlementBillRecords.lockVersion(ctx, billId, version);
  await requireCarriesFree(ctx.tx, [billId]);
  if (await isAdjusted(ctx.tx, billId)) throw refuseField('billId', '已按对方金额调整的结算单不能作废，请先与对方确认');
  const answer = await move(ctx, bill, 'void', opinion);
  await own(ctx.tx).updateTable('cardSettlementLine').set({ live: false }).where('billId', '=', billId).execute();
  await sumUp(ctx.tx, bill);
  await finishBatch(ctx, bill.batchId);
  return answer;
});

/** Who has to confirm is asked again; the reminder stands in the bill's timeline. */
export const remind = command(remindBill, async ({ billId, version }, ctx) => {
  const bill = await settlementBillRecords.lockVersion(ctx, billId, version);
  return move(ctx, bill, 'remind', '', { remindedAt: ctx.now });
});

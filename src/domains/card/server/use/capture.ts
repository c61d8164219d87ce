import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { yuan } from '#kernel/contract/money.ts';
import { dayOf } from '#kernel/contract/time.ts';
import { nextNumbers } from '#kernel/server/command/numbers.ts';
import type { Writing } from '#kernel/server/context.ts';
import { type Actor, type Ledger, type Posting, tryLedger } from '#domains/ledger/server/index.ts';
import type { OperatorType } from '../../contract/useDictionaries.ts';
import { cardErrors } from '../../contract/errors.ts';
import { feeOf } from '../../contract/rules/fees.ts';
import { fillLines, splitAt } from '../../contract/rules/lots.ts';
import { sumOf } from '../../contract/rules/rounding.ts';
import { holdMachine } from '../../contract/useStates.ts';
import { refreshCard } from '../cards/projection.ts';
import { own } from '../database.ts';
import { bonusCostOf, merchantPayable, receivableOf, revenue, type Funder } from '../chart.ts';
import { asCardRefusal, lotsIn, lotsOut } from './hold.ts';
import { type CardInUse, findCard } from './readCard.ts';
import { moveTimes } from './times.ts';
import type { JobKind } from '#kernel/server/jobs/kind.ts';

/** What a write-off makes a funder owe, after it: the accounts are hot, and nobody waits for them. */
export const accrueJob: JobKind<{ holdId: string }> = {
  name: 'card.accrueHold',
  label: '核销计提应收',
  retryLimit: 5,
  subject: ({ holdId }) => holdId,
};

/** A transaction that spends: what it publishes and what it leaves to do. */
export type Spending = Posting & Pick<Writing, 'enqueue'>;

export interface Captured {
  holdId: string;
  amount: bigint;
  writeOffs: { writeOffId: string; writeOffNo: string; orderLineId: string; amount: bigint; fee: bigint }[];
  lots: { lotId: string; amount: bigint }[];
}
type By = Actor & { type: OperatorType };

async function lockHold(use: Posting, holdId: string) {
  const row = await own(use.tx).selectFrom('cardHold').selectAll().where('id', '=', holdId).forUpdate().executeTakeFirst();
  if (!row) throw refuse(platformErrors.NOT_FOUND, { message: '预占不存在或已删除' });
  return row;
}
export type HoldRecord = Awaited<ReturnType<typeof lockHold>>;

async function doneBefore(use: Posting, hold: HoldRecord, amount: bigint | undefined): Promise<Captured> {
  if (amount !== undefined && BigInt(hold.capturedAmount) !== amount) throw refuse(platformErrors.DUPLICATE_REQUEST);
  const rows = await own(use.tx)
    .selectFrom('cardWriteOff')
    .select(['id', 'writeOffNo', 'orderLineId', 'amount', 'feeAmount'])
    .where('holdId', '=', hold.id)
    .orderBy('id')
    .execute();
  return {
    holdId: hold.id,
    amount: BigInt(hold.capturedAmount),
    writeOffs: rows.map((row) => ({
      writeOffId: row.id,
      writeOffNo: row.writeOffNo,
      orderLineId: row.orderLineId,
      amount: BigInt(row.amount),
      fee: BigInt(row.feeAmount),
    })),
    lots: lotsIn(hold.lots),
  };
}

interface WrittenLine {
  orderLineId: string;
  goodsName: string;
  quantity: number;
  merchantId: string;
  merchantName: string;
  amount: bigint;
  times: number;
  fee: bigint;
  /** What a funder owes for it. */
  receivable: bigint;
}

/** Whose account a card of times or a coupon costs. */
export const costOf = (funder: Funder) => (funder.funder === 'PLATFORM' ? bonusCostOf(funder) : receivableOf(funder));

/** What merchants get and what a card of times or a coupon costs whoever pays for it. */
async function serve(use: Spending, ledger: Ledger, hold: HoldRecord, card: CardInUse, lines: readonly WrittenLine[], by: Actor) {
  const total = sumOf(lines, ({ amount }) => amount);
  if (total === 0n) return null;
  const cost = costOf(card.rules.funder);
  await ledger.openAccount(use, cost, { ownerName: card.rules.funderName });
  const merchants = byMerchant(lines, ({ amount }) => amount);
  for (const one of merchants) await ledger.openAccount(use, merchantPayable(one.merchantId), { ownerName: one.merchantName });
  return ledger.post(use, {
    businessKey: `card:hold:${hold.id}:serve`,
    book: 'CARD',
    type: 'CARD_SERVE',
    debit: [{ account: cost, amount: total }],
    credit: merchants.map(({ merchantId, amount }) => ({ account: merchantPayable(merchantId), amount })),
    ref: { type: 'cardHold', id: hold.id, no: hold.holdNo },
    actor: by,
  });
}

function byMerchant<T extends { merchantId: string; merchantName: string }>(lines: readonly T[], amountOf: (line: T) => bigint) {
  return [...Map.groupBy(lines, ({ merchantId }) => merchantId)]
    .map(([merchantId, own]) => ({ merchantId, merchantName: own[0]!.merchantName, amount: sumOf(own, amountOf) }))
    .filter(({ amount }) => amount > 0n);
}

async function spend(use: Spending, ledger: Ledger, hold: HoldRecord, lines: readonly WrittenLine[], by: Actor) {
  const amount = sumOf(lines, (line) => line.amount);
  const fee = sumOf(lines, (line) => line.fee);
  const merchants = byMerchant(lines, (line) => line.amount - line.fee);
  for (const one of merchants) await ledger.openAccount(use, merchantPayable(one.merchantId), { ownerName: one.merchantName });
  await ledger.openAccount(use, revenue, { ownerName: '平台' });
  const tried = await tryLedger(use.tx, () =>
    ledger.capture(use, {
      holdId: hold.ledgerHoldId!,
      businessKey: `card:hold:${hold.id}:capture`,
      type: 'CARD_SPEND',
      amount,
      credit: [
        ...merchants.map((one) => ({ account: merchantPayable(one.merchantId), amount: one.amount })),
        ...(fee > 0n ? [{ account: revenue, amount: fee }] : []),
      ],
      final: true,
      ref: { type: 'cardHold', id: hold.id, no: hold.holdNo },
      actor: by,
    }),
  );
  if ('refused' in tried) throw asCardRefusal(tried.refused, amount);
  return tried.done;
}

/** Who stands behind the lots of a spend. */
export async function fundingOf(use: Pick<Posting, 'tx'>, lots: readonly { lotId: string; amount: bigint }[]) {
  if (lots.length === 0) return [];
  const rows = await own(use.tx)
    .selectFrom('cardLot')
    .select(['lotId', 'kind', 'funder', 'funderId', 'productCode', 'fundingMode'])
    .where(
      'lotId',
      'in',
      lots.map(({ lotId }) => lotId),
    )
    .execute();
  return lots.map(({ lotId, amount }) => ({ ...rows.find((row) => row.lotId === lotId)!, amount }));
}
export const isOnUse = (lot: { fundingMode: string; kind: string }): boolean => lot.fundingMode === 'ON_USE' && lot.kind === 'PRINCIPAL';

export interface CaptureCommand {
  holdId: string;
  /** Absent: all that is held. */
  amount?: bigint | undefined;
  by: By;
}

/**
 * Turns a hold into write-offs, one for each order line; what is not needed is free at once. Sent again it answers what it did.
 * @throws Refusal SCM17036 after its time, SCM90031 for a released one, SCM90050 for another amount
 */
export async function captureHold(use: Spending, ledger: Ledger, command: CaptureCommand): Promise<Captured> {
  const { tx, now } = use;
  const hold = await lockHold(use, command.holdId);
  if (hold.state === 'CAPTURED') return doneBefore(use, hold, command.amount);
  if (hold.state === 'TIMED_OUT' || (hold.state === 'HELD' && hold.expireAt <= now)) throw refuse(cardErrors.HOLD_TIMED_OUT);
  if (hold.state !== 'HELD') throw refuse(platformErrors.WRONG_STATE, { state: holdMachine.states[hold.state].label });
  // Frozen or ended meanwhile: what was held before may still be written off.
  await own(tx).selectFrom('cardCard').select('id').where('id', '=', hold.cardId).forUpdate().execute();
  const card = await findCard(tx, { cardId: hold.cardId });
  const held = BigInt(hold.amount);
  const amount = command.amount ?? held;
  if (amount > held) throw refuse(cardErrors.NOT_ENOUGH, { a: yuan(amount), b: yuan(held) });
  const stored = await own(tx).selectFrom('cardHoldLine').selectAll().where('holdId', '=', hold.id).orderBy('lineNo').execute();
  const { first } = splitAt(
    stored.map((line) => ({ line, amount: BigInt(line.amount) })),
    amount,
  );
  const isTimes = card.kind === 'BENEFIT_CARD';
  const chosen = isTimes ? stored.filter(({ times }) => times > 0).map((line) => ({ line, amount: 0n })) : first;
  const benefit = card.rules.benefits.find(({ benefitId }) => benefitId === hold.benefitId);
  const usedLots = splitAt(lotsIn(hold.lots), amount).first;
  const funding = await fundingOf(use, usedLots);
  const perLine = fillLines(
    funding,
    chosen.map((one) => one.amount),
  );
  const lines = chosen.map((one, at): WrittenLine => {
    const worth = isTimes ? (benefit?.settlePrice ?? 0n) * BigInt(one.line.times) : one.amount;
    const fee = card.kind === 'STORED_VALUE' ? feeOf(worth, card.rules.feeRateBp) : 0n;
    const byType = card.rules.funder.funder === 'PLATFORM' ? 0n : worth;
    return {
      ...one.line,
      amount: worth,
      fee,
      // Of stored value its lots say who owes for it.
      receivable: card.kind === 'STORED_VALUE' ? sumOf((perLine[at] ?? []).filter(isOnUse), (part) => part.amount) : byType,
    };
  });
  const numbers = await nextNumbers(tx, 'WO', dayOf(now), lines.length);
  const rows = await own(tx)
    .insertInto('cardWriteOff')
    .values(
      lines.map((line, at) => ({
        writeOffNo: numbers[at]!,
        holdId: hold.id,
        cardId: card.id,
        cardTypeId: card.cardTypeId,
        kind: card.kind,
        orderId: hold.bizId,
        orderNo: hold.bizNo,
        orderLineId: line.orderLineId,
        merchantId: line.merchantId,
        merchantName: line.merchantName,
        goodsName: line.goodsName,
        quantity: line.quantity,
        amount: String(line.amount),
        times: line.times,
        benefitId: hold.benefitId,
        feeAmount: String(line.fee),
        netAmount: String(line.amount - line.fee),
        receivableAmount: String(line.receivable),
        operatorType: command.by.type,
        operatorId: command.by.id,
        operatorName: command.by.name,
        state: 'DONE' as const,
        doneAt: now,
      })),
    )
    .returning(['id', 'writeOffNo', 'orderLineId', 'amount', 'feeAmount'])
    .execute();
  await own(tx)
    .updateTable('cardHold')
    .set((eb) => ({
      state: 'CAPTURED',
      capturedAmount: String(amount),
      lots: lotsOut(usedLots),
      closedAt: now,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', hold.id)
    .execute();
  const transfer =
    card.kind === 'STORED_VALUE'
      ? await spend(use, ledger, hold, lines, command.by)
      : await serve(use, ledger, hold, card, lines, command.by);
  if (card.kind !== 'STORED_VALUE')
    await moveTimes(tx, now, {
      cardId: card.id,
      benefitId: hold.benefitId!,
      kind: 'USE',
      left: -hold.times,
      held: -hold.times,
      key: `capture:${hold.id}`,
      refType: 'cardHold',
      refId: hold.id,
    });
  if (transfer) await own(tx).updateTable('cardHold').set({ ledgerTransferId: transfer.transferId }).where('id', '=', hold.id).execute();
  await refreshCard(tx, ledger, card.id, now);
  if (funding.some(isOnUse)) await use.enqueue(accrueJob, { holdId: hold.id }, { singletonKey: `accrue:${hold.id}` });
  return {
    holdId: hold.id,
    amount,
    writeOffs: rows.map((row) => ({
      writeOffId: row.id,
      writeOffNo: row.writeOffNo,
      orderLineId: row.orderLineId,
      amount: BigInt(row.amount),
      fee: BigInt(row.feeAmount),
    })),
    lots: usedLots,
  };
}

/**
 * Frees what is held. A hold that is free already stays so.
 * @throws Refusal SCM90031 where it was written off
 */
export async function releaseHold(
  use: Posting,
  ledger: Ledger,
  command: { holdId: string; reason: string; by: Actor; timedOut?: boolean },
): Promise<HoldRecord> {
  const { tx, now } = use;
  const hold = await lockHold(use, command.holdId);
  if (hold.state === 'RELEASED' || hold.state === 'TIMED_OUT') return hold;
  if (hold.state !== 'HELD') throw refuse(platformErrors.WRONG_STATE, { state: holdMachine.states[hold.state].label });
  await own(tx).selectFrom('cardCard').select('id').where('id', '=', hold.cardId).forUpdate().execute();
  const state = command.timedOut ? ('TIMED_OUT' as const) : ('RELEASED' as const);
  await own(tx)
    .updateTable('cardHold')
    .set((eb) => ({ state, closedAt: now, releaseReason: command.reason, version: eb('version', '+', 1) }))
    .where('id', '=', hold.id)
    .execute();
  if (hold.kind !== 'STORED_VALUE')
    await moveTimes(tx, now, {
      cardId: hold.cardId,
      benefitId: hold.benefitId!,
      kind: 'UNHOLD',
      left: 0,
      held: -hold.times,
      key: `release:${hold.id}`,
      refType: 'cardHold',
      refId: hold.id,
    });
  // Of a time-out the ledger has freed it already.
  else if (!command.timedOut) {
    const tried = await tryLedger(tx, () =>
      ledger.release(use, {
        holdId: hold.ledgerHoldId!,
        businessKey: `card:hold:${hold.id}:release`,
        reason: command.reason,
        actor: command.by,
      }),
    );
    if ('refused' in tried) throw asCardRefusal(tried.refused, BigInt(hold.amount));
  }
  await refreshCard(tx, ledger, hold.cardId, now);
  return { ...hold, state };
}

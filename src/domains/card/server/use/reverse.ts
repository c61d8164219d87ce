import { sql } from 'kysely';
import { writeOffReversed } from '#events/card.ts';
import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { yuan } from '#kernel/contract/money.ts';
import { dayOf, plusDays, startOfDay, type Instant } from '#kernel/contract/time.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import type { Actor, Ledger, TransferResult } from '#domains/ledger/server/index.ts';
import type { ReversalReason } from '../../contract/useDictionaries.ts';
import { cardErrors } from '../../contract/errors.ts';
import { reversalFeeOf } from '../../contract/rules/fees.ts';
import { giveBack } from '../../contract/rules/lots.ts';
import type { reversalMachine } from '../../contract/useStates.ts';
import { refreshCard } from '../cards/projection.ts';
import { json, own } from '../database.ts';
import { bonusCostOf, breakageOf, committedOf, fundOf, merchantPayable, receivableOf, revenue } from '../chart.ts';
import { accrueReversalJob } from './accrue.ts';
import { fundingOf, isOnUse, type Spending } from './capture.ts';
import { lotsIn, lotsOut } from './hold.ts';
import { findCard, type CardInUse } from './readCard.ts';
import { moveTimes } from './times.ts';

type ReversalStatus = keyof typeof reversalMachine.states;

export interface ReversalRequest {
  writeOffId: string;
  amount: bigint;
  /** Each at most once: the line of an after-sale, or the request of a person. */
  key: string;
  reasonCode: ReversalReason;
  opinion: string;
  requestedBy: Actor;
}
export interface Reversed {
  reversalId: string;
  reversalNo: string;
  status: ReversalStatus;
  amount: bigint;
  fee: bigint;
  lots: { lotId: string; amount: bigint }[];
  version: number;
}

export async function lockWriteOff(use: Pick<Spending, 'tx'>, id: string) {
  const found = await own(use.tx).selectFrom('cardWriteOff').select('holdId').where('id', '=', id).executeTakeFirst();
  if (!found) throw refuse(platformErrors.NOT_FOUND, { message: '核销记录不存在或已删除' });
  // All write-offs of a hold share its lots: one reversal of them at a time.
  const hold = await own(use.tx).selectFrom('cardHold').selectAll().where('id', '=', found.holdId).forUpdate().executeTakeFirstOrThrow();
  const writeOff = await own(use.tx).selectFrom('cardWriteOff').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow();
  return { hold, writeOff };
}
type Locked = Awaited<ReturnType<typeof lockWriteOff>>;

const resultOf = (row: {
  id: string;
  reversalNo: string;
  status: ReversalStatus;
  amount: string;
  feeAmount: string;
  lots: unknown;
  version: number;
}): Reversed => ({
  reversalId: row.id,
  reversalNo: row.reversalNo,
  status: row.status,
  amount: BigInt(row.amount),
  fee: BigInt(row.feeAmount),
  lots: lotsIn(row.lots),
  version: row.version,
});

/**
 * Asks for a reversal: of what is left of a write-off, one at a time.
 * @throws Refusal SCM17037, SCM17038, SCM90050 for a key with another content
 */
export async function requestReversal(use: Spending, request: ReversalRequest): Promise<Reversed> {
  const { tx, now } = use;
  const { writeOff } = await lockWriteOff(use, request.writeOffId);
  const before = await own(tx).selectFrom('cardReversal').selectAll().where('key', '=', request.key).executeTakeFirst();
  if (before) {
    if (before.writeOffId !== writeOff.id || BigInt(before.amount) !== request.amount) throw refuse(platformErrors.DUPLICATE_REQUEST);
    return resultOf(before);
  }
  const pending = await own(tx)
    .selectFrom('cardReversal')
    .select('id')
    .where('writeOffId', '=', writeOff.id)
    .where('status', '=', 'PENDING')
    .executeTakeFirst();
  if (pending) throw refuse(cardErrors.REVERSAL_PENDING);
  const left = BigInt(writeOff.amount) - BigInt(writeOff.reversedAmount);
  const isOver = writeOff.state === 'REVERSED';
  if (isOver || request.amount > left) throw refuse(cardErrors.NOT_REVERSIBLE, { n: yuan(isOver ? 0n : left) });
  if (writeOff.kind === 'BENEFIT_CARD' && request.amount !== left) throw refuseField('amount', '权益次数只能整笔冲正');
  const row = await own(tx)
    .insertInto('cardReversal')
    .values({
      reversalNo: await nextNumber(tx, 'RV', dayOf(now)),
      writeOffId: writeOff.id,
      key: request.key,
      amount: String(request.amount),
      feeAmount: '0',
      lots: json([]),
      reasonCode: request.reasonCode,
      opinion: request.opinion,
      requestedBy: request.requestedBy.id,
      requestedByName: request.requestedBy.name,
      status: 'PENDING',
      createdAt: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return resultOf(row);
}

/** The newest card of a chain of replacements: value of an old one lands there. */
async function newestOf(use: Pick<Spending, 'tx'>, cardId: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    with recursive chain as (
      select id, replaced_by_card_id, 0 as step
        from card_card
        where id = ${cardId}
      union all
      select c.id, c.replaced_by_card_id, chain.step + 1
        from card_card c
        join chain on c.id = chain.replaced_by_card_id
        where chain.step < 50
    )
    select id
      from chain
      order by step desc limit 1`.execute(use.tx);
  return rows[0]!.id;
}

/** Until when lots that ended meanwhile are valid again; null: they are not. */
export const graceUntil = (card: Pick<CardInUse, 'rules'>, now: Instant): Instant | null =>
  card.rules.refundGraceDays > 0 ? startOfDay(plusDays(dayOf(now), card.rules.refundGraceDays + 1)) : null;

const entryOf = (transfer: TransferResult, accountNo: string) => transfer.entries.find((entry) => entry.accountNo === accountNo);

async function backToCard(
  use: Spending,
  ledger: Ledger,
  { hold, writeOff }: Locked,
  card: CardInUse,
  reversal: { id: string; amount: bigint; fee: bigint; parts: { lotId: string; amount: bigint }[]; actor: Actor },
) {
  const transfer = (await ledger.transfersOf(use.tx, { type: 'cardHold', id: hold.id })).find(
    ({ transferId }) => transferId === hold.ledgerTransferId,
  )!;
  const parts = new Map(reversal.parts.map(({ lotId, amount }) => [lotId, amount]));
  const legs = transfer.entries
    .filter(({ side, lots }) => side === 'D' && lots.length > 0)
    .map((entry) => ({ entryId: entry.entryId, amount: entry.lots.reduce((sum, { lotId }) => sum + (parts.get(lotId) ?? 0n), 0n) }))
    .filter(({ amount }) => amount > 0n);
  const merchant = await ledger.openAccount(use, merchantPayable(writeOff.merchantId), { ownerName: writeOff.merchantName });
  const net = reversal.amount - reversal.fee;
  if (net > 0n) legs.push({ entryId: entryOf(transfer, merchant.accountNo)!.entryId, amount: net });
  if (reversal.fee > 0n) {
    const fees = await ledger.openAccount(use, revenue, { ownerName: '平台' });
    legs.push({ entryId: entryOf(transfer, fees.accountNo)!.entryId, amount: reversal.fee });
  }
  const until = graceUntil(card, use.now);
  if (until !== null) await ledger.openAccount(use, breakageOf(card.batchId), { ownerName: card.cardTypeName });
  return ledger.refund(use, {
    transfer: transfer.transferId,
    businessKey: `card:rv:${reversal.id}`,
    legs,
    reason: '核销冲正',
    actor: reversal.actor,
    ...(until !== null && {
      grace: {
        minLotExpiry: until,
        sweep: (lot: { id: string }) => ({
          type: 'CARD_EXPIRE',
          credit: breakageOf(card.batchId),
          businessKey: `card:exp:${lot.id}:${dayOf(use.now)}:grace`,
        }),
      },
    }),
  });
}

/** A voided card takes nothing any more: what comes back goes to whoever funded it. */
async function backToFunder(
  use: Spending,
  ledger: Ledger,
  { writeOff }: Locked,
  reversal: { id: string; amount: bigint; fee: bigint; parts: { lotId: string; amount: bigint }[]; actor: Actor },
) {
  const funding = await fundingOf(use, reversal.parts);
  const credit = [];
  for (const part of funding) {
    const account =
      part.kind === 'BONUS'
        ? part.funder === 'PLATFORM'
          ? bonusCostOf(part)
          : receivableOf(part)
        : isOnUse(part)
          ? committedOf(part)
          : part.fundingMode === 'ON_GRANT'
            ? receivableOf(part)
            : fundOf(part);
    await ledger.openAccount(use, account, { ownerName: `${part.funder}:${part.funderId ?? ''}` });
    credit.push({ account, amount: part.amount });
  }
  const net = reversal.amount - reversal.fee;
  return ledger.post(use, {
    businessKey: `card:rv:${reversal.id}`,
    book: 'CARD',
    type: 'CARD_REVERSE_VOIDED',
    debit: [
      ...(net > 0n ? [{ account: merchantPayable(writeOff.merchantId), amount: net }] : []),
      ...(reversal.fee > 0n ? [{ account: revenue, amount: reversal.fee }] : []),
    ],
    credit,
    ref: { type: 'cardReversal', id: reversal.id },
    actor: reversal.actor,
  });
}

async function serveBack(
  use: Spending,
  ledger: Ledger,
  { hold, writeOff }: Locked,
  reversal: { id: string; amount: bigint; actor: Actor },
) {
  if (reversal.amount === 0n || hold.ledgerTransferId === null) return;
  const transfer = (await ledger.transfersOf(use.tx, { type: 'cardHold', id: hold.id })).find(
    ({ transferId }) => transferId === hold.ledgerTransferId,
  )!;
  const merchant = await ledger.openAccount(use, merchantPayable(writeOff.merchantId), { ownerName: writeOff.merchantName });
  const legs = [transfer.entries.find(({ side }) => side === 'D')!, entryOf(transfer, merchant.accountNo)!].map(({ entryId }) => ({
    entryId,
    amount: reversal.amount,
  }));
  await ledger.refund(use, {
    transfer: transfer.transferId,
    businessKey: `card:rv:${reversal.id}`,
    legs,
    reason: '核销冲正',
    actor: reversal.actor,
  });
}

/**
 * Does a reversal that was asked for: value goes back to the lots that it came from, the last one first, and the merchant is owed
 * less. A coupon comes back when all that it paid was reversed; times come back with their write-off.
 */
export async function carryOut(use: Spending, ledger: Ledger, reversalId: string, by: Actor): Promise<Reversed> {
  const { tx, now } = use;
  const asked = await own(tx).selectFrom('cardReversal').selectAll().where('id', '=', reversalId).executeTakeFirstOrThrow();
  const locked = await lockWriteOff(use, asked.writeOffId);
  const { hold, writeOff } = locked;
  await own(tx).selectFrom('cardCard').select('id').where('id', '=', writeOff.cardId).forUpdate().execute();
  const card = await findCard(tx, { cardId: writeOff.cardId });
  const amount = BigInt(asked.amount);
  const before = { amount: BigInt(writeOff.reversedAmount), fee: BigInt(writeOff.reversedFee) };
  const whole = { amount: BigInt(writeOff.amount), fee: BigInt(writeOff.feeAmount) };
  if (before.amount + amount > whole.amount) throw refuse(cardErrors.NOT_REVERSIBLE, { n: yuan(whole.amount - before.amount) });
  const fee = reversalFeeOf(whole, before, amount);
  const isStored = writeOff.kind === 'STORED_VALUE';
  const backBefore = await own(tx)
    .selectFrom('cardWriteOff')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<string>('reversedAmount'), sql<string>`0`).as('sum'))
    .where('holdId', '=', hold.id)
    .executeTakeFirstOrThrow();
  const parts = isStored ? giveBack(lotsIn(hold.lots), BigInt(backBefore.sum), amount) : [];
  const isWhole = before.amount + amount === whole.amount;
  await own(tx)
    .updateTable('cardWriteOff')
    .set((eb) => ({
      reversedAmount: String(before.amount + amount),
      reversedFee: String(before.fee + fee),
      state: isWhole ? ('REVERSED' as const) : ('PART_REVERSED' as const),
      version: eb('version', '+', 1),
    }))
    .where('id', '=', writeOff.id)
    .execute();
  const receivable = isStored
    ? (await fundingOf(use, parts)).filter(isOnUse).reduce((sum, one) => sum + one.amount, 0n)
    : card.rules.funder.funder === 'PLATFORM'
      ? 0n
      : amount;
  const row = await own(tx)
    .updateTable('cardReversal')
    .set((eb) => ({
      status: 'DONE' as const,
      feeAmount: String(fee),
      receivableAmount: String(receivable),
      lots: lotsOut(parts),
      approvedBy: by.id,
      approvedByName: by.name,
      doneAt: now,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', asked.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  const facts = { id: asked.id, amount, fee, parts, actor: by };
  if (!isStored) {
    const rest = await own(tx)
      .selectFrom('cardWriteOff')
      .select('id')
      .where('holdId', '=', hold.id)
      .where('state', '<>', 'REVERSED')
      .execute();
    if (writeOff.kind === 'BENEFIT_CARD' || rest.length === 0) {
      await moveTimes(tx, now, {
        cardId: card.id,
        benefitId: hold.benefitId!,
        kind: 'UNDO',
        left: writeOff.kind === 'BENEFIT_CARD' ? writeOff.times : 1,
        held: 0,
        key: `undo:${asked.id}`,
        refType: 'cardReversal',
        refId: asked.id,
      });
      await own(tx).updateTable('cardHold').set({ restoredAt: now }).where('id', '=', hold.id).execute();
    }
    await serveBack(use, ledger, locked, facts);
  } else if (card.state === 'VOIDED') await backToFunder(use, ledger, locked, facts);
  else await backToCard(use, ledger, locked, card, facts);
  await refreshCard(tx, ledger, card.id, now);
  if (card.state === 'REPLACED') await refreshCard(tx, ledger, await newestOf(use, card.id), now);
  if (isStored && receivable > 0n && card.state !== 'VOIDED')
    await use.enqueue(accrueReversalJob, { reversalId: asked.id }, { singletonKey: `accrue:rv:${asked.id}` });
  await use.publish(writeOffReversed, writeOff.id, {
    reversalNo: row.reversalNo,
    writeOffId: writeOff.id,
    orderId: writeOff.orderId,
    orderLineId: writeOff.orderLineId,
    amount: Number(amount),
    lots: parts.map((part) => ({ lotId: part.lotId, amount: Number(part.amount) })),
  });
  return resultOf(row);
}

/** A reversal that was checked where it comes from: an after-sale that was approved. */
export async function reverseNow(use: Spending, ledger: Ledger, request: ReversalRequest): Promise<Reversed> {
  const asked = await requestReversal(use, request);
  return asked.status === 'PENDING' ? carryOut(use, ledger, asked.reversalId, request.requestedBy) : asked;
}

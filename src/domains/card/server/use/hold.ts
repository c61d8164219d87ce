import { platformErrors, refuse, Refusal, refuseField } from '#kernel/contract/errors.ts';
import { yuan } from '#kernel/contract/money.ts';
import { dayOf, hours, minutes, plusMs, type Instant } from '#kernel/contract/time.ts';
import { lockKeys } from '#kernel/server/command/lockKeys.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import { tryLedger, type Actor, type Ledger, type Posting } from '#domains/ledger/server/index.ts';
import type { HoldBizType, OperatorType } from '../../contract/useDictionaries.ts';
import { cardErrors } from '../../contract/errors.ts';
import { judge } from '../../contract/rules/check.ts';
import { sumOf } from '../../contract/rules/rounding.ts';
import { holdMachine } from '../../contract/useStates.ts';
import { byStacking, type Stacked } from '../../contract/rules/usage.ts';
import { json, own } from '../database.ts';
import { refreshCard } from '../cards/projection.ts';
import { bonusOf, principalOf } from '../chart.ts';
import { cardsOfOrder, judgedCard, lockCards, stackedOf, usedToday, type CardInUse } from './readCard.ts';
import { lockOrder, requireWithin, type ToldOrder, type UseLine } from './orders.ts';
import { moveTimes } from './times.ts';

export interface HoldRequest {
  bizType: HoldBizType;
  bizId: string;
  bizNo: string;
  /** One effect for each of its cards, however often it is sent: one that timed out or was released needs another key. */
  key: string;
  orderType: string;
  drugstoreId: string | null;
  drugstoreName: string | null;
  lines: readonly UseLine[];
  cardIds: readonly string[];
  /** Of a benefit card: what is used of it, how often. */
  benefit?: { benefitId: string; times: number } | undefined;
  /** By kind of order where it is absent. */
  expireAt?: Instant | undefined;
  operator: Actor & { type: OperatorType };
}
export interface HeldCard {
  holdId: string;
  holdNo: string;
  cardId: string;
  kind: CardInUse['kind'];
  amount: bigint;
  times: number;
  lines: { orderLineId: string; amount: bigint }[];
  lots: { lotId: string; amount: bigint }[];
  expireAt: Instant;
}
export type Use = Posting;

/** How long value is set aside: at a counter, in the app, for an order that people work on. */
function holdExpiry(bizType: HoldBizType, orderType: string, now: Instant): Instant {
  if (bizType !== 'ORDER') return plusMs(now, hours(72));
  return plusMs(now, minutes(orderType === 'STORE_DIRECT' ? 15 : 35));
}

interface Stored {
  id: string;
  holdNo: string;
  cardId: string;
  bizId: string;
  amount: string;
  times: number;
  expireAt: Instant;
  lots: unknown;
  state: keyof typeof holdMachine.states;
}
async function heldBefore(use: Use, key: string, request: HoldRequest, card: CardInUse): Promise<HeldCard | null> {
  const row: Stored | undefined = await own(use.tx)
    .selectFrom('cardHold')
    .select(['id', 'holdNo', 'cardId', 'bizId', 'amount', 'times', 'expireAt', 'lots', 'state'])
    .where('key', '=', key)
    .executeTakeFirst();
  if (!row) return null;
  const lines = await own(use.tx)
    .selectFrom('cardHoldLine')
    .select(['orderLineId', 'amount', 'payable'])
    .where('holdId', '=', row.id)
    .orderBy('lineNo')
    .execute();
  const same =
    row.bizId === request.bizId &&
    row.times === (request.benefit?.times ?? (card.kind === 'COUPON' ? 1 : 0)) &&
    lines.length === request.lines.length &&
    lines.every((line, at) => line.orderLineId === request.lines[at]!.orderLineId && line.payable === String(request.lines[at]!.amount));
  if (!same) throw refuse(platformErrors.DUPLICATE_REQUEST);
  // Dead: nothing is set aside under this key any more, and a late repetition of the request must set nothing aside anew. Who wants it asks
  // under another key.
  if (row.state === 'TIMED_OUT' || (row.state === 'HELD' && row.expireAt <= use.now)) throw refuse(cardErrors.HOLD_TIMED_OUT);
  if (row.state === 'RELEASED') throw refuse(platformErrors.WRONG_STATE, { state: holdMachine.states[row.state].label });
  return {
    holdId: row.id,
    holdNo: row.holdNo,
    cardId: row.cardId,
    kind: card.kind,
    amount: BigInt(row.amount),
    times: row.times,
    lines: lines.map(({ orderLineId, amount }) => ({ orderLineId, amount: BigInt(amount) })),
    lots: lotsIn(row.lots),
    expireAt: row.expireAt,
  };
}

/** What a hold fixed, as it is kept beside it. */
export const lotsIn = (stored: unknown): { lotId: string; amount: bigint }[] =>
  (stored as { lotId: string; amount: string }[]).map(({ lotId, amount }) => ({ lotId, amount: BigInt(amount) }));
export const lotsOut = (lots: readonly { lotId: string; amount: bigint }[]) =>
  json(lots.map(({ lotId, amount }) => ({ lotId, amount: String(amount) })));

async function holdOne(
  use: Use,
  ledger: Ledger,
  request: HoldRequest,
  card: CardInUse,
  lines: readonly UseLine[],
  chosen: readonly Stacked[],
  exact: boolean,
): Promise<HeldCard> {
  const { tx, now } = use;
  if (card.rules.limits.perDayMax !== null) await lockKeys(tx, 'card.day', [`${card.cardTypeId}:${card.holderIdHash ?? card.id}`]);
  const times = card.kind === 'COUPON' ? 1 : (request.benefit?.times ?? 0);
  if (card.kind === 'BENEFIT_CARD' && !card.rules.benefits.some(({ benefitId }) => benefitId === request.benefit?.benefitId))
    throw refuseField('benefitId', '请选择卡的权益项');
  const asked = sumOf(lines, ({ amount }) => amount);
  const judged = judge(await judgedCard(tx, ledger, card, request.benefit?.benefitId, now), {
    orderType: request.bizType === 'RIGHTS' ? null : request.orderType,
    drugstoreId: request.drugstoreId,
    lines,
    wanted: exact && card.kind === 'STORED_VALUE' ? asked : null,
    times,
    chosen,
    usedToday: await usedToday(tx, card, now),
    now,
  });
  if (judged.refusal) throw new Refusal(judged.refusal.code ?? '', judged.refusal.message);
  const expireAt = request.expireAt ?? holdExpiry(request.bizType, request.orderType, now);
  const benefit = card.rules.benefits.find(({ benefitId }) => benefitId === request.benefit?.benefitId);
  // Of a benefit what the provider gets for it stands on its first line.
  const amount = card.kind === 'BENEFIT_CARD' ? 0n : judged.amount;
  const holdNo = await nextNumber(tx, 'HD', dayOf(now));
  const { id } = await own(tx)
    .insertInto('cardHold')
    .values({
      holdNo,
      bizType: request.bizType,
      bizId: request.bizId,
      bizNo: request.bizNo,
      orderType: request.orderType,
      cardId: card.id,
      kind: card.kind,
      drugstoreId: request.drugstoreId,
      drugstoreName: request.drugstoreName,
      payable: String(sumOf(request.lines, (line) => line.amount)),
      amount: String(amount),
      times,
      benefitId: card.kind === 'COUPON' ? 'COUPON' : (benefit?.benefitId ?? null),
      state: 'HELD',
      expireAt,
      lots: json([]),
      key: `${request.key}:${card.id}`,
      operatorType: request.operator.type,
      operatorId: request.operator.id,
      operatorName: request.operator.name,
      createdAt: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const shares = lines.map((line, at) => ({ ...line, lineNo: at + 1, share: judged.shares[at] ?? 0n }));
  await own(tx)
    .insertInto('cardHoldLine')
    .values(
      shares.map((line, at) => ({
        holdId: id,
        lineNo: line.lineNo,
        orderLineId: line.orderLineId,
        goodsName: line.goodsName,
        quantity: line.quantity,
        payable: String(request.lines[at]!.amount),
        amount: String(line.share),
        times: card.kind === 'BENEFIT_CARD' && at === 0 ? times : 0,
        merchantId: line.merchantId,
        merchantName: line.merchantName,
      })),
    )
    .execute();
  const held = { holdId: id, holdNo, cardId: card.id, kind: card.kind, amount, times, expireAt };
  const lineShares = shares.map(({ orderLineId, share }) => ({ orderLineId, amount: share }));
  if (card.kind !== 'STORED_VALUE') {
    const benefitId = card.kind === 'COUPON' ? 'COUPON' : benefit!.benefitId;
    await moveTimes(tx, now, {
      cardId: card.id,
      benefitId,
      kind: 'HOLD',
      left: 0,
      held: times,
      key: `hold:${id}`,
      refType: 'cardHold',
      refId: id,
    });
    return { ...held, lines: lineShares, lots: [] };
  }
  const tried = await tryLedger(tx, () =>
    ledger.hold(use, {
      businessKey: `card:hold:${id}`,
      book: 'CARD',
      legs: [{ account: [principalOf(card.id), bonusOf(card.id)], amount }],
      expiresAt: expireAt,
      ref: { type: 'cardHold', id, no: holdNo },
      actor: request.operator,
    }),
  );
  if ('refused' in tried) throw asCardRefusal(tried.refused, amount);
  await own(tx)
    .updateTable('cardHold')
    .set({ ledgerHoldId: tried.done.holdId, lots: lotsOut(tried.done.lots) })
    .where('id', '=', id)
    .execute();
  await refreshCard(tx, ledger, card.id, now);
  return { ...held, lines: lineShares, lots: tried.done.lots };
}

/** A refusal of the ledger in the words of cards. */
export function asCardRefusal(refusal: Refusal, amount: bigint): Refusal {
  if (refusal.code === 'SCM18001' || refusal.code === 'SCM18041')
    return refuse(cardErrors.NOT_ENOUGH, { a: yuan(amount), b: String(refusal.params['avail'] ?? '0.00') });
  if (refusal.code === 'SCM18002') return refuse(cardErrors.NOT_USABLE, { state: '已冻结' });
  if (refusal.code === 'SCM18003') return refuse(cardErrors.NOT_USABLE, { state: '已作废' });
  if (refusal.code === 'SCM18023') return refuse(cardErrors.HOLD_TIMED_OUT);
  return refusal;
}

const toldOf = (request: HoldRequest): ToldOrder => ({
  orderId: request.bizId,
  orderNo: request.bizNo,
  orderType: request.orderType,
  drugstoreId: request.drugstoreId,
  drugstoreName: request.drugstoreName,
  lines: request.lines.map(({ payable, ...line }) => ({ ...line, amount: payable ?? line.amount })),
});

/**
 * Sets the value of cards aside for the lines of an order: coupons first, then benefits, then stored value; together they pay exactly
 * what the lines ask for. Called in the transaction of the order.
 * @throws Refusal SCM17030–17035, SCM17039 for more than the order costs, SCM90050 for a key with another content, SCM17036 or SCM90031 for
 * one whose hold timed out or was released
 */
export async function holdCards(use: Use, ledger: Ledger, request: HoldRequest): Promise<HeldCard[]> {
  // The order first: its cards are different ones, and what they may pay together is its limit, not theirs.
  const order = request.bizType === 'RIGHTS' ? null : await lockOrder(use.tx, toldOf(request), use.now);
  const cards = await lockCards(use.tx, request.cardIds);
  const held: HeldCard[] = [];
  for (const card of cards) {
    const before = await heldBefore(use, `${request.key}:${card.id}`, request, card);
    if (before) held.push(before);
  }
  if (held.length === cards.length) return held;
  if (held.length > 0) throw refuse(platformErrors.DUPLICATE_REQUEST);
  const chosen = [...cards, ...(await cardsOfOrder(use.tx, request.bizType, request.bizId))].map(stackedOf);
  const inOrder = cards.toSorted(byStacking);
  let lines = request.lines;
  for (const [at, card] of inOrder.entries()) {
    const one = await holdOne(use, ledger, request, card, lines, chosen, at === inOrder.length - 1);
    held.push(one);
    lines = lines.map((line, place) => ({ ...line, amount: line.amount - (one.lines[place]?.amount ?? 0n) }));
  }
  const left = sumOf(lines, ({ amount }) => amount);
  const isPaid = inOrder.at(-1)?.kind !== 'STORED_VALUE' || left === 0n;
  if (!isPaid)
    throw refuse(cardErrors.NOT_ENOUGH, {
      a: yuan(sumOf(request.lines, ({ amount }) => amount)),
      b: yuan(sumOf(held, ({ amount }) => amount)),
    });
  if (order) await requireWithin(use.tx, order);
  return held;
}

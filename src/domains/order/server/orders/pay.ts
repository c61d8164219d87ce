import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { minutes, plusMs, type Instant } from '#kernel/contract/time.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import type { Tx } from '#kernel/server/context.ts';
import type { JobKind } from '#kernel/server/jobs/kind.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { cardsOf } from '#domains/card/server/index.ts';
import { getMedicines } from '#domains/pharma/server/index.ts';
import { lineDue } from '../../contract/rules/money.ts';
import { orderMachine, type OrderAction } from '../../contract/orderStates.ts';
import { own } from '../database.ts';
import { allocateJob } from '../allocation/job.ts';
import { openException, settleExceptions } from '../exceptions/open.ts';
import { fundingsOf, linesOf, moveOrder, orderRecords, writeOrder, type OrderRecord } from './access.ts';
import { askedLines, couponFen, holdPlanned, planCards, valueFen, type HeldForOrder } from './cards.ts';
import { publishCompleted, publishPaid } from './publish.ts';

/** For how long an order may be paid. */
const PAY_MINUTES = 30;
/** What pays an order whose cash has not come yet. */
const NOT_PAID = 'OPEN';

/** An order that nobody has to pay any cash for is paid as soon as its cards stand. */
export const settleJob: JobKind<{ orderId: string; round: number }> = {
  name: 'order.settle',
  label: '订单扣卡支付',
  retryLimit: 5,
  subject: ({ orderId }) => orderId,
};

async function insertCards(ctx: Acting, order: OrderRecord, held: readonly HeldForOrder[]): Promise<void> {
  for (const one of held) {
    const { id } = await own(ctx.tx)
      .insertInto('orderFunding')
      .values({
        orderId: order.id,
        kind: one.kind,
        refId: one.cardId,
        refName: one.holdNo,
        holdId: one.holdId,
        amountFen: String(one.amount),
        state: 'HELD',
        createdAt: ctx.now,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await insertShares(
      ctx.tx,
      id,
      one.lines.map(({ orderLineId, amount }) => ({ orderLineId, amountFen: Number(amount) })),
    );
  }
}
async function insertShares(tx: Tx, fundingId: string, shares: readonly { orderLineId: string; amountFen: number }[]): Promise<void> {
  const paid = shares.filter(({ amountFen }) => amountFen > 0);
  if (paid.length === 0) return;
  await own(tx)
    .insertInto('orderFundingLine')
    .values(paid.map(({ orderLineId, amountFen }) => ({ fundingId, orderLineId, amountFen: String(amountFen) })))
    .execute();
}

/** Lines of an order with what a benefit pays of each, and what cards ask of them. */
async function payingLines(ctx: Acting, order: OrderRecord) {
  const lines = await linesOf(ctx.tx, order.id);
  const benefits = new Map(
    (await fundingsOf(ctx.tx, order.id))
      .filter(({ kind }) => kind === 'BENEFIT')
      .flatMap(({ shares }) => shares.map((share) => [share.orderLineId, share.amountFen])),
  );
  const medicineIds = lines.flatMap(({ medicineId }) => medicineId ?? []);
  const categories =
    order.cardIds.length === 0
      ? new Map<string, string | null>()
      : new Map((await getMedicines(ctx.tx, medicineIds)).map(({ medicineId, categoryCode }) => [medicineId, categoryCode]));
  return {
    benefits,
    lines: lines.map((line) => ({
      ...line,
      benefitFen: benefits.get(line.id) ?? 0,
      categoryCode: line.medicineId === null ? null : (categories.get(line.medicineId) ?? null),
    })),
  };
}

/**
 * Payment begins: its cards are held from here on and its time runs. The last statements of the transaction.
 * @param action that leads here; null: it is born so
 * @throws Refusal SCM17030–17039 as cards say it, SCM90020 for a card that is not the buyer's
 */
export async function beginPayment(
  kernel: Kernel,
  ctx: Acting,
  order: OrderRecord,
  action: Extract<OrderAction, 'passRx'> | null,
  { opinion, ...change }: { opinion?: string; rxResult?: 'PASSED'; rxBy?: string; rxByName?: string; rxAt?: Instant } = {},
): Promise<OrderRecord> {
  const { lines, benefits } = await payingLines(ctx, order);
  const plan = await planCards(kernel, ctx, order, lines);
  const [coupon, card] = [couponFen(plan), valueFen(plan)];
  const selfPay = Number(order.payableFen) - Number(order.benefitFen) - coupon - card;
  const payDeadline = plusMs(ctx.now, minutes(PAY_MINUTES));
  const facts = {
    ...change,
    couponFen: String(coupon),
    cardFen: String(card),
    selfPayFen: String(selfPay),
    payRound: order.payRound + 1,
    payDeadline,
    stepDue: payDeadline,
  };
  const begun = action === null ? await writeOrder(ctx, order, facts) : await moveOrder(ctx, order, action, facts, { opinion });
  if (selfPay > 0) {
    const { id } = await own(ctx.tx)
      .insertInto('orderFunding')
      .values({
        orderId: order.id,
        kind: 'CASH',
        refId: NOT_PAID,
        refName: '待支付',
        amountFen: String(selfPay),
        state: 'HELD',
        createdAt: ctx.now,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await insertShares(
      ctx.tx,
      id,
      lines.map((line, at) => ({
        orderLineId: line.id,
        amountFen:
          lineDue({ amountFen: Number(line.amountFen), discountFen: Number(line.discountFen), freightFen: Number(line.freightFen) }) -
          (benefits.get(line.id) ?? 0) -
          Number(plan.coupons.amounts[at]! + plan.values.amounts[at]!),
      })),
    );
  } else
    await ctx.enqueue(settleJob, { orderId: order.id, round: begun.payRound }, { singletonKey: `settle:${order.id}:${begun.payRound}` });
  await insertCards(ctx, begun, await holdPlanned(kernel, ctx, begun, plan));
  return begun;
}

const PAID: Readonly<Record<OrderRecord['orderType'], OrderAction>> = {
  B2C: 'pay',
  PICKUP: 'pay',
  SERVICE: 'payService',
  STORE_DIRECT: 'payAtStore',
};

/**
 * What is taken together: the state, the event, and what cards owe; the cards last.
 * @param beforeCards what else belongs to it
 */
async function settleAll(
  kernel: Kernel,
  ctx: Acting,
  order: OrderRecord,
  beforeCards?: (paid: OrderRecord) => Promise<void>,
): Promise<OrderRecord> {
  const fundings = await fundingsOf(ctx.tx, order.id);
  const held = fundings.flatMap(({ id, holdId, state }) => (holdId !== null && state === 'HELD' ? [{ fundingId: id, holdId }] : []));
  await own(ctx.tx)
    .updateTable('orderFunding')
    .set({ state: 'CAPTURED' })
    .where('orderId', '=', order.id)
    .where('state', '=', 'HELD')
    .execute();
  const action = PAID[order.orderType];
  const atStore = action === 'payAtStore';
  const paid = await moveOrder(ctx, order, action, { paidAt: ctx.now, ...(atStore && { completedAt: ctx.now }) });
  if (paid.state === 'PENDING_ALLOCATION') await ctx.enqueue(allocateJob, { orderId: paid.id }, { singletonKey: `allocate:${paid.id}` });
  await publishPaid(ctx, paid);
  if (atStore) await publishCompleted(ctx, paid);
  await beforeCards?.(paid);
  const captured = await cardsOf(kernel).capture(
    ctx,
    held.map(({ holdId }) => holdId),
  );
  for (const [at, { writeOffs }] of captured.entries())
    for (const { writeOffId, orderLineId } of writeOffs)
      await own(ctx.tx)
        .updateTable('orderFundingLine')
        .set({ writeOffId })
        .where('fundingId', '=', held[at]!.fundingId)
        .where('orderLineId', '=', orderLineId)
        .execute();
  return paid;
}

interface PaidOutside {
  held: readonly HeldForOrder[];
  /** By which number the store's cash is found. */
  paymentNo: string;
  /** What else is done in the same transaction, before the cards. */
  beforeCards(paid: OrderRecord): Promise<void>;
}
/**
 * An order that was paid for outside of the system: what its cards do not pay the store took in cash. Paid and complete at once, the cards
 * last.
 * @throws Refusal SCM17036 as cards say it
 */
export async function settleRegistered(
  kernel: Kernel,
  ctx: Acting,
  order: OrderRecord,
  { held, paymentNo, beforeCards }: PaidOutside,
): Promise<OrderRecord> {
  const fundings = await fundingsOf(ctx.tx, order.id);
  const paid = new Map<string, number>();
  const add = (orderLineId: string, fen: number) => paid.set(orderLineId, (paid.get(orderLineId) ?? 0) + fen);
  for (const { shares } of fundings) for (const { orderLineId, amountFen } of shares) add(orderLineId, amountFen);
  for (const { lines } of held) for (const { orderLineId, amount } of lines) add(orderLineId, Number(amount));
  const cardFen = held.reduce((sum, { amount }) => sum + Number(amount), 0);
  const cash = (await linesOf(ctx.tx, order.id)).map((line) => ({
    orderLineId: line.id,
    amountFen: Number(line.amountFen) - (paid.get(line.id) ?? 0),
  }));
  const cashFen = cash.reduce((sum, { amountFen }) => sum + amountFen, 0);
  const begun = await writeOrder(ctx, order, { cardFen: String(cardFen), selfPayFen: String(cashFen), payRound: 1 });
  if (cashFen > 0) {
    const { id } = await own(ctx.tx)
      .insertInto('orderFunding')
      .values({
        orderId: order.id,
        kind: 'CASH',
        refId: paymentNo,
        refName: 'STORE',
        amountFen: String(cashFen),
        state: 'HELD',
        createdAt: ctx.now,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await insertShares(ctx.tx, id, cash);
    await own(ctx.tx)
      .insertInto('orderPayment')
      .values({
        paymentNo,
        orderId: order.id,
        channel: 'STORE',
        amountFen: String(cashFen),
        paidAt: ctx.now,
        answer: 'ACCEPTED',
        createdAt: ctx.now,
      })
      .execute();
  }
  await insertCards(ctx, begun, held);
  return settleAll(kernel, ctx, begun, beforeCards);
}

/**
 * An order whose cash, if it needs any, is there: it is paid, or, where a card does not pay any more, waits for somebody.
 * @returns whether it is paid
 */
export async function settle(kernel: Kernel, ctx: Acting, order: OrderRecord): Promise<boolean> {
  const tried = await cardsOf(kernel).attempt(ctx.tx, () => settleAll(kernel, ctx, order));
  if ('done' in tried) return true;
  const failed = await moveOrder(ctx, order, 'cardFails', { stepDue: null }, { opinion: tried.refused.message });
  await openException(ctx, failed, { type: 'CARD_FAILED', detail: tried.refused.message });
  return false;
}

/**
 * 重新扣卡: the cards of an order whose cash is there are held anew for what was asked of each and written off; then it is paid. The last
 * statements of the transaction.
 * @throws Refusal SCM90031 while its cash is not there or nothing failed, SCM16062 where the cards have less, SCM17030–17039 of cards
 */
export async function payCardsAgain(kernel: Kernel, ctx: Acting, order: OrderRecord): Promise<OrderRecord> {
  const failed = (await fundingsOf(ctx.tx, order.id)).filter(({ holdId, state }) => holdId !== null && state === 'HELD');
  const isPaid = Number(order.selfPayFen) === 0 || (await hasCash(ctx.tx, order.id));
  if (order.state !== 'PENDING_PAYMENT' || !isPaid || failed.length === 0)
    throw refuse(platformErrors.WRONG_STATE, { state: orderMachine.states[order.state].label });
  const tried = await moveOrder(ctx, order, 'retryCards', { payRound: order.payRound + 1 });
  await own(ctx.tx)
    .updateTable('orderFunding')
    .set({ state: 'RELEASED' })
    .where(
      'id',
      'in',
      failed.map(({ id }) => id),
    )
    .execute();
  await settleExceptions(ctx, order, ['CARD_FAILED']);
  const { lines } = await payingLines(ctx, tried);
  const before = (kind: 'COUPON' | 'STORED_VALUE') => {
    const fundings = failed.filter((funding) => funding.kind === kind);
    const shares = fundings.flatMap((funding) => funding.shares);
    return {
      cardIds: fundings.map(({ refId }) => refId),
      amounts: lines.map(({ id }) =>
        shares.filter(({ orderLineId }) => orderLineId === id).reduce((sum, { amountFen }) => sum + BigInt(amountFen), 0n),
      ),
    };
  };
  const plan = { coupons: before('COUPON'), values: before('STORED_VALUE'), lines: askedLines(tried, lines) };
  await cardsOf(kernel).release(
    ctx,
    failed.flatMap(({ holdId }) => holdId ?? []),
    '重新扣卡',
  );
  await insertCards(ctx, tried, await holdPlanned(kernel, ctx, tried, plan));
  return settleAll(kernel, ctx, tried);
}

export type PaymentAnswer = 'ACCEPTED' | 'DUPLICATE' | 'ENDED' | 'AMOUNT_DIFFERS';
export interface OrderPayment {
  orderId: string;
  paymentNo: string;
  channel: string;
  amountFen: number;
  paidAt: Instant;
}

/** Whether a payment of the order was taken. */
export const hasCash = async (tx: Tx, orderId: string): Promise<boolean> =>
  (await own(tx)
    .selectFrom('orderPayment')
    .select('paymentNo')
    .where('orderId', '=', orderId)
    .where('answer', '=', 'ACCEPTED')
    .executeTakeFirst()) !== undefined;

async function takeCash(ctx: Acting, order: OrderRecord, { paymentNo, channel }: OrderPayment): Promise<void> {
  await own(ctx.tx)
    .updateTable('orderFunding')
    .set({ refId: paymentNo, refName: channel, state: 'CAPTURED' })
    .where('orderId', '=', order.id)
    .where('kind', '=', 'CASH')
    .where('state', '=', 'HELD')
    .execute();
}

async function answerPayment(ctx: Acting, order: OrderRecord, payment: OrderPayment): Promise<PaymentAnswer> {
  if (order.state === 'CANCELLED' || order.state === 'CLOSED') return 'ENDED';
  if ((await hasCash(ctx.tx, order.id)) || order.state !== 'PENDING_PAYMENT') return 'DUPLICATE';
  if (Number(order.selfPayFen) === payment.amountFen) return 'ACCEPTED';
  const detail = `支付单${payment.paymentNo}到账金额与应付不一致`;
  const differs = await moveOrder(ctx, order, 'payDiffers', {}, { opinion: detail });
  await openException(ctx, differs, { type: 'AMOUNT_MISMATCH', detail });
  return 'AMOUNT_DIFFERS';
}

/**
 * A payment that reached us marks its order paid, in the cashier's transaction and at its end. Told again it is answered as the first time.
 * ENDED: cancelled or closed; DUPLICATE: paid already by another; AMOUNT_DIFFERS: nothing is paid, a person looks at it.
 * @throws Refusal SCM90040 where there is no such order
 */
export async function acceptPayment(kernel: Kernel, ctx: Acting, payment: OrderPayment): Promise<PaymentAnswer> {
  const order = await orderRecords.lock(ctx.tx, orderRecords.everyone, payment.orderId);
  const before = await own(ctx.tx)
    .selectFrom('orderPayment')
    .select('answer')
    .where('paymentNo', '=', payment.paymentNo)
    .executeTakeFirst();
  if (before) return before.answer;
  const answer = await answerPayment(ctx, order, payment);
  const { amountFen, ...facts } = payment;
  await own(ctx.tx)
    .insertInto('orderPayment')
    .values({ ...facts, amountFen: String(amountFen), answer, createdAt: ctx.now })
    .execute();
  if (answer !== 'ACCEPTED') return answer;
  await takeCash(ctx, order, payment);
  await settle(kernel, ctx, order);
  return answer;
}

export interface PayableOrder {
  orderId: string;
  orderNo: string;
  patientId: string;
  title: string;
  statusCode: OrderRecord['state'];
  payFen: number;
  payDeadline: Instant | null;
}
/** An order as a cashier sees it, its row kept as it is until the transaction ends; null where there is none. */
export async function payableOrder(tx: Tx, orderId: string): Promise<PayableOrder | null> {
  const row = await own(tx).selectFrom('orderOrder').selectAll().where('id', '=', orderId).forShare().executeTakeFirst();
  if (!row) return null;
  const lines = await linesOf(tx, orderId);
  return {
    orderId: row.id,
    orderNo: row.orderNo,
    patientId: row.patientId,
    title: `${lines[0]?.goodsName ?? ''}${lines.length > 1 ? `等${lines.length}种` : ''}（订单${row.orderNo}）`,
    statusCode: row.state,
    payFen: Number(row.selfPayFen),
    payDeadline: row.payDeadline,
  };
}

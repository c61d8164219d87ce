import { refuse, refuseField, Refusal } from '#kernel/contract/errors.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { cardsOf, type UseLine } from '#domains/card/server/index.ts';
import { goodsDue } from '../../contract/rules/money.ts';
import { orderErrors } from '../../contract/errors.ts';
import type { OrderLineRecord, OrderRecord } from './access.ts';

/** Who gets what cards pay: the store that sells, else the platform. */
const sellerOf = ({ drugstoreId, drugstoreName }: OrderRecord) =>
  drugstoreId === null
    ? { merchantId: 'PLATFORM', merchantName: '康桥平台' }
    : { merchantId: drugstoreId, merchantName: drugstoreName ?? '' };

interface Judged {
  /** Fen of each line, by the order of the lines. */
  amounts: bigint[];
  cardIds: string[];
}
export interface CardPlan {
  coupons: Judged;
  values: Judged;
  /** What the lines cost before any card. */
  lines: UseLine[];
}
const sumOf = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, one) => sum + one, 0n);

type PayingLine = OrderLineRecord & { benefitFen: number; categoryCode: string | null };

/** What cards are asked to pay of each line: what no benefit pays. */
export const askedLines = (order: OrderRecord, lines: readonly PayingLine[]): UseLine[] =>
  lines.map((line) => {
    const due = BigInt(goodsDue({ amountFen: Number(line.amountFen), discountFen: Number(line.discountFen) }) - line.benefitFen);
    return {
      orderLineId: line.id,
      medicineId: line.medicineId,
      categoryCode: line.categoryCode,
      goodsName: line.goodsName,
      quantity: line.quantity,
      amount: due,
      payable: due,
      ...sellerOf(order),
    };
  });

/**
 * What the chosen cards would pay: each judged for what those before it leave, coupons first.
 * @throws Refusal SCM90020 for a card that is not the buyer's, SCM17030–17035 as cards say it
 */
export async function planCards(kernel: Kernel, ctx: Acting, order: OrderRecord, lines: readonly PayingLine[]): Promise<CardPlan> {
  const asked = askedLines(order, lines);
  const plan: CardPlan = {
    coupons: { amounts: asked.map(() => 0n), cardIds: [] },
    values: { amounts: asked.map(() => 0n), cardIds: [] },
    lines: asked,
  };
  const cards = cardsOf(kernel);
  let left = asked;
  const open = new Set(order.cardIds);
  while (open.size > 0) {
    const found = await cards.usable(
      ctx.tx,
      {
        patientId: order.patientId,
        bizType: 'ORDER',
        bizId: null,
        orderType: order.orderType,
        drugstoreId: order.drugstoreId,
        lines: left,
        chosenIds: order.cardIds,
      },
      ctx.now,
    );
    const chosen = found.filter(({ cardId }) => open.has(cardId));
    if (chosen.length < open.size) throw refuseField('cardIds', '所选卡券不存在或不属于该患者，请重新选择');
    const first = chosen[0]!;
    if (first.kind === 'BENEFIT_CARD') throw refuseField('cardIds', '权益卡请在预约服务时使用');
    if (first.refusal) throw new Refusal(first.refusal.code, first.refusal.message);
    open.delete(first.cardId);
    const into = first.kind === 'COUPON' ? plan.coupons : plan.values;
    into.cardIds.push(first.cardId);
    into.amounts = into.amounts.map((amount, at) => amount + (first.shares[at]?.amount ?? 0n));
    left = left.map((line, at) => ({ ...line, amount: line.amount - (first.shares[at]?.amount ?? 0n) }));
  }
  return plan;
}

/** Fen that the planned cards pay. */
export const couponFen = ({ coupons }: CardPlan): number => Number(sumOf(coupons.amounts));
export const valueFen = ({ values }: CardPlan): number => Number(sumOf(values.amounts));

/** Sets aside what was planned, at the end of the transaction: coupons before stored value. @throws Refusal SCM17030–17039 */
export async function holdPlanned(kernel: Kernel, ctx: Acting, order: OrderRecord, plan: CardPlan) {
  const common = {
    bizType: 'ORDER' as const,
    bizId: order.id,
    bizNo: order.orderNo,
    orderType: order.orderType,
    drugstoreId: order.drugstoreId,
    drugstoreName: order.drugstoreName,
  };
  const cards = cardsOf(kernel);
  const key = `order:${order.id}:${order.payRound}`;
  const { coupons, values, lines } = plan;
  const byCoupons =
    coupons.cardIds.length === 0 ? [] : await cards.hold(ctx, { ...common, key: `${key}:coupon`, lines, cardIds: coupons.cardIds });
  const ofValues = lines.map((line, at) => ({ ...line, amount: values.amounts[at]! }));
  const byValues =
    values.cardIds.length === 0 ? [] : await cards.hold(ctx, { ...common, key: `${key}:value`, lines: ofValues, cardIds: values.cardIds });
  const held = [...byCoupons, ...byValues];
  if (sumOf(held.map(({ amount }) => amount)) !== sumOf(coupons.amounts) + sumOf(values.amounts)) throw refuse(orderErrors.CARD_SHORT);
  return held;
}
export type HeldForOrder = Awaited<ReturnType<typeof holdPlanned>>[number];

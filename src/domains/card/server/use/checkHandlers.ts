import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import type { QueryContext } from '#kernel/server/context.ts';
import { query } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { ledgerOf } from '#domains/ledger/server/index.ts';
import { checkCard, queryWriteOffOrder } from '../../contract/calls/use.ts';
import { judge } from '../../contract/rules/check.ts';
import { sumOf } from '../../contract/rules/rounding.ts';
import { showHolder } from '../cards/holder.ts';
import { own } from '../database.ts';
import type { UseLine } from './orders.ts';
import { orderOf, usedOf, type OrderFacts } from './orders.ts';
import { cardsOfOrder, findCard, judgedCard, stackedOf, usedToday } from './readCard.ts';

export const missingOrder = () => refuse(platformErrors.NOT_FOUND, { message: '订单不存在，请核对订单号' });

/** Lines of an order with what is still to be paid of them. */
export async function openLines(db: QueryContext['db'], order: OrderFacts): Promise<UseLine[]> {
  const used = await usedOf(db, order.orderId);
  return order.lines
    .map((line) => ({ ...line, payable: line.amount, amount: line.amount - (used.get(line.orderLineId) ?? 0n) }))
    .filter(({ amount }) => amount > 0n);
}

async function cardOfHolder(ctx: QueryContext, patientId: string): Promise<string> {
  const row = await own(ctx.db)
    .selectFrom('cardCard')
    .select('id')
    .where('patientId', '=', patientId)
    .where('state', 'in', ['ACTIVE', 'FROZEN', 'ISSUED', 'DEPLETED'])
    .orderBy('state')
    .orderBy('id', 'desc')
    .executeTakeFirst();
  if (!row) throw refuse(platformErrors.NOT_FOUND, { message: '该持卡人没有可用的卡' });
  return row.id;
}

/** Why a card can or cannot pay: every rule with its answer, and what it would pay out of which lots. */
export const check = (kernel: Kernel) =>
  query(checkCard, async (input, ctx) => {
    const ledger = ledgerOf(kernel);
    const cardId = input.cardId ?? (input.cardNo === undefined && input.patientId ? await cardOfHolder(ctx, input.patientId) : undefined);
    const card = await findCard(ctx.db, { cardId, cardNo: input.cardNo });
    const order = input.orderNo ? await orderOf(kernel, ctx.db, input.orderNo) : null;
    if (input.orderNo && !order) throw missingOrder();
    const lines: UseLine[] = order
      ? await openLines(ctx.db, order)
      : (input.medicineIds ?? []).map((medicineId, at) => ({
          orderLineId: String(at + 1),
          medicineId,
          categoryCode: null,
          goodsName: medicineId,
          quantity: 1,
          amount: BigInt(input.amount ?? 10_000),
          merchantId: input.drugstoreId ?? 'PLATFORM',
          merchantName: '',
        }));
    const judged = await judgedCard(ctx.db, ledger, card, input.benefitId, ctx.now);
    const verdict = judge(judged, {
      orderType: order?.orderType ?? null,
      drugstoreId: order?.drugstoreId ?? input.drugstoreId ?? null,
      lines,
      wanted: order && input.amount !== undefined && card.kind === 'STORED_VALUE' ? BigInt(input.amount) : null,
      times: 1,
      chosen: order ? (await cardsOfOrder(ctx.db, 'ORDER', order.orderId)).map(stackedOf) : [],
      usedToday: await usedToday(ctx.db, card, ctx.now),
      now: ctx.now,
    });
    const available = sumOf(
      judged.lots.filter(({ expiresAt }) => expiresAt === null || expiresAt > ctx.now),
      ({ free }) => free,
    );
    const shown = showHolder(card, ctx);
    const isOpen = !order?.closed;
    return {
      cardId: card.id,
      cardNo: shown.cardNo,
      kind: card.kind,
      cardTypeName: card.cardTypeName,
      state: card.state,
      holderName: shown.holderName,
      order: order && {
        orderId: order.orderId,
        orderNo: order.orderNo,
        drugstoreName: order.drugstoreName,
        payable: Number(order.payable),
      },
      lines: lines.map((line, at) => ({
        orderLineId: line.orderLineId,
        goodsName: line.goodsName,
        quantity: line.quantity,
        amount: Number(line.amount),
        merchantName: line.merchantName,
        share: Number(verdict.shares[at] ?? 0n),
      })),
      available: Number(available),
      timesLeft: judged.timesLeft,
      usable: Number(verdict.amount),
      lost: Number(verdict.lost),
      after: Number(available - (card.kind === 'STORED_VALUE' ? verdict.amount : 0n)),
      lots: verdict.lots.map(({ lot, amount }) => ({
        lotNo: lot.lotNo,
        kind: lot.kind,
        take: Number(amount),
        free: Number(lot.free),
        expireAt: lot.expiresAt,
      })),
      rules: [
        ...verdict.rules,
        ...(isOpen ? [] : [{ rule: 'ORDER' as const, passed: false, code: 'SCM90031', message: '订单已取消，不能使用卡' }]),
      ],
      ok: verdict.refusal === null && isOpen,
    };
  });

export const writeOffOrder = (kernel: Kernel) =>
  query(queryWriteOffOrder, async ({ orderNo }, ctx) => {
    const order = await orderOf(kernel, ctx.db, orderNo);
    if (!order) throw missingOrder();
    const used = await usedOf(ctx.db, order.orderId);
    return {
      orderId: order.orderId,
      orderNo: order.orderNo,
      drugstoreName: order.drugstoreName,
      payable: Number(order.payable),
      used: Number(sumOf([...used.values()], (one) => one)),
      lines: order.lines.map((line) => ({
        orderLineId: line.orderLineId,
        goodsName: line.goodsName,
        quantity: line.quantity,
        amount: Number(line.amount),
        merchantName: line.merchantName,
        share: Number(used.get(line.orderLineId) ?? 0n),
      })),
    };
  });

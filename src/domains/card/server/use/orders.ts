import { sql } from 'kysely';
import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { yuan } from '#kernel/contract/money.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import type { Instant } from '#kernel/contract/time.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { cardErrors } from '../../contract/errors.ts';
import { sumOf } from '../../contract/rules/rounding.ts';
import { json, own } from '../database.ts';

/** A line of an order as cards judge it. */
export interface UseLine {
  orderLineId: string;
  medicineId: string | null;
  categoryCode: string | null;
  goodsName: string;
  quantity: number;
  /** Fen that cards are to pay of it. */
  amount: bigint;
  /** All that is to be paid of it; absent: not more than the amount. */
  payable?: bigint | undefined;
  merchantId: string;
  merchantName: string;
}

/** An order as cards ask for it. */
export interface OrderFacts {
  orderId: string;
  orderNo: string;
  orderType: string;
  patientId: string | null;
  drugstoreId: string | null;
  drugstoreName: string | null;
  /** Fen. */
  payable: bigint;
  /** Cancelled: nothing is used for it any more. */
  closed: boolean;
  lines: readonly UseLine[];
}
/** How the domain of orders answers for one of its orders; null: it has none of that number. */
export type OrderSource = (db: Db | Tx, orderNo: string) => Promise<OrderFacts | null>;

const sources = new WeakMap<Kernel, OrderSource>();
/** The domain of orders registers itself as its module is built; until then its events are what is known. */
export const registerOrderSource = (kernel: Kernel, source: OrderSource): void => void sources.set(kernel, source);

interface StoredLine extends Omit<UseLine, 'amount'> {
  amount: string;
}
const linesOut = (lines: readonly UseLine[]) => json(lines.map((line) => ({ ...line, amount: String(line.amount) })));
const linesIn = (stored: unknown): UseLine[] => (stored as StoredLine[]).map((line) => ({ ...line, amount: BigInt(line.amount) }));

async function copyOf(db: Db | Tx, orderNo: string): Promise<OrderFacts | null> {
  const row = await own(db).selectFrom('cardOrderCopy').selectAll().where('orderNo', '=', orderNo).executeTakeFirst();
  if (!row) return null;
  return { ...row, payable: BigInt(row.payFen), lines: linesIn(row.lines) };
}

export const orderOf = async (kernel: Kernel, db: Db | Tx, orderNo: string): Promise<OrderFacts | null> =>
  (await sources.get(kernel)?.(db, orderNo)) ?? copyOf(db, orderNo);

/** What an event says of an order. */
export type EventOrder = Omit<OrderFacts, 'payable'> & { payFen: bigint; orderTime: Instant };
const keptOf = ({ payFen, lines, ...order }: EventOrder, now: Instant) => ({
  ...order,
  payFen: String(payFen),
  lines: linesOut(lines),
  toldBy: 'EVENT' as const,
  updatedAt: now,
});

/** Keeps it. What was cancelled stays so, in whichever order its events come. */
export async function keepOrder(tx: Tx, order: EventOrder, now: Instant): Promise<void> {
  const { orderId, ...values } = keptOf(order, now);
  await own(tx)
    .insertInto('cardOrderCopy')
    .values({ orderId, ...values })
    .onConflict((conflict) =>
      conflict.column('orderId').doUpdateSet({ ...values, closed: sql<boolean>`card_order_copy.closed or ${order.closed}` }),
    )
    .execute();
}

/** From here on no card pays for it, also where nothing was known of it; who sets value aside for it at this moment is waited for. */
export async function closeOrder(tx: Tx, order: EventOrder, now: Instant): Promise<void> {
  await own(tx)
    .insertInto('cardOrderCopy')
    .values(keptOf({ ...order, closed: true }, now))
    .onConflict((conflict) => conflict.column('orderId').doUpdateSet({ closed: true, updatedAt: now }))
    .execute();
}

/** What of an order somebody tells who wants to use cards for it: its lines with all that is to be paid of them. */
export type ToldOrder = Pick<OrderFacts, 'orderId' | 'orderNo' | 'orderType' | 'drugstoreId' | 'drugstoreName' | 'lines'>;

/**
 * The order of a use, locked until the transaction ends: whatever cards pay for it, they do so one after another. Of an order that no
 * event told yet the first caller's word is kept; a line's amount may be told anew as long as nothing is used for it.
 * @throws Refusal SCM90020, SCM90031 for an order that was cancelled
 */
export async function lockOrder(tx: Tx, told: ToldOrder, now: Instant): Promise<OrderFacts> {
  const { orderId, orderNo, orderType, drugstoreId, drugstoreName } = told;
  const payFen = String(sumOf(told.lines, ({ amount }) => amount));
  const stamped = { toldBy: 'CALLER' as const, orderTime: now, updatedAt: now };
  await own(tx)
    .insertInto('cardOrderCopy')
    .values({ orderId, orderNo, orderType, drugstoreId, drugstoreName, payFen, lines: linesOut(told.lines), ...stamped })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = await own(tx).selectFrom('cardOrderCopy').selectAll().where('orderId', '=', orderId).forUpdate().executeTakeFirst();
  if (row?.orderNo !== orderNo) throw refuseField('orderNo', '订单号与订单不符，请核对订单');
  if (row.closed) throw refuse(platformErrors.WRONG_STATE, { state: '已取消' });
  const kept = linesIn(row.lines);
  if (row.toldBy === 'EVENT') {
    const known = new Set(kept.map(({ orderLineId }) => orderLineId));
    if (told.lines.some(({ orderLineId }) => !known.has(orderLineId))) throw refuseField('lines', '订单没有这一明细，请核对订单明细');
    return { ...row, payable: BigInt(row.payFen), lines: kept };
  }
  const used = await usedOf(tx, orderId);
  const free = new Map(told.lines.filter(({ orderLineId }) => !used.get(orderLineId)).map((line) => [line.orderLineId, line]));
  const news = told.lines.filter(({ orderLineId }) => !kept.some((line) => line.orderLineId === orderLineId));
  const lines = [...kept.map((line) => free.get(line.orderLineId) ?? line), ...news];
  const payable = sumOf(lines, ({ amount }) => amount);
  await own(tx)
    .updateTable('cardOrderCopy')
    .set({ lines: linesOut(lines), payFen: String(payable), updatedAt: now })
    .where('orderId', '=', orderId)
    .execute();
  return { ...row, payable, lines };
}

/** Cards never pay more of an order, nor of one of its lines, than is to be paid. @throws Refusal SCM17039 */
export async function requireWithin(tx: Tx, order: Pick<OrderFacts, 'orderId' | 'orderNo' | 'payable' | 'lines'>): Promise<void> {
  const used = await usedOf(tx, order.orderId);
  const total = sumOf([...used.values()], (one) => one);
  const over = order.lines.find((line) => (used.get(line.orderLineId) ?? 0n) > line.amount);
  if (over) throw refuse(cardErrors.ORDER_PAID, { no: order.orderNo, a: yuan(used.get(over.orderLineId) ?? 0n), b: yuan(over.amount) });
  if (total > order.payable) throw refuse(cardErrors.ORDER_PAID, { no: order.orderNo, a: yuan(total), b: yuan(order.payable) });
}

/** What of an order is held and written off already, by its lines. */
export async function usedOf(db: Db | Tx, orderId: string): Promise<Map<string, bigint>> {
  const { rows } = await sql<{ orderLineId: string; used: string }>`
    select l.order_line_id, sum(case h.state when 'HELD' then l.amount else coalesce(w.amount - w.reversed_amount, 0) end) as used
      from card_hold h
      join card_hold_line l on l.hold_id = h.id
      left join card_write_off w on w.hold_id = h.id and w.order_line_id = l.order_line_id
      where h.biz_id = ${orderId} and h.biz_type in ('ORDER', 'MANUAL') and h.state in ('HELD', 'CAPTURED') and h.kind <> 'BENEFIT_CARD'
      group by l.order_line_id`.execute(db);
  return new Map(rows.map(({ orderLineId, used }) => [orderLineId, BigInt(used)]));
}

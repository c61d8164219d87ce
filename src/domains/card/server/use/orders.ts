import { sql } from 'kysely';
import type { Db, Tx } from '../../../../kernel/server/context.ts';
import type { Instant } from '../../../../kernel/contract/time.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import { json, own } from '../database.ts';
import type { UseLine } from './hold.ts';

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

async function copyOf(db: Db | Tx, orderNo: string): Promise<OrderFacts | null> {
  const row = await own(db).selectFrom('cardOrderCopy').selectAll().where('orderNo', '=', orderNo).executeTakeFirst();
  if (!row) return null;
  const lines = (row.lines as StoredLine[]).map((line) => ({ ...line, amount: BigInt(line.amount) }));
  return { ...row, payable: BigInt(row.payFen), lines };
}

export const orderOf = async (kernel: Kernel, db: Db | Tx, orderNo: string): Promise<OrderFacts | null> =>
  (await sources.get(kernel)?.(db, orderNo)) ?? copyOf(db, orderNo);

/** Keeps what an event says of an order. */
export async function keepOrder(
  tx: Tx,
  order: Omit<OrderFacts, 'payable'> & { payFen: bigint; orderTime: Instant },
  now: Instant,
): Promise<void> {
  const values = {
    orderNo: order.orderNo,
    orderType: order.orderType,
    patientId: order.patientId,
    drugstoreId: order.drugstoreId,
    drugstoreName: order.drugstoreName,
    payFen: String(order.payFen),
    closed: order.closed,
    lines: json(order.lines.map((line) => ({ ...line, amount: String(line.amount) }))),
    orderTime: order.orderTime,
    updatedAt: now,
  };
  await own(tx)
    .insertInto('cardOrderCopy')
    .values({ orderId: order.orderId, ...values })
    .onConflict((conflict) => conflict.column('orderId').doUpdateSet(values))
    .execute();
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

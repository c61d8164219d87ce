import { sql } from 'kysely';
import { plusDays, startOfDay } from '#kernel/contract/time.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { recordIds } from '#domains/patient/server/index.ts';
import { orderMachine } from '../../contract/orderStates.ts';
import type { ManualRecord } from './access.ts';

interface Found {
  orderId: string;
  orderNo: string;
  goodsText: string;
  payableFen: string;
  state: keyof typeof orderMachine.states;
  createdAt: string;
}

/** Orders of the same person, store and day with one of the same goods: the purchase may be known already. */
export async function likeOrders(db: Db | Tx, row: ManualRecord) {
  if (row.patientId === null) return [];
  const { rows } = await sql<Found>`
    select o.id::text as order_id, o.order_no, o.payable_fen::text as payable_fen, o.state, o.created_at, (
        select string_agg(l.goods_name || '×' || l.quantity, '、' order by l.line_no) from order_line l where l.order_id = o.id
      ) as goods_text
      from order_order o
      where o.patient_id = any(${await recordIds(db, row.patientId)}::bigint[]) and o.drugstore_id = ${row.drugstoreId}
        and o.state <> 'CANCELLED' and o.id is distinct from ${row.reservedOrderId}::bigint
        and o.created_at >= ${startOfDay(row.purchaseDate)}::timestamptz
        and o.created_at < ${startOfDay(plusDays(row.purchaseDate, 1))}::timestamptz
        and exists (
          select from order_line l
            join order_manual_line m on m.goods_code = l.goods_code
            where l.order_id = o.id and m.manual_id = ${row.id}
        )
      order by o.created_at
      limit 10`.execute(db);
  return rows.map(({ state, payableFen, ...order }) => ({
    ...order,
    payableFen: Number(payableFen),
    stateLabel: orderMachine.states[state].label,
  }));
}

import { sql } from 'kysely';
import type { Db, Tx } from '../../../../kernel/server/context.ts';
import type { ConsultOrderState } from '../../contract/orderStates.ts';

export interface OrderStateBrief {
  orderId: string;
  state: ConsultOrderState;
  /** How often each step was told that ends a service: once, or not yet. */
  completed: number;
  /** Steps that give the money back. */
  givenBack: number;
  refundedFen: string;
}

/** Where orders stand, for whoever compares them with the services that they paid. */
export async function orderStatesOf(db: Db | Tx, orderIds: readonly string[]): Promise<OrderStateBrief[]> {
  if (orderIds.length === 0) return [];
  const { rows } = await sql<OrderStateBrief>`
    select o.id as order_id, o.state, o.refunded_fen, count(s.step) filter (where s.step = 'COMPLETE')::int as completed,
        count(s.step) filter (where s.step in ('NO_ACCEPT', 'NO_REPLY', 'DOCTOR_REFUSE', 'PATIENT'))::int as given_back
      from doctor_consult_order o
      left join doctor_consult_step s on s.order_id = o.id
      where o.id = any(${[...orderIds]}::bigint[])
      group by o.id`.execute(db);
  return rows;
}

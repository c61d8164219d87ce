import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { scopeFilter, scopedResource } from '#kernel/server/auth/scope.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import type { OpenOutcome } from '#kernel/server/money/inquiry.ts';
import type { PayChannelCode } from '#kernel/server/pay/port.ts';
import type { Viewer } from '#kernel/server/auth/viewer.ts';
import { recordOf } from '#kernel/server/record/recordOf.ts';
import { own, ownTx } from '../database.ts';
import type { ItemSnapshot } from './snapshot.ts';
import type { ConsultOrderState } from '../../contract/orderStates.ts';

export const ORDER_TARGET = 'doctor.consultOrder';
export const REFUND_TARGET = 'doctor.consultRefund';

const dimensions = scopedResource({ region: { column: 'o.adcode' }, insurer: 'free', channel: { column: 'o.channel_id' }, own: 'free' });

/** What somebody sees of orders (alias `o`): the doctor's region, the order's channel, own = the assistant who serves it. */
export function seesOrder(viewer: Viewer): RawBuilder<SqlBool> {
  const mine = viewer.scope.own
    ? sql<SqlBool>`exists (select 1 from doctor_assistant a where a.id = o.assistant_id and a.user_id = ${viewer.userId})`
    : sql<SqlBool>`true`;
  return sql<SqlBool>`(${scopeFilter(dimensions, viewer)} and ${mine})`;
}

const readOrder = (db: Db | Tx, by: { id: string } | { orderNo: string }) => {
  const query = own(db).selectFrom('doctorConsultOrder as o').selectAll('o');
  return 'id' in by ? query.where('o.id', '=', by.id) : query.where('o.orderNo', '=', by.orderNo);
};

type Stored = Awaited<ReturnType<ReturnType<typeof readOrder>['executeTakeFirstOrThrow']>>;
export interface OrderRecord extends Omit<Stored, 'itemSnapshot' | 'priceFen' | 'discountFen' | 'payFen' | 'refundedFen'> {
  itemSnapshot: ItemSnapshot;
  priceFen: number;
  discountFen: number;
  payFen: number;
  refundedFen: number;
}

/** The channel an order's money goes through. One that costs nothing has none, and nobody asks one about it. */
export function channelOf({ payChannel, orderNo }: Pick<Stored, 'payChannel' | 'orderNo'>): PayChannelCode {
  if (payChannel === 'FREE') throw new Error(`order ${orderNo} costs nothing, no channel knows of it`);
  return payChannel;
}

/** Amounts lie below 5000 yuan, so numbers are exact. */
const typed = (row: Stored): OrderRecord => ({
  ...row,
  itemSnapshot: row.itemSnapshot as ItemSnapshot,
  priceFen: Number(row.priceFen),
  discountFen: Number(row.discountFen),
  payFen: Number(row.payFen),
  refundedFen: Number(row.refundedFen),
});

export const orderRecords = recordOf((db) => own(db).selectFrom('doctorConsultOrder as o').selectAll('o'))
  .as(typed)
  .with({ noun: '订单', type: ORDER_TARGET, id: 'o.id', scope: seesOrder });

/** Locked until the transaction ends. */
export async function lockOrder(tx: Tx, by: { id: string } | { orderNo: string }, viewer?: Viewer): Promise<OrderRecord> {
  const row = await findOrder(tx, by, viewer);
  if (!row) throw orderRecords.missing();
  return row;
}

export async function findOrder(tx: Tx, by: { id: string } | { orderNo: string }, viewer?: Viewer): Promise<OrderRecord | null> {
  let query = readOrder(tx, by).forUpdate('o');
  if (viewer) query = query.where(seesOrder(viewer));
  const row = await query.executeTakeFirst();
  return row ? typed(row) : null;
}

/** Writes columns of a locked order and raises its version. @returns the order as it now is. */
export async function writeOrder(tx: Tx, order: OrderRecord, at: string, change: Partial<OrderRecord>): Promise<OrderRecord> {
  const { itemSnapshot: _frozen, id: _id, priceFen: _price, discountFen: _discount, payFen: _pay, refundedFen, ...columns } = change;
  await ownTx(tx)
    .updateTable('doctorConsultOrder')
    .set({
      ...columns,
      ...(refundedFen === undefined ? {} : { refundedFen: String(refundedFen) }),
      version: order.version + 1,
      updatedAt: at,
    })
    .where('id', '=', order.id)
    .execute();
  return { ...order, ...change, version: order.version + 1, updatedAt: at };
}

/** What is only known of the payer's way, without touching the version that an operator works on. */
export const noteOrder = (
  tx: Tx,
  id: string,
  note: Partial<Pick<Stored, 'payOpenedAt' | 'payAskedAt'>> & OpenOutcome & Pick<Stored, 'payResult'>,
) => ownTx(tx).updateTable('doctorConsultOrder').set(note).where('id', '=', id).execute();

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

import type { Viewer } from '#kernel/server/auth/viewer.ts';
import type { Selectable, Updateable } from 'kysely';
import { scopedResource, scopeFilter } from '#kernel/server/auth/scope.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import type { Db, Difference, Tx } from '#kernel/server/context.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { caseDesk, casesOf } from '#kernel/server/desk/caseDesk.ts';
import { recordOf } from '#kernel/server/record/recordOf.ts';
import { sql } from 'kysely';
import { orderMachine, type OrderAction, type OrderState } from '../../contract/orderStates.ts';
import { rxDesk } from '../../contract/rxDesk.ts';
import { own } from '../database.ts';
import type { OrderOrder } from '../tables.ts';

/** An insurer's people see the orders that their insurer covers; regions and channels limit nobody here. */
const orderScope = scopedResource({ region: 'free', insurer: { column: 'o.insurerId' }, channel: 'free', own: 'free' });

/** Rows of `o` that somebody may see, for what hangs on orders. */
export const orderSeen = (viewer: Viewer) => scopeFilter(orderScope, viewer);
export const orderRecords = recordOf((db) => own(db).selectFrom('orderOrder as o').selectAll('o')).with({
  noun: '订单',
  type: 'order.order',
  id: 'o.id',
  scope: orderScope,
});
export type OrderRecord = Selectable<OrderOrder>;

/** 审方: what is due first is taken first. */
export const desk = caseDesk(rxDesk, casesOf(orderRecords), {
  table: 'orderOrder',
  alias: 'o',
  numberOf: ({ orderNo }) => orderNo,
  leaseColumns: true,
  order: () => [sql.ref('o.stepDue')],
});

export type OrderChange = Omit<Updateable<OrderOrder>, 'id' | 'version' | 'state'>;

/** Writes facts of a locked order, without a transition. */
export const writeOrder = (ctx: Acting, { id }: Pick<OrderRecord, 'id'>, change: Updateable<OrderOrder>): Promise<OrderRecord> =>
  own(ctx.tx)
    .updateTable('orderOrder')
    .set((eb) => ({ ...change, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();

interface MoveOptions {
  opinion?: string | undefined;
  differences?: readonly Difference[];
}
/** Takes a transition of a locked order; a new state begins a new step, whose time `change` may limit. */
export async function moveOrder(
  ctx: Acting,
  order: OrderRecord,
  action: OrderAction,
  change: OrderChange = {},
  { opinion, differences = [] }: MoveOptions = {},
): Promise<OrderRecord> {
  const state: OrderState = await moveState(ctx, orderMachine, {
    targetType: orderRecords.type,
    targetId: order.id,
    targetNo: order.orderNo,
    action,
    from: order.state,
    opinion,
    differences,
  });
  return writeOrder(ctx, order, { ...(state !== order.state && { stepSince: ctx.now, stepDue: null }), ...change, state });
}

export const linesOf = (db: Db | Tx, orderId: string) =>
  own(db).selectFrom('orderLine').selectAll().where('orderId', '=', orderId).orderBy('lineNo').execute();
export type OrderLineRecord = Awaited<ReturnType<typeof linesOf>>[number];

/** Pieces whose money goes or went back before anybody sent them, by their lines. */
export async function refundedUnsent(db: Db | Tx, orderId: string): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ orderLineId: string; pieces: number }>`
    select r.order_line_id, sum(r.quantity)::int as pieces
      from order_after_sale_line r
      join order_after_sale a on a.id = r.after_sale_id
      where a.order_id = ${orderId} and a.reason_code = 'NOT_SHIPPED' and a.state in ('REFUNDING', 'REFUNDED')
      group by r.order_line_id`.execute(db);
  return new Map(rows.map(({ orderLineId, pieces }) => [orderLineId, pieces]));
}

/** Instruments that pay an order, those without effect left out, with what each pays of which line. */
export async function fundingsOf(db: Db | Tx, orderId: string) {
  const fundings = await own(db)
    .selectFrom('orderFunding')
    .selectAll()
    .where('orderId', '=', orderId)
    .where('state', '<>', 'RELEASED')
    .orderBy('id')
    .execute();
  const shares = await own(db)
    .selectFrom('orderFundingLine as s')
    .innerJoin('orderFunding as f', 'f.id', 's.fundingId')
    .select(['s.fundingId', 's.orderLineId', 's.amountFen', 's.refundedFen', 's.writeOffId'])
    .where('f.orderId', '=', orderId)
    .where('f.state', '<>', 'RELEASED')
    .orderBy('s.orderLineId')
    .execute();
  return fundings.map((funding) => ({
    ...funding,
    amountFen: Number(funding.amountFen),
    refundedFen: Number(funding.refundedFen),
    shares: shares
      .filter(({ fundingId }) => fundingId === funding.id)
      .map((share) => ({ ...share, amountFen: Number(share.amountFen), refundedFen: Number(share.refundedFen) })),
  }));
}
export type Funding = Awaited<ReturnType<typeof fundingsOf>>[number];

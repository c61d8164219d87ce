import type { Selectable, Updateable } from 'kysely';
import { refuse } from '#kernel/contract/errors.ts';
import { scopedResource } from '#kernel/server/auth/scope.ts';
import type { Viewer } from '#kernel/server/auth/viewer.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { asSystem, type Acting } from '#kernel/server/command/acting.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { CommandContext, Context, Db, Tx } from '#kernel/server/context.ts';
import { recordOf } from '#kernel/server/record/recordOf.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import { orderErrors } from '../../contract/errors.ts';
import { fulfilmentMachine, offeredFulfilmentActions, type FulfilmentAction } from '../../contract/fulfilmentStates.ts';
import { own } from '../database.ts';
import { orderRecords, type OrderRecord } from '../orders/access.ts';
import type { OrderFulfilment } from '../tables.ts';

/** An insurer's people see the parts of the orders that their insurer covers. */
const ofOrder = scopedResource({ region: 'free', insurer: { column: 'o.insurerId' }, channel: 'free', own: 'free' });

export const fulfilmentRecords = recordOf((db) =>
  own(db).selectFrom('orderFulfilment as f').innerJoin('orderOrder as o', 'o.id', 'f.orderId').selectAll('f'),
).with({ noun: '履约单', type: 'order.fulfilment', id: 'f.id', scope: ofOrder, locks: 'f' });
export type FulfilmentRecord = Selectable<OrderFulfilment>;

export interface LockedPart {
  order: OrderRecord;
  part: FulfilmentRecord;
}
/** A part with its order, which is locked first: whoever moves one of its parts waits here. @throws Refusal SCM90040 */
export async function lockPart(tx: Tx, viewer: Viewer, id: string): Promise<LockedPart> {
  const { orderId } = await fulfilmentRecords.get(tx, viewer, id);
  const order = await orderRecords.lock(tx, viewer, orderId);
  return { order, part: await fulfilmentRecords.lock(tx, viewer, id) };
}
/** The same for somebody who saw a version of the part. @throws Refusal SCM90030 */
export async function lockPartVersion(ctx: CommandContext, id: string, version: number, view: object = {}): Promise<LockedPart> {
  const locked = await lockPart(ctx.tx, ctx.staff, id);
  await requireVersion(ctx, fulfilmentRecords.type, locked.part, version, () => view);
  return locked;
}

type FulfilmentChange = Omit<Updateable<OrderFulfilment>, 'id' | 'version' | 'state'>;

/** Writes facts of a locked part, without a transition. */
export const writePart = (
  ctx: Acting,
  { id }: Pick<FulfilmentRecord, 'id'>,
  change: Updateable<OrderFulfilment>,
): Promise<FulfilmentRecord> =>
  own(ctx.tx)
    .updateTable('orderFulfilment')
    .set((eb) => ({ ...change, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();

/** Takes a transition of a locked part. */
export async function movePart(
  ctx: Acting,
  part: FulfilmentRecord,
  action: FulfilmentAction,
  change: FulfilmentChange = {},
  opinion?: string,
): Promise<FulfilmentRecord> {
  const state = await moveState(ctx, fulfilmentMachine, {
    targetType: fulfilmentRecords.type,
    targetId: part.id,
    targetNo: part.fulfilmentNo,
    action,
    from: part.state,
    opinion,
  });
  return writePart(ctx, part, { ...change, state });
}

/** The system takes a move that people may take too, in the middle of what they ask for. */
export const bySystemOf = (ctx: Acting): Acting => ({ ...asSystem(ctx, ctx), staffOrNull: ctx.staffOrNull });

export const partAnswer = (ctx: Pick<Context, 'has'>, part: FulfilmentRecord) => ({
  id: part.id,
  state: part.state,
  version: part.version,
  allowedActions: offeredFulfilmentActions(part, (permission) => ctx.has(permission)),
});

export const partLines = (db: Db | Tx, fulfilmentId: string) =>
  own(db)
    .selectFrom('orderFulfilmentLine as p')
    .innerJoin('orderLine as l', 'l.id', 'p.orderLineId')
    .select(['p.orderLineId', 'p.quantity', 'p.shippedQty', 'p.supplyPriceFen'])
    .select(['l.lineNo', 'l.medicineId', 'l.goodsCode', 'l.goodsName', 'l.spec', 'l.coldChain'])
    .where('p.fulfilmentId', '=', fulfilmentId)
    .orderBy('l.lineNo')
    .execute();
export type PartLineRecord = Awaited<ReturnType<typeof partLines>>[number];

/** @throws Refusal SCM16025 while nobody knows whether the supplier has it */
export function requireKnownPush({ pushState }: FulfilmentRecord): void {
  if (pushState === 'UNKNOWN') throw refuse(orderErrors.PUSH_UNKNOWN);
}

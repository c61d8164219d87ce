import type { Selectable, Updateable } from 'kysely';
import { moveState } from '#kernel/server/audit/transition.ts';
import { scopedResource } from '#kernel/server/auth/scope.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { Db, Difference, Tx } from '#kernel/server/context.ts';
import { recordOf } from '#kernel/server/record/recordOf.ts';
import { manualOrderMachine, type ManualOrderAction } from '../../contract/manualOrderStates.ts';
import { own } from '../database.ts';
import type { OrderManual } from '../tables.ts';

/** An insurer's people see the purchases that their insurer covers; regions and channels limit nobody here. */
const manualScope = scopedResource({ region: 'free', insurer: { column: 'm.insurerId' }, channel: 'free', own: 'free' });

export const manualRecords = recordOf((db) => own(db).selectFrom('orderManual as m').selectAll('m')).with({
  noun: '手工订单',
  type: 'order.manualOrder',
  id: 'm.id',
  scope: manualScope,
});
export type ManualRecord = Selectable<OrderManual>;
export type ManualChange = Omit<Updateable<OrderManual>, 'id' | 'version' | 'state'>;

/** Who registers, submits or reviews. */
export interface Person {
  userId: string;
  displayName: string;
}

export const linesOfManual = (db: Db | Tx, manualId: string) =>
  own(db).selectFrom('orderManualLine').selectAll().where('manualId', '=', manualId).orderBy('lineNo').execute();
export type ManualLine = Awaited<ReturnType<typeof linesOfManual>>[number];

export const writeManual = (ctx: Acting, { id }: Pick<ManualRecord, 'id'>, change: Updateable<OrderManual>): Promise<ManualRecord> =>
  own(ctx.tx)
    .updateTable('orderManual')
    .set((eb) => ({ ...change, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();

/** Takes a transition of a locked manual order. */
export async function moveManual(
  ctx: Acting,
  row: ManualRecord,
  action: ManualOrderAction,
  change: ManualChange = {},
  { opinion, differences = [] }: { opinion?: string | undefined; differences?: readonly Difference[] } = {},
): Promise<ManualRecord> {
  const state = await moveState(ctx, manualOrderMachine, {
    targetType: manualRecords.type,
    targetId: row.id,
    targetNo: row.manualNo,
    action,
    from: row.state,
    opinion,
    differences,
    contributors: [row.createdBy, row.submittedBy],
  });
  return writeManual(ctx, row, { ...(state !== row.state && { stateSince: ctx.now }), ...change, state });
}

import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { showInstant, type Instant } from '#kernel/contract/time.ts';
import { authorColumns } from '#kernel/server/command/stampedColumns.ts';
import { command } from '#kernel/server/handler.ts';
import { addSupplierPause, delSupplierPause } from '../../contract/calls/supplierGoods.ts';
import { pauseStates } from '../../contract/dictionaries.ts';
import { supplierPauseRecords, supplierRecords, type SupplierRecord } from '../access.ts';
import { own } from '../database.ts';
import { editorOf, type Writer } from './facts.ts';

/** A supplier, locked by the caller, takes no orders for a time that no other one touches. @throws Refusal SCM90020 */
export async function makePause(
  ctx: Writer,
  supplier: Pick<SupplierRecord, 'id' | 'supplierCode'>,
  { fromAt, toAt, reason }: { fromAt: Instant; toAt: Instant; reason: string },
): Promise<{ id: string; version: number }> {
  if (toAt <= ctx.now) throw refuseField('toAt', '停接结束须晚于现在');
  const other = await own(ctx.tx)
    .selectFrom('orderSupplierPause')
    .select(['fromAt', 'toAt'])
    .where('supplierId', '=', supplier.id)
    .where('fromAt', '<', toAt)
    .where('toAt', '>', fromAt)
    .executeTakeFirst();
  if (other) throw refuseField('fromAt', `与已有停接时段（${showInstant(other.fromAt)}至${showInstant(other.toAt)}）重叠`);
  const made = await own(ctx.tx)
    .insertInto('orderSupplierPause')
    .values({ supplierId: supplier.id, fromAt, toAt, reason, creatorName: editorOf(ctx), ...authorColumns(ctx) })
    .returning(['id', 'version'])
    .executeTakeFirstOrThrow();
  ctx.target({ type: supplierPauseRecords.type, id: made.id, no: supplier.supplierCode });
  return made;
}

export const addPause = command(addSupplierPause, async ({ supplierId, ...pause }, ctx) =>
  makePause(ctx, await supplierRecords.lock(ctx.tx, ctx.staff, supplierId), pause),
);

/** What is over stays: it says why nothing was allocated then. */
export const delPause = command(delSupplierPause, async ({ id, version }, ctx) => {
  const pause = await supplierPauseRecords.lockVersion(ctx, id, version, ({ fromAt, toAt, reason }) => ({ fromAt, toAt, reason }));
  const { supplierCode } = await supplierRecords.get(ctx.tx, ctx.staff, pause.supplierId);
  if (pause.toAt <= ctx.now) throw refuse(platformErrors.WRONG_STATE, { state: pauseStates.label('OVER') });
  await own(ctx.tx).deleteFrom('orderSupplierPause').where('id', '=', id).execute();
  ctx.target({ type: supplierPauseRecords.type, id, no: supplierCode });
  return { id };
});

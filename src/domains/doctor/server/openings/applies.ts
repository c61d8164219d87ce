import { moveState } from '../../../../kernel/server/audit/transition.ts';
import type { Acting } from '../../../../kernel/server/command/acting.ts';
import { openingApplyMachine } from '../../contract/states.ts';
import { ownTx } from '../database.ts';
import { notifyApply } from './notifyApply.ts';

export const APPLY_TARGET = 'doctor.openingApply';

/** Waiting applies of an opening that ends come to nothing. */
export async function withdrawApplies(ctx: Acting, openingId: string, opinion: string): Promise<void> {
  const rows = await ownTx(ctx.tx)
    .selectFrom('doctorOpeningApply')
    .selectAll()
    .where('openingId', '=', openingId)
    .where('state', '=', 'PENDING')
    .forUpdate()
    .execute();
  for (const row of rows) {
    const state = await moveState(ctx, openingApplyMachine, {
      targetType: APPLY_TARGET,
      targetId: row.id,
      targetNo: row.applyNo,
      action: 'withdrawBySystem',
      from: 'PENDING',
      opinion,
    });
    await ownTx(ctx.tx)
      .updateTable('doctorOpeningApply')
      .set((eb) => ({ state, opinion, decidedAt: ctx.now, version: eb('version', '+', 1), updatedAt: ctx.now }))
      .where('id', '=', row.id)
      .execute();
    await notifyApply(ctx, row.id);
  }
}

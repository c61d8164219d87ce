import { updatedColumns } from '../../../../kernel/server/command/stampedColumns.ts';
import { refuse } from '../../../../kernel/contract/errors.ts';
import { moveState } from '../../../../kernel/server/audit/transition.ts';
import { command } from '../../../../kernel/server/handler.ts';
import { doctorErrors } from '../../contract/errors.ts';
import { changeOpeningState } from '../../contract/calls/openings.ts';
import { openingMachine } from '../../contract/states.ts';
import { actionAnswer } from '../../../../kernel/server/audit/actionAnswer.ts';
import { ownTx } from '../database.ts';
import { openOrdersOfOpening } from '../orders/onDoctorChanged.ts';
import { withdrawApplies } from './applies.ts';
import { OPENING_TARGET } from './onDoctorChanged.ts';
import { requireOnShelf, openingDoctor, openingItem } from './guards.ts';
import { lockOpening } from './lock.ts';
import { publishOpening } from './publish.ts';

/** 暂停, 恢复, 关闭. */
export const changeState = command(changeOpeningState, async ({ id, version, action, opinion }, ctx) => {
  const opening = await lockOpening(ctx, id, version);
  const state = await moveState(ctx, openingMachine, {
    targetType: OPENING_TARGET,
    targetId: id,
    action,
    from: opening.state,
    ...(opinion !== null && { opinion }),
  });
  if (action === 'resume') {
    if (!(await openingDoctor(ctx.tx, opening.doctorId)).practiceOk) throw refuse(doctorErrors.NOT_QUALIFIED);
    requireOnShelf(await openingItem(ctx.tx, opening.itemId));
  }
  if (action === 'close') {
    const n = await openOrdersOfOpening(ctx.tx, id);
    if (n > 0) throw refuse(doctorErrors.ORDERS_RUNNING, { n });
    await withdrawApplies(ctx, id, '服务已关闭');
  }
  const ended = action === 'close' ? { suspendReason: null, suspendedFrom: null } : {};
  await ownTx(ctx.tx)
    .updateTable('doctorServiceOpening')
    .set((eb) => ({ ...ended, state, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
    .where('id', '=', id)
    .execute();
  await publishOpening(ctx, id);
  return actionAnswer(ctx, openingMachine, { id, state, version: opening.version + 1 });
});

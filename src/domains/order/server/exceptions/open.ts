import { hours, plusMs } from '#kernel/contract/time.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { ExceptionType } from '../../contract/orderDictionaries.ts';
import { exceptionMachine } from '../../contract/exceptionStates.ts';
import { own } from '../database.ts';

export const EXCEPTION_TARGET = 'order.exception';
/** Within this time somebody is to have done something about it. */
const HANDLE_HOURS = 4;

interface Trouble {
  type: ExceptionType;
  detail: string;
  fulfilmentId?: string;
}

/** Says that something about a locked order needs a person. One of a kind is open at a time. */
export async function openException(ctx: Acting, { id: orderId }: { id: string }, { type, detail, fulfilmentId }: Trouble): Promise<void> {
  const made = await own(ctx.tx)
    .insertInto('orderException')
    .values({
      exceptionNo: await nextNumber(ctx.tx, 'EX', ctx.today),
      orderId,
      fulfilmentId: fulfilmentId ?? null,
      type,
      detail,
      state: 'OPEN',
      dueAt: plusMs(ctx.now, hours(HANDLE_HOURS)),
      createdAt: ctx.now,
      updatedAt: ctx.now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning(['id', 'exceptionNo'])
    .executeTakeFirst();
  if (!made) return;
  await moveState(ctx, exceptionMachine, {
    targetType: EXCEPTION_TARGET,
    targetId: made.id,
    targetNo: made.exceptionNo,
    action: 'open',
    from: 'OPEN',
    opinion: detail,
  });
}

/** What stood in the way is gone: the engine closes what it opened. */
export async function settleExceptions(
  ctx: Acting,
  { id: orderId }: { id: string },
  types: readonly ExceptionType[],
  fulfilmentId?: string,
): Promise<void> {
  let query = own(ctx.tx)
    .selectFrom('orderException')
    .select(['id', 'exceptionNo', 'state'])
    .where('orderId', '=', orderId)
    .where('type', 'in', types)
    .where('state', 'in', ['OPEN', 'HANDLING'])
    .orderBy('id')
    .forUpdate();
  if (fulfilmentId !== undefined) query = query.where('fulfilmentId', '=', fulfilmentId);
  for (const row of await query.execute()) {
    const state = await moveState(ctx, exceptionMachine, {
      targetType: EXCEPTION_TARGET,
      targetId: row.id,
      targetNo: row.exceptionNo,
      action: 'recover',
      from: row.state,
      opinion: '系统自动恢复',
    });
    await own(ctx.tx)
      .updateTable('orderException')
      .set((eb) => ({ state, resolution: '系统自动恢复', closedAt: ctx.now, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
      .where('id', '=', row.id)
      .execute();
  }
}

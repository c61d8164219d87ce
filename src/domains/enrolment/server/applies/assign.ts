import { refuse, Refusal } from '#kernel/contract/errors.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { ownAmong } from '#kernel/server/audit/fourEyes.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import { applyMachine } from '../../contract/applyMachine.ts';
import { batchAssignSignContract } from '../../contract/calls/appliesWork.ts';
import { enrolmentErrors as errors } from '../../contract/errors.ts';
import { own } from '../database.ts';
import { applyRecords, APPLY_TARGET, type ApplyRecord } from './records.ts';

/** Says who is to take a case first; whoever has it in hand keeps it. */
async function assignOne(ctx: CommandContext, apply: ApplyRecord, userId: string, name: string): Promise<void> {
  if (apply.enteredBy === userId || (await ownAmong(ctx.tx, { userId }, APPLY_TARGET, [apply.id])).size > 0)
    throw refuse(errors.OWN_ENTRY, { message: '该员工录入、补件或审核过这份申请，请选择其他人' });
  await moveState(ctx, applyMachine, {
    targetType: APPLY_TARGET,
    targetId: apply.id,
    targetNo: apply.applyNo,
    action: 'prefer',
    from: apply.state,
    differences: [
      { path: 'preferUserId', label: '负责人', before: apply.preferUserId && (await ctx.nameOf(apply.preferUserId)), after: name },
    ],
  });
  await own(ctx.tx)
    .updateTable('enrolmentApply')
    .set({ preferUserId: userId, version: apply.version + 1, ...updatedColumns(ctx) })
    .where('id', '=', apply.id)
    .execute();
}

/** Each row by itself: what cannot be given to somebody says why, and holds up no other. */
export const batchAssign = command(batchAssignSignContract, async ({ applyIds, userId }, ctx) => {
  const name = await ctx.nameOf(userId);
  if (name === null) throw applyRecords.missing();
  const outcomes = [];
  for (const id of [...new Set(applyIds)].toSorted((a, b) => Number(a) - Number(b))) {
    const apply = await applyRecords.lock(ctx.tx, ctx.staff, id).catch((error: unknown) => {
      if (error instanceof Refusal) return null;
      throw error;
    });
    if (!apply) {
      outcomes.push({ id, name: '', ok: false, message: applyRecords.missing().message });
      continue;
    }
    try {
      await assignOne(ctx, apply, userId, name);
      outcomes.push({ id, name: apply.applyNo, ok: true, message: `已分配给${name}` });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      outcomes.push({ id, name: apply.applyNo, ok: false, message: error.message });
    }
  }
  return outcomes;
});

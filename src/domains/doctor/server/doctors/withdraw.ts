import { updatedColumns } from '../../../../kernel/server/command/stampedColumns.ts';
import { moveState } from '../../../../kernel/server/audit/transition.ts';
import type { Acting } from '../../../../kernel/server/command/acting.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import { qualApplyMachine, qualMachine, type QualState } from '../../contract/states.ts';
import { ownTx } from '../database.ts';
import { dropLease, noLease } from '../qual/lease.ts';
import { APPLY_TARGET, auditTodo, recheckTodo } from '../qual/submit.ts';
import { DOCTOR_TARGET } from './files.ts';

/** Ends the application of a doctor who left: whoever works on it finds it decided, nobody is asked for it any more. */
export async function withdrawOpenApply(
  kernel: Pick<Kernel, 'ports'>,
  ctx: Acting,
  doctor: { id: string; doctorNo: string; qualState: QualState },
  opinion: string,
): Promise<void> {
  const tx = ownTx(ctx.tx);
  const open = await tx
    .selectFrom('doctorQualApply')
    .select(['id', 'applyNo', 'state', 'applyType', 'leaseUserId'])
    .where('doctorId', '=', doctor.id)
    .where('state', 'in', ['PENDING', 'REVIEWING', 'RECHECK', 'RETURNED'])
    .forUpdate()
    .executeTakeFirst();
  if (!open) return;
  const state = await moveState(ctx, qualApplyMachine, {
    targetType: APPLY_TARGET,
    targetId: open.id,
    targetNo: open.applyNo,
    action: 'withdrawBySystem',
    from: open.state,
    opinion,
  });
  await tx
    .updateTable('doctorQualApply')
    .set((eb) => ({ state, ...noLease, decidedAt: ctx.now, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
    .where('id', '=', open.id)
    .execute();
  await dropLease(ctx, open);
  for (const key of [auditTodo(open.id), recheckTodo(open.id)]) await kernel.ports.notices.closeTodo(ctx.tx, key, ctx.now);
  const from = doctor.qualState;
  if (open.applyType !== 'FIRST' || !qualMachine.canStart('withdraw', from)) return;
  const qualState = await moveState(ctx, qualMachine, {
    targetType: DOCTOR_TARGET,
    targetId: doctor.id,
    targetNo: doctor.doctorNo,
    action: 'withdraw',
    from,
    opinion,
  });
  await tx.updateTable('doctorDoctor').set({ qualState }).where('id', '=', doctor.id).execute();
}

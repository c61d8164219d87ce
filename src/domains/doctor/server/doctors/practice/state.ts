import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { refuse } from '#kernel/contract/errors.ts';
import { yuan } from '#kernel/contract/money.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { noLease } from '#kernel/server/desk/caseDesk.ts';
import { command, type Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { cancelDoctor, freezeDoctor, unfreezeDoctor } from '../../../contract/calls/doctors.ts';
import { doctorErrors } from '../../../contract/errors.ts';
import { accountMachine, qualApplyMachine, qualMachine, type QualState } from '../../../contract/states.ts';
import { doctorRecords, type DoctorRecord } from '../../access.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { endBindsOf } from '../../assistants/choose.ts';
import { disableCard } from '../../cards/onDoctorChanged.ts';
import { ownTx } from '../../database.ts';
import { closeOpenings, suspendOpenings } from '../../openings/onDoctorChanged.ts';
import { openOrdersOf, refundWaitingOf } from '../../orders/onDoctorChanged.ts';
import { offRecommendations } from '../../recommendations/activateDue.ts';
import { DOCTOR_TARGET } from '../entry/files.ts';
import { recomputePractice } from './practice.ts';
import { publishDisabled, publishDoctor } from './publish.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { desk } from '../../qual/desk.ts';
import { APPLY_TARGET, auditTodo, recheckTodo } from '../../qual/submit.ts';

interface Wish {
  doctorId: string;
  version: number;
  opinion: string;
}

/** Locks, moves and stores the account's state; a state other than NORMAL ends practice in the same statement. */
async function move(ctx: CommandContext, before: DoctorRecord, action: 'freeze' | 'unfreeze' | 'cancel', opinion: string) {
  const accountState = await moveState(ctx, accountMachine, {
    targetType: DOCTOR_TARGET,
    targetId: before.id,
    targetNo: before.doctorNo,
    action,
    from: before.accountState,
    opinion,
  });
  await ownTx(ctx.tx)
    .updateTable('doctorDoctor')
    .set((eb) => ({
      accountState,
      ...(accountState === 'NORMAL' ? {} : { practiceOk: false }),
      version: eb('version', '+', 1),
      ...updatedColumns(ctx),
    }))
    .where('id', '=', before.id)
    .execute();
}

async function locked(ctx: CommandContext, { doctorId, version }: Wish): Promise<DoctorRecord> {
  const before = await doctorRecords.lockVersion(ctx, doctorId, version, (seen) => ({ accountState: seen.accountState }));
  return before;
}

async function answer(ctx: CommandContext, doctorId: string) {
  const row = await ownTx(ctx.tx)
    .selectFrom('doctorDoctor')
    .select(['id', 'accountState as state', 'version'])
    .where('id', '=', doctorId)
    .executeTakeFirstOrThrow();
  return actionAnswer(ctx, accountMachine, row);
}

export const freeze = command(freezeDoctor, async (wish, ctx) => {
  const before = await locked(ctx, wish);
  await move(ctx, before, 'freeze', wish.opinion);
  await suspendOpenings(ctx, before.id, 'FREEZE');
  await offRecommendations(ctx, before.id, '医生账号已冻结');
  await disableCard(ctx, before.id);
  await refundWaitingOf(ctx, before.id);
  await publishDisabled(ctx, before.id, 'FROZEN');
  await publishDoctor(ctx, before.id, ['accountState', 'practiceOk']);
  return answer(ctx, before.id);
});

export const unfreeze = command(unfreezeDoctor, async (wish, ctx) => {
  const before = await locked(ctx, wish);
  await move(ctx, before, 'unfreeze', wish.opinion);
  await recomputePractice(ctx, before.id);
  await publishDoctor(ctx, before.id, ['accountState']);
  return answer(ctx, before.id);
});

export const cancel = (kernel: Kernel): Handler =>
  command(cancelDoctor, async (wish, ctx) => {
    const before = await locked(ctx, wish);
    const running = await openOrdersOf(ctx.tx, before.id);
    if (running > 0) throw refuse(doctorErrors.SERVICES_RUNNING, { n: running });
    if (BigInt(before.unsettledFen) > 0n) throw refuse(doctorErrors.UNSETTLED, { yuan: yuan(before.unsettledFen) });
    await move(ctx, before, 'cancel', wish.opinion);
    await withdrawOpenApply(kernel, ctx, before, '医生已注销');
    await closeOpenings(ctx, before.id, '医生已注销');
    await offRecommendations(ctx, before.id, '医生已注销');
    await disableCard(ctx, before.id);
    await endBindsOf(ctx, before.id, '医生已注销');
    // Numbers of a cancelled doctor may be registered again.
    await ownTx(ctx.tx)
      .updateTable('doctorCert')
      .set({ state: 'REPLACED', updatedAt: ctx.now })
      .where('doctorId', '=', before.id)
      .where('state', 'in', ['VALID', 'EXPIRED'])
      .execute();
    await publishDisabled(ctx, before.id, 'CANCELLED');
    await publishDoctor(ctx, before.id, ['accountState', 'practiceOk']);
    return answer(ctx, before.id);
  });

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
    .select(['id', 'applyNo', 'state', 'applyType'])
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
  await desk.drop(ctx.tx, open.id);
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

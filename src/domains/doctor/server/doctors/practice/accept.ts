import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { refuse, refuseField, platformErrors } from '#kernel/contract/errors.ts';
import { dayOf } from '#kernel/contract/time.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { command } from '#kernel/server/handler.ts';
import { job } from '#kernel/server/jobs/declaration.ts';
import { asSystem, type Acting } from '#kernel/server/command/acting.ts';
import { changeAcceptState } from '../../../contract/calls/doctors.ts';
import { acceptMachine, accountMachine, type AcceptState } from '../../../contract/states.ts';
import { everyone } from '#kernel/server/auth/viewer.ts';
import { doctorRecords } from '../../access.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { own, ownTx } from '../../database.ts';
import { DOCTOR_TARGET } from '../entry/files.ts';
import { publishDoctor } from './publish.ts';

type Action = 'stop' | 'plan' | 'resume' | 'stopInTime' | 'resumeInTime';

async function move(
  ctx: Acting,
  doctor: { id: string; doctorNo: string; acceptState: AcceptState },
  action: Action,
  dates: { offFrom: string | null; offUntil: string | null },
  opinion?: string,
) {
  const acceptState = await moveState(ctx, acceptMachine, {
    targetType: DOCTOR_TARGET,
    targetId: doctor.id,
    targetNo: doctor.doctorNo,
    action,
    from: doctor.acceptState,
    opinion,
  });
  const row = await ownTx(ctx.tx)
    .updateTable('doctorDoctor')
    .set((eb) => ({ acceptState, ...dates, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
    .where('id', '=', doctor.id)
    .returning(['id', 'acceptState as state', 'version'])
    .executeTakeFirstOrThrow();
  await publishDoctor(ctx, doctor.id, ['acceptState', 'offUntil']);
  return row;
}

/** 停诊 and its end, on the doctor's word. One that begins later is kept until its day. */
export const acceptChange = command(changeAcceptState, async ({ doctorId, version, acceptState, offFrom, offUntil, opinion }, ctx) => {
  const before = await doctorRecords.lockVersion(ctx, doctorId, version, (seen) => ({ acceptState: seen.acceptState }));
  if (before.accountState === 'CANCELLED') throw refuse(platformErrors.WRONG_STATE, { state: accountMachine.states.CANCELLED.label });
  if (acceptState === 'ON')
    return actionAnswer(ctx, acceptMachine, await move(ctx, before, 'resume', { offFrom: null, offUntil: null }, opinion));
  if (offUntil !== null && offUntil < ctx.today) throw refuseField('offUntil', '停诊止不能早于今天');
  const later = offFrom !== null && offFrom > ctx.today;
  return actionAnswer(
    ctx,
    acceptMachine,
    await move(ctx, before, later ? 'plan' : 'stop', { offFrom: offFrom ?? ctx.today, offUntil }, opinion),
  );
});

/** Daily: planned stops begin, and those whose last day has passed end. */
export const acceptJob = job({
  name: 'doctor.acceptInTime',
  label: '医生停诊到期处理',
  cron: '2 0 * * *',
  async run(_data, ctx) {
    const today = dayOf(ctx.now);
    const due = await own(ctx.db)
      .selectFrom('doctorDoctor')
      .select('id')
      .where('accountState', '<>', 'CANCELLED')
      .where((eb) =>
        eb.or([
          eb.and([eb('acceptState', '=', 'ON'), eb('offFrom', '<=', today)]),
          eb.and([eb('acceptState', '=', 'OFF'), eb('offUntil', '<', today)]),
        ]),
      )
      .orderBy('id')
      .execute();
    for (const { id } of due) {
      if (ctx.signal.aborted) return;
      await ctx.transaction(async (writing) => {
        const acting = asSystem(writing, ctx);
        const doctor = await doctorRecords.lock(writing.tx, everyone, id);
        const over = doctor.offUntil !== null && doctor.offUntil < today;
        if (doctor.acceptState === 'OFF' && over) await move(acting, doctor, 'resumeInTime', { offFrom: null, offUntil: null });
        if (doctor.acceptState === 'ON' && doctor.offFrom !== null && doctor.offFrom <= today && !over)
          await move(acting, doctor, 'stopInTime', { offFrom: doctor.offFrom, offUntil: doctor.offUntil });
      });
    }
  },
});

import { days, plusMs } from '../../../../kernel/contract/time.ts';
import { moveState } from '../../../../kernel/server/audit/transition.ts';
import { job, type JobContext } from '../../../../kernel/server/jobs/declaration.ts';
import { qualApplyMachine } from '../../contract/states.ts';
import { own, ownTx } from '../database.ts';
import { asSystem, type Acting } from '../system.ts';
import { dropLease, noLease } from './lease.ts';
import { tellOutcome } from './notify.ts';
import { APPLY_TARGET, auditTodo, moveDoctor, recheckTodo } from './submit.ts';

const WAIT_DAYS = 15;
const BY_SYSTEM = '退回后15天未补充，系统撤回';

/** Ends an open application without a verdict (the doctor is cancelled, or does not answer). */
export async function withdrawOpenApply(kernel: JobContext['kernel'], ctx: Acting, doctorId: string, opinion: string): Promise<void> {
  const tx = ownTx(ctx.tx);
  const row = await tx.selectFrom('doctorQualApply').selectAll().where('doctorId', '=', doctorId).where('state', 'in', ['PENDING', 'REVIEWING', 'RECHECK', 'RETURNED']).forUpdate().executeTakeFirst();
  if (!row) return;
  const state = await moveState(ctx, qualApplyMachine, { targetType: APPLY_TARGET, targetId: row.id, targetNo: row.applyNo, action: 'withdrawBySystem', from: row.state as 'RETURNED', opinion });
  await dropLease(ctx, row);
  await tx.updateTable('doctorQualApply').set((eb) => ({ ...noLease, state, decidedAt: ctx.now, version: eb('version', '+', 1), updatedAt: ctx.now, updatedBy: null })).where('id', '=', row.id).execute();
  const doctor = await tx.selectFrom('doctorDoctor').select(['id', 'doctorNo', 'name', 'qualState']).where('id', '=', doctorId).executeTakeFirstOrThrow();
  if (row.applyType === 'FIRST') await moveDoctor(ctx, doctor, 'withdraw', opinion);
  for (const key of [auditTodo(row.id), recheckTodo(row.id)]) await kernel.ports.notices.closeTodo(ctx.tx, key, ctx.now);
  await tellOutcome(kernel, ctx, { ...row, name: doctor.name }, state, opinion);
}

/** Daily: what was returned and not answered within 15 days is withdrawn. */
export const withdrawUnansweredJob = job({
  name: 'doctor.withdrawUnanswered',
  label: '撤回逾期未补充的资质审核单',
  cron: '20 1 * * *',
  async run(_data, ctx) {
    const late = plusMs(ctx.now, -days(WAIT_DAYS));
    const rows = await own(ctx.db).selectFrom('doctorQualApply').select(['id', 'doctorId']).where('state', '=', 'RETURNED').where('returnedAt', '<=', late).orderBy('id').execute();
    for (const { id, doctorId } of rows) {
      if (ctx.signal.aborted) return;
      await ctx.transaction(async (writing) => {
        const acting = asSystem(writing, ctx);
        const still = await ownTx(writing.tx).selectFrom('doctorQualApply').select('id').where('id', '=', id).where('state', '=', 'RETURNED').where('returnedAt', '<=', late).forUpdate().executeTakeFirst();
        if (still) await withdrawOpenApply(ctx.kernel, acting, doctorId, BY_SYSTEM);
      });
    }
  },
});

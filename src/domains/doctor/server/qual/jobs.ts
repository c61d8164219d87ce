import { days, plusMs } from '#kernel/contract/time.ts';
import { job } from '#kernel/server/jobs/declaration.ts';
import { asSystem } from '#kernel/server/command/acting.ts';
import { own, ownTx } from '../database.ts';
import { publishDoctor } from '../doctors/practice/publish.ts';
import { withdrawOpenApply } from '../doctors/practice/state.ts';
import { notifyOutcome } from './notify.ts';

const WAIT_DAYS = 15;
const BY_SYSTEM = '退回后15天未补充，系统撤回';

/** Daily: what was returned and not answered within 15 days is withdrawn. */
export const withdrawUnansweredJob = job({
  name: 'doctor.withdrawUnanswered',
  label: '撤回逾期未补充的资质审核单',
  cron: '20 1 * * *',
  async run(_data, ctx) {
    const late = plusMs(ctx.now, -days(WAIT_DAYS));
    const rows = await own(ctx.db)
      .selectFrom('doctorQualApply')
      .select(['id', 'doctorId'])
      .where('state', '=', 'RETURNED')
      .where('returnedAt', '<=', late)
      .orderBy('id')
      .execute();
    for (const { id, doctorId } of rows) {
      if (ctx.signal.aborted) return;
      await ctx.transaction(async (writing) => {
        const acting = asSystem(writing, ctx);
        const tx = ownTx(writing.tx);
        const row = await tx
          .selectFrom('doctorQualApply')
          .selectAll()
          .where('id', '=', id)
          .where('state', '=', 'RETURNED')
          .where('returnedAt', '<=', late)
          .forUpdate()
          .executeTakeFirst();
        if (!row) return;
        const doctor = await tx
          .selectFrom('doctorDoctor')
          .select(['id', 'doctorNo', 'name', 'qualState'])
          .where('id', '=', doctorId)
          .forUpdate()
          .executeTakeFirstOrThrow();
        await withdrawOpenApply(ctx.kernel, acting, doctor, BY_SYSTEM);
        await publishDoctor(acting, doctorId, ['qualState']);
        await notifyOutcome(ctx.kernel, acting, { ...row, name: doctor.name }, 'WITHDRAWN', { staff: BY_SYSTEM, doctor: BY_SYSTEM });
      });
    }
  },
});

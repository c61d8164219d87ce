import { days, plusMs } from '#kernel/contract/time.ts';
import { job } from '#kernel/server/jobs/declaration.ts';
import { own } from '../database.ts';
import { validateImport } from './validateImport.ts';

const HEARTBEAT_LIMIT_MS = 60_000;
const ROW_DAYS = 30;

/** A commit whose process died wrote nothing: it waits for the operator again. A check is simply made anew. */
export const reviveImports = job({
  name: 'files.reviveImports',
  label: '接管中断的导入',
  everySeconds: 60,
  async run(_data, ctx) {
    const dead = plusMs(ctx.now, -HEARTBEAT_LIMIT_MS);
    await ctx.transaction(async (writing) => {
      await own(writing.tx)
        .updateTable('filesImportTask')
        .set((eb) => ({
          state: 'READY',
          attempt: eb('attempt', '+', 1),
          progressBp: 0,
          rowsDone: 0,
          errorMessage: '提交过程中断，未写入任何数据，请重新提交',
          version: eb('version', '+', 1),
        }))
        .where('state', '=', 'COMMITTING')
        .where('heartbeatAt', '<', dead)
        .execute();
      const checks = await own(writing.tx)
        .updateTable('filesImportTask')
        .set({ heartbeatAt: ctx.now })
        .where('state', '=', 'VALIDATING')
        .where('heartbeatAt', '<', dead)
        .returning('id')
        .execute();
      for (const { id } of checks) await writing.enqueue(validateImport, { taskId: id }, { singletonKey: id });
    });
  },
});

/** Rows and faults go 30 days after the end; the task itself stays. */
export const dropImportRows = job({
  name: 'files.dropImportRows',
  label: '清理导入明细',
  cron: '23 3 * * *',
  async run(_data, ctx) {
    const ended = await own(ctx.db)
      .selectFrom('filesImportTask')
      .select('id')
      .where('state', 'not in', ['VALIDATING', 'COMMITTING'])
      .where('rowsDroppedAt', 'is', null)
      .where((eb) => eb(eb.fn.coalesce('undoneAt', 'committedAt', 'validatedAt', 'createdAt'), '<', plusMs(ctx.now, -days(ROW_DAYS))))
      .limit(200)
      .execute();
    for (const { id } of ended) {
      await ctx.transaction(async ({ tx }) => {
        await own(tx).deleteFrom('filesImportCellError').where('taskId', '=', id).execute();
        await own(tx).deleteFrom('filesImportRow').where('taskId', '=', id).execute();
        await own(tx).updateTable('filesImportTask').set({ rowsDroppedAt: ctx.now }).where('id', '=', id).execute();
      });
    }
  },
});

import { sql } from 'kysely';
import { lockKeys } from '#kernel/server/command/lockKeys.ts';
import { job, type JobContext } from '#kernel/server/jobs/declaration.ts';
import { own } from '../database.ts';
import type { ExportRow } from './exportRows.ts';
import { runExport } from './runExport.ts';

const PER_USER = 2;
export const PER_NODE = 8;

/** Takes the next task: of the user with the fewest running ones, then the oldest. */
async function claimNext(ctx: JobContext): Promise<ExportRow | undefined> {
  return ctx.transaction(async ({ tx }) => {
    // The count of running tasks and the claim belong together.
    await lockKeys(tx, 'files.exportClaim');
    return own(tx)
      .updateTable('filesExportTask')
      .set((eb) => ({
        state: 'RUNNING',
        startedAt: ctx.now,
        heartbeatAt: ctx.now,
        attempt: eb('attempt', '+', 1),
        rowsDone: 0,
        progressBp: 0,
        traceId: ctx.traceId,
        version: eb('version', '+', 1),
      }))
      .where('id', '=', (eb) =>
        eb
          .selectFrom('filesExportTask as t')
          .select('t.id')
          .where('t.state', '=', 'QUEUED')
          .where(
            sql<boolean>`(
              select count(*) from files_export_task r where r.created_by = t.created_by and r.state = 'RUNNING'
            ) < ${PER_USER}`,
          )
          .orderBy(sql`(select count(*) from files_export_task r where r.created_by = t.created_by and r.state = 'RUNNING')`)
          .orderBy('t.queuedAt')
          .orderBy('t.id')
          .limit(1),
      )
      .where('state', '=', 'QUEUED')
      .returningAll()
      .executeTakeFirst();
  });
}

/** Runs queued exports one after another until none may start; several of these jobs run side by side. */
export const runExports = job({
  name: 'files.runExports',
  label: '生成导出文件',
  concurrency: PER_NODE,
  // One job may work off several tasks, 15 minutes each at most.
  expireSeconds: 7_200,
  async run(_data, ctx) {
    while (!ctx.signal.aborted) {
      const task = await claimNext({ ...ctx, now: ctx.kernel.clock.now() });
      if (!task) return;
      await runExport(task, { ...ctx, now: ctx.kernel.clock.now() });
    }
  },
});

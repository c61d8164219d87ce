import { sql } from 'kysely';
import { plusMs, days } from '#kernel/contract/time.ts';
import { lockKeys } from '#kernel/server/command/lockKeys.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { commitRows } from '#kernel/server/importing/commitRows.ts';
import { job, type JobContext } from '#kernel/server/jobs/declaration.ts';
import { importCommitted } from '#events/files.ts';
import { importMachine } from '../../contract/states.ts';
import { jobWriting, systemMover } from '../actors.ts';
import { own } from '../database.ts';
import { type ImportTaskRow, importerOf, paramsOf, pushImport, undoDaysOf } from './importTasks.ts';
import { plannedChunks } from './storedRows.ts';
import { failImport, reporter, submitter } from './validateImport.ts';

export const countsOf = (task: Pick<ImportTaskRow, 'totalRows' | 'newRows' | 'changedRows' | 'sameRows' | 'errorRows'>) => ({
  total: task.totalRows,
  new: task.newRows,
  changed: task.changedRows,
  same: task.sameRows,
  error: task.errorRows,
});

const HEARTBEAT_MS = 10_000;

/** One transaction for all rows: written as a whole or, with any error or the death of the process, not at all. */
async function write(task: ImportTaskRow, ctx: JobContext): Promise<void> {
  const { kernel } = ctx;
  const importer = importerOf(kernel, task.importerCode);
  const staff = await submitter(task, importer, ctx);
  const planned = task.newRows + task.changedRows;
  const beat = () =>
    own(kernel.db)
      .updateTable('filesImportTask')
      .set({ heartbeatAt: kernel.clock.now() })
      .where('id', '=', task.id)
      .where('state', '=', 'COMMITTING')
      .execute();
  const heartbeat = setInterval(
    () => void beat().catch((error: unknown) => kernel.log.warn({ error }, 'an import could not report')),
    HEARTBEAT_MS,
  );
  try {
    await ctx.transaction(async (writing) => {
      // A second process that takes the task for dead waits here, and then finds it settled.
      await lockKeys(writing.tx, 'files.import', [task.id]);
      const ids = await commitRows({
        importer,
        rows: () => plannedChunks(kernel, writing.tx, importer, task.id),
        batchNo: task.batchNo,
        params: paramsOf(task),
        writing: jobWriting(writing, staff, ctx.now),
        onProgress: reporter(task, planned, ctx),
      });
      clearInterval(heartbeat);
      const now = kernel.clock.now();
      const done = await own(writing.tx)
        .updateTable('filesImportTask')
        .set((eb) => ({
          state: 'DONE',
          progressBp: 10_000,
          rowsDone: planned,
          committedAt: now,
          committedBy: staff.userId,
          undoUntil: importer.undo ? plusMs(now, days(undoDaysOf(importer))) : null,
          errorCode: null,
          errorMessage: null,
          version: eb('version', '+', 1),
        }))
        .where('id', '=', task.id)
        .where('state', '=', 'COMMITTING')
        .where('attempt', '=', task.attempt)
        .returningAll()
        .executeTakeFirst();
      if (!done) throw new Error(`import ${task.batchNo} was taken over by another process`);
      const written = [...ids];
      for (let at = 0; at < written.length; at += 1_000) {
        const part = written.slice(at, at + 1_000);
        await sql`
          update files_import_row
            set target_id = v.id
            from unnest(${part.map(([rowNo]) => rowNo)}::int[], ${part.map(([, id]) => id)}::text[]) as v (row_no, id)
            where files_import_row.task_id = ${task.id} and files_import_row.row_no = v.row_no`.execute(writing.tx);
      }
      await moveState(systemMover(writing, ctx), importMachine, {
        targetType: 'files.importTask',
        targetId: task.id,
        targetNo: task.batchNo,
        action: 'done',
        from: task.state,
      });
      await writing.publish(importCommitted, task.id, {
        importTaskId: task.id,
        importerCode: task.importerCode,
        batchNo: task.batchNo,
        counts: countsOf(done),
      });
      await kernel.ports.notices.addResult(
        writing.tx,
        {
          businessKey: `files.import:${task.id}:${task.attempt}`,
          title: `导入完成：${task.importerLabel}（批次${task.batchNo}）`,
          link: '/downloadList',
          userIds: [task.createdBy],
        },
        now,
      );
      writing.afterCommit(() => pushImport(kernel, done));
    });
  } finally {
    clearInterval(heartbeat);
  }
}

export const commitImport = job<{ taskId: string; attempt: number }>({
  name: 'files.commitImport',
  label: '写入导入数据',
  concurrency: 2,
  retryLimit: 0,
  async run({ taskId, attempt }, ctx) {
    const task = await own(ctx.db).selectFrom('filesImportTask').selectAll().where('id', '=', taskId).executeTakeFirst();
    if (task?.state !== 'COMMITTING' || task.attempt !== attempt) return;
    try {
      await write(task, ctx);
    } catch (error) {
      await failImport(task, error, ctx);
    }
  },
});

import { refuse } from '#kernel/contract/errors.ts';
import { besideTransaction } from '#kernel/server/database/heldConnection.ts';
import type { JobContext } from '#kernel/server/jobs/declaration.ts';
import { fileErrors } from '../../contract/errors.ts';
import { own } from '../database.ts';
import { type ExportRow, etaSeconds } from './exportRows.ts';

/** The task was cancelled, or another process took it over: this attempt leaves nothing. */
export class Stopped extends Error {}

const REPORT_MS = 500;
const HEARTBEAT_MS = 10_000;

/** Progress in ten-thousandths; the last hundredth is kept for the end. */
export const progressBp = (rowsDone: number, rowsTotal: number) =>
  Math.min(9_900, Math.floor((10_000 * rowsDone) / Math.max(rowsTotal, 1)));

/** Writes progress and heartbeat over the pool (the snapshot cannot), at most every 500 ms, and tells the pages. */
export function makeProgress(task: ExportRow, rowsTotal: number, timeLimitMs: number, ctx: JobContext) {
  const { kernel } = ctx;
  const started = performance.now();
  const startedAt = kernel.clock.now();
  let reportedAt: string | null = null;
  let rowsDone = 0;
  let lost = false;

  const save = async () => {
    const now = kernel.clock.now();
    const bp = progressBp(rowsDone, rowsTotal);
    const kept = await besideTransaction('progress', () =>
      own(kernel.db)
        .updateTable('filesExportTask')
        .set({ rowsDone, rowsTotal, progressBp: bp, heartbeatAt: now })
        .where('id', '=', task.id)
        .where('state', '=', 'RUNNING')
        .where('attempt', '=', task.attempt)
        .returning('id')
        .executeTakeFirst(),
    );
    if (!kept) lost = true;
    else {
      const eta = etaSeconds({ state: 'RUNNING', rowsTotal, rowsDone, startedAt }, now);
      kernel.realtime.toUser(task.createdBy, 'exportTask', {
        taskId: task.id,
        state: 'RUNNING',
        progressBp: bp,
        rowsDone,
        rowsTotal,
        etaSeconds: eta,
      });
    }
  };
  const heartbeat = setInterval(
    () => void save().catch((error: unknown) => kernel.log.warn({ error }, 'an export could not report')),
    HEARTBEAT_MS,
  );
  heartbeat.unref();

  return {
    /** @throws Stopped when the task is no longer this attempt's, SCM02028 past the time limit. */
    async report(done: number): Promise<void> {
      rowsDone = done;
      const elapsed = performance.now() - started;
      if (elapsed > timeLimitMs) throw refuse(fileErrors.EXPORT_TIMEOUT);
      const now = kernel.clock.now();
      if (reportedAt === null || Date.parse(now) - Date.parse(reportedAt) >= REPORT_MS) {
        reportedAt = now;
        await save();
      }
      if (lost || ctx.signal.aborted) throw new Stopped();
    },
    rowsDone: () => rowsDone,
    end: () => clearInterval(heartbeat),
  };
}

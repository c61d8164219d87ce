import { days, plusMs } from '#kernel/contract/time.ts';
import { job } from '#kernel/server/jobs/declaration.ts';
import { own } from '../database.ts';
import { runExports } from './runExports.ts';

const HEARTBEAT_LIMIT_MS = 60_000;
const MAX_ATTEMPTS = 3;
const ROW_DAYS = 180;

/** Takes up tasks whose process died: queued again, three attempts in all. */
export const reviveExports = job({
  name: 'files.reviveExports',
  label: '接管中断的导出',
  everySeconds: 60,
  async run(_data, ctx) {
    const dead = plusMs(ctx.now, -HEARTBEAT_LIMIT_MS);
    await ctx.transaction(async (writing) => {
      const stale = own(writing.tx).updateTable('filesExportTask').where('state', '=', 'RUNNING').where('heartbeatAt', '<', dead);
      await stale
        .where('attempt', '>=', MAX_ATTEMPTS)
        .set((eb) => ({
          state: 'FAILED',
          errorCode: 'SCM99999',
          errorMessage: '生成过程多次中断，请重试',
          finishedAt: ctx.now,
          expiresAt: plusMs(ctx.now, days(7)),
          version: eb('version', '+', 1),
        }))
        .execute();
      const again = await stale
        .where('attempt', '<', MAX_ATTEMPTS)
        .set((eb) => ({ state: 'QUEUED', version: eb('version', '+', 1) }))
        .returning('id')
        .execute();
      const waiting = await own(writing.tx)
        .selectFrom('filesExportTask')
        .select('id')
        .where('state', '=', 'QUEUED')
        .where('queuedAt', '<', dead)
        .limit(1)
        .execute();
      // Also wakes tasks whose job ended without them (their user had two running then).
      if (again.length > 0 || waiting.length > 0) await writing.enqueue(runExports, {}, { singletonKey: 'revive' });
    });
  },
});

/** Bytes go when the time is up, rows after 180 days. */
export const expireExports = job({
  name: 'files.expireExports',
  label: '清理过期的导出文件',
  cron: '7 * * * *',
  async run(_data, ctx) {
    const { kernel } = ctx;
    const expired = await own(ctx.db)
      .selectFrom('filesExportTask as t')
      .leftJoin('filesFileObject as f', 'f.id', 't.fileId')
      .select(['t.id', 't.fileId', 'f.storageKey'])
      .where('t.state', 'in', ['SUCCESS', 'FAILED'])
      .where('t.expiresAt', '<=', ctx.now)
      .limit(500)
      .execute();
    for (const task of expired) {
      await ctx.transaction(async ({ tx, afterCommit }) => {
        await own(tx)
          .updateTable('filesExportTask')
          .set((eb) => ({ state: 'EXPIRED', version: eb('version', '+', 1) }))
          .where('id', '=', task.id)
          .execute();
        if (task.fileId === null) return;
        await own(tx)
          .updateTable('filesFileObject')
          .set({ state: 'EXPIRED', bytesRemovedAt: ctx.now })
          .where('id', '=', task.fileId)
          .execute();
        const key = task.storageKey;
        if (key) afterCommit(() => kernel.storage.remove(key));
      });
    }
    await own(ctx.db)
      .deleteFrom('filesExportTask')
      .where('state', 'in', ['EXPIRED', 'CANCELLED'])
      .where('createdAt', '<', plusMs(ctx.now, -days(ROW_DAYS)))
      .execute();
  },
});

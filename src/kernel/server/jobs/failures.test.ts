import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { queryMyNoticeList } from '#domains/identity/contract/calls/notices.ts';
import { queryFailedJobList, retryFailedJob } from '#domains/identity/contract/calls/system.ts';
import { filesModule } from '#domains/files/server/module.ts';
import { identityModule } from '#domains/identity/server/module.ts';
import { hours, minutes } from '../../contract/time.ts';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { DatabaseAway } from '../database/away.ts';
import { makeMetrics } from '../http/metrics.ts';
import { makeJobQueue } from './boss.ts';
import { job } from './declaration.ts';
import { makeWorker } from './worker.ts';

let app: TestApp;
let operator: { as: TestStaff };
let fails: Error | null;
let runs: number;

const watcher = job({
  name: 'probe.watch',
  label: '巡检任务',
  everySeconds: 1,
  async run() {
    runs += 1;
    if (fails) throw fails;
  },
});
const lost = job<{ no: string }>({ name: 'probe.lost', label: '大任务', subject: ({ no }) => no, run: async () => {} });
const nightly = job({
  name: 'probe.nightly',
  label: '夜间任务',
  cron: '0 3 * * *',
  async run() {
    if (fails) throw fails;
  },
});

beforeEach(async () => {
  fails = null;
  runs = 0;
  app = await startTestApp({
    modules: [
      (kernel) => identityModule(kernel, { tipSources: [] }),
      filesModule,
      () => ({ domain: 'probe', permissions: [], routes: [], errors: {}, handlers: [], jobs: [watcher, lost, nightly] }),
    ],
  });
  await signIn();
});
afterEach(() => app.close());

const signIn = async () => {
  operator = { as: await app.staff({ permissions: ['identity.job.view', 'identity.job.retry'] }) };
};
const listed = async () => (await app.ok(queryFailedJobList, {}, operator)).rows;
const notices = async (as = operator) =>
  (await app.ok(queryMyNoticeList, { kind: 'ALERT' }, as)).rows.map(({ title, link }) => [title, link]);
const notice = (label: string) => [`后台任务失败：${label}`, '/operationLog?tab=jobs'];

describe('a job that repeats itself', () => {
  const failing = async (error = new Error('柜门打不开')) => {
    fails = error;
    await expect(app.runDue()).rejects.toThrow(error);
  };

  it('stands on the page once as long as it fails, with one notice, and leaves by itself when it is well for five minutes', async () => {
    const nobody = { as: await app.staff({ permissions: [] }) };
    await failing();
    await failing();
    await failing(new Error('门又坏了'));
    const rows = await listed();
    expect(rows).toMatchObject([{ jobName: 'probe.watch', label: '巡检任务', attempts: 3, reason: 'Error: 门又坏了', repeats: true }]);
    expect(await notices()).toEqual([notice('巡检任务')]);
    expect(await notices(nobody)).toEqual([]);
    expect(await app.refused(retryFailedJob, { jobId: rows[0]!.jobId, opinion: '再试' }, operator)).toMatchObject({
      code: 'SCM01092',
      message: '该任务每1秒自动执行一次，无需重试；恢复正常后会自动从本页移除',
    });

    fails = null;
    await app.runDue();
    expect(await listed()).toHaveLength(1);
    await app.advance(minutes(6));
    expect(await listed()).toEqual([]);

    // Within the hour it is the same outage; later another one.
    await failing();
    expect(await listed()).toHaveLength(1);
    expect(await notices()).toHaveLength(1);
    fails = null;
    await app.advance(hours(2));
    await signIn();
    expect(await listed()).toEqual([]);
    await failing();
    expect(await notices()).toHaveLength(2);
  });

  it('is not to blame for the absence of the database', async () => {
    await failing(new DatabaseAway('gone'));
    expect(await listed()).toEqual([]);
    expect(await notices()).toEqual([]);
  });

  it('is shown by the loops of a process as well, which also write down when it went well', async () => {
    const queue = makeJobQueue(app.db, new Map(), null);
    await queue.boss.start();
    const jobs = new Map([[watcher.name, watcher]]);
    const worker = makeWorker(
      app.kernel,
      queue,
      jobs,
      new Map(),
      makeMetrics(() => ({ total: 0, idle: 0, waiting: 0, max: 1 })),
    );
    await worker.start();
    await expect.poll(() => runs).toBeGreaterThan(0);
    fails = new Error('柜门打不开');
    await expect.poll(listed, { timeout: 5_000 }).toMatchObject([{ jobName: 'probe.watch' }]);
    await worker.stop();
    const { rows } = await sql<{ succeededAt: string }>`select succeeded_at from kernel_job_state where name = 'probe.watch'`.execute(
      app.db,
    );
    expect(rows).toEqual([{ succeededAt: app.clock.now() }]);
  });
});

describe('a job of the queue', () => {
  it('whose process died is on the page, once, with one notice for all of its kind, and can be retried', async () => {
    const died = (no: number, output: string) =>
      app.database.asOwner(`
        insert into pgboss.job (name, data, state, policy, singleton_key, retry_count, retry_limit, output, completed_on, expire_seconds)
          values ('probe.lost', '{"no": "N${no}"}', 'failed', 'short', 'k${no}', 3, 3, '{"value": {"message": "${output}"}}', now(), 900)`);
    await died(1, 'job heartbeat timeout');
    await died(2, 'job timed out');
    await app.runDue();
    await app.runDue();
    const rows = (await listed()).toSorted((a, b) => (a.subject ?? '').localeCompare(b.subject ?? ''));
    expect(rows).toMatchObject([
      { label: '大任务', subject: 'N1', attempts: 4, reason: '执行该任务的进程已中断，重新执行后仍未完成', traceId: null, repeats: false },
      { label: '大任务', subject: 'N2', attempts: 4, reason: '任务超过900秒仍未完成，已停止等待', traceId: null },
    ]);
    expect(await notices()).toEqual([notice('大任务')]);
    for (const { jobId } of rows) await app.ok(retryFailedJob, { jobId, opinion: '已扩容' }, operator);
    await app.runDue();
    expect(await listed()).toEqual([]);
  });

  it('that runs by the calendar is known to be late, and when it went well last', async () => {
    await app.runDue();
    const states = async () =>
      (
        await sql<{ name: string; succeededAt: string | null }>`select name, succeeded_at from kernel_job_state order by name`.execute(
          app.db,
        )
      ).rows;
    expect((await states()).find(({ name }) => name === 'probe.nightly')).toEqual({ name: 'probe.nightly', succeededAt: null });
    await app.advance(hours(24));
    expect((await states()).find(({ name }) => name === 'probe.nightly')).toEqual({
      name: 'probe.nightly',
      succeededAt: '2026-11-21T19:00:00.000Z',
    });
  });
});

import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { makeMetrics } from '../http/metrics.ts';
import { makeJobQueue } from './boss.ts';
import { job, type JobDeclaration } from './declaration.ts';
import { makeWorker, type Worker } from './worker.ts';

const runs = { busy: 0, idle: 0 };
const jobs = new Map<string, JobDeclaration<never>>(
  [
    job({ name: 'probe.busy', label: '总有事', everySeconds: 0.01, run: async () => void (runs.busy += 1) }),
    job({
      name: 'probe.idle',
      label: '无事',
      everySeconds: 0.01,
      run: async (_data, { idleFor }) => void ((runs.idle += 1), idleFor(3_600_000)),
    }),
  ].map((one) => [one.name, one]),
);

let app: TestApp;
let worker: Worker;
beforeAll(async () => {
  app = await startTestApp();
  const queue = makeJobQueue(app.db, jobs, null);
  await queue.boss.start();
  const metrics = makeMetrics(() => ({ total: 0, idle: 0, waiting: 0, max: 0 }));
  worker = makeWorker(app.kernel, queue, jobs, new Map(), metrics);
  await worker.start();
});
afterAll(async () => {
  await worker.stop();
  await app.close();
});

/** Until the job that always has something to do ran so often. */
const passing = async (times: number) => {
  const before = runs.busy;
  await expect.poll(() => runs.busy, { timeout: 20_000 }).toBeGreaterThanOrEqual(before + times);
};

it('a job that says for how long nothing is due rests so long, and looks again after a commit', async () => {
  await passing(20);
  expect(runs.idle).toBe(1);
  worker.wake(false);
  await expect.poll(() => runs.idle).toBe(2);
  await passing(20);
  expect(runs.idle).toBe(2);
});

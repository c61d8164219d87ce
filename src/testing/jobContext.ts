import type { Db } from '#kernel/server/context.ts';
import type { JobContext } from '#kernel/server/jobs/declaration.ts';
import type { Kernel } from '#kernel/server/kernel.ts';

/** What a test hands over of the application under test. */
interface JobApp {
  kernel: Kernel;
  clock: { now(): string };
  db: Db;
}

/** A job's context as the worker of this process makes it, for a test that runs one job alone; `given` takes the place of its parts. */
export const jobContext = (app: JobApp, given: Partial<JobContext> = {}): JobContext => ({
  kernel: app.kernel,
  now: app.clock.now(),
  traceId: 'test',
  db: app.db,
  signal: new AbortController().signal,
  idleFor: () => {},
  transaction: (work) => app.kernel.transactions.run('test', work),
  ...given,
});

import { setTimeout as pause } from 'node:timers/promises';
import type { JobWithMetadata } from 'pg-boss';
import type { Kernel } from '../kernel.ts';
import type { Metrics } from '../http/metrics.ts';
import type { Consumer } from '../outbox/consumer.ts';
import { deliverNext, isAnyDue } from '../outbox/dispatcher.ts';
import { ALIVE_SECONDS, type JobQueue } from './boss.ts';
import type { JobDeclaration } from './declaration.ts';
import { WRITTEN_SECONDS } from './due.ts';
import { settleFailures } from './failures.ts';
import { runAttempt, runRepeated } from './run.ts';
import { noteSuccesses } from './successes.ts';

/** Commits of this process wake the outbox; what comes by others, or is delivered once more, is looked for so often. */
const OUTBOX_POLL_MS = 10_000;
/** Where no notification is heard (a pooler between). */
const JOB_POLL_SECONDS = 1;
/** Behind the notifications, and behind what is looked ahead for. */
const SLOW_POLL_SECONDS = 300;
/** Repeated jobs of which nothing is due look again so often at least: another process may have written something. */
const LONGEST_IDLE_MS = 30_000;
/** Jobs that wait for their time, and what no notification told of, are looked for so often. */
const AHEAD_SECONDS = 10;

export interface Worker {
  start(): Promise<void>;
  /** Something was committed: what rests looks again; with events or jobs in it, they are looked at at once. */
  wake(published: boolean): void;
  /** Lets running jobs end (10 s at most). */
  stop(): Promise<void>;
}

/** The background loops of one process: queue, outbox, intervals. */
export function makeWorker(
  kernel: Kernel,
  queue: JobQueue,
  jobs: ReadonlyMap<string, JobDeclaration<never>>,
  consumers: ReadonlyMap<string, Consumer>,
  metrics: Metrics,
): Worker {
  const stopping = new AbortController();
  const loops: Promise<void>[] = [];
  const successes = noteSuccesses(kernel, jobs);
  const settle = async () => {
    await successes.write();
    await settleFailures(kernel, jobs);
  };
  let wakeOutbox = () => {};

  const count = async <T>(declaration: JobDeclaration<never>, running: Promise<T>): Promise<T> => {
    try {
      const answer = await running;
      metrics.jobs.inc({ job: declaration.name, outcome: 'done' });
      return answer;
    } catch (error) {
      metrics.jobs.inc({ job: declaration.name, outcome: 'failed' });
      throw error;
    }
  };

  async function outboxLoop() {
    let isWoken = true;
    while (!stopping.signal.aborted) {
      // Before anything is read: what is committed meanwhile is read next.
      const woken = new Promise<true>((resolve) => (wakeOutbox = () => resolve(true)));
      try {
        if (isWoken || (await isAnyDue(kernel)))
          while (!stopping.signal.aborted && (await deliverNext(kernel, consumers, kernel.clock.now())));
      } catch (error) {
        kernel.log.error({ error }, 'the outbox could not be read');
      }
      const polled = pause(OUTBOX_POLL_MS, false, { signal: stopping.signal }).catch(() => false);
      isWoken = await Promise.race([woken, polled]);
    }
  }

  let commits = 0;
  const idle = new Set<() => void>();
  const untilCommit = (ms: number, seen: number) =>
    new Promise<void>((resolve) => {
      if (commits !== seen) return resolve();
      const end = () => {
        clearTimeout(timer);
        idle.delete(end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      idle.add(end);
    });
  const wakeIdle = () => {
    for (const end of idle) end();
  };

  async function intervalLoop(declaration: JobDeclaration<never>, seconds: number) {
    while (!stopping.signal.aborted) {
      const seen = commits;
      const idleMs = await count(declaration, runRepeated(kernel, declaration, stopping.signal, successes)).catch(() => 0);
      await pause(seconds * 1000, undefined, { signal: stopping.signal }).catch(() => {});
      const longer = Math.min(idleMs, LONGEST_IDLE_MS) - seconds * 1000;
      if (longer > 0 && !stopping.signal.aborted) await untilCommit(longer, seen);
    }
  }

  const workers = new Map<string, string[]>();
  const wakeQueue = (name: string) => workers.get(name)?.forEach((id) => queue.boss.notifyWorker(id));

  async function aheadLoop() {
    while (!stopping.signal.aborted) {
      try {
        for (const { name, inMs } of await queue.dueWithin(kernel.clock.now(), AHEAD_SECONDS)) setTimeout(wakeQueue, inMs, name).unref();
      } catch (error) {
        kernel.log.error({ error }, 'the jobs to come could not be read');
      }
      await pause(AHEAD_SECONDS * 1000, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  async function settleLoop() {
    while (!stopping.signal.aborted) {
      try {
        await settle();
      } catch (error) {
        kernel.log.error({ error }, 'the ends of jobs could not be written down');
      }
      await pause(WRITTEN_SECONDS * 1000, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  async function workOn(declaration: JobDeclaration<never>) {
    if (declaration.cron) await queue.boss.schedule(declaration.name, declaration.cron, {}, { tz: 'Asia/Shanghai' });
    const ids: string[] = [];
    workers.set(declaration.name, ids);
    for (let at = 0; at < (declaration.concurrency ?? 1); at += 1) {
      const id = await queue.boss.work(
        declaration.name,
        {
          includeMetadata: true as const,
          pollingIntervalSeconds: JOB_POLL_SECONDS,
          notifyPollingIntervalSeconds: SLOW_POLL_SECONDS,
          heartbeatRefreshSeconds: ALIVE_SECONDS,
        },
        async ([job]: JobWithMetadata<object>[]) => {
          // One notification may have told of many jobs: the next is looked for as soon as this one has ended.
          if (!job) return;
          const running = runAttempt(kernel, declaration, { ...job, data: job.data ?? {} }, stopping.signal, successes);
          await count(declaration, running).finally(() => queue.boss.notifyWorker(id));
        },
      );
      ids.push(id);
    }
  }

  return {
    async start() {
      await settle();
      loops.push(outboxLoop(), aheadLoop(), settleLoop());
      for (const declaration of jobs.values()) {
        if (declaration.everySeconds) loops.push(intervalLoop(declaration, declaration.everySeconds));
        else await workOn(declaration);
      }
    },
    wake(published) {
      commits += 1;
      wakeIdle();
      if (published) wakeOutbox();
    },
    async stop() {
      stopping.abort();
      wakeOutbox();
      wakeIdle();
      await queue.boss.stop({ graceful: true, timeout: 10_000 });
      await Promise.all(loops);
      await successes.write().catch((error: unknown) => kernel.log.error({ error }, 'the ends of jobs could not be written down'));
    },
  };
}

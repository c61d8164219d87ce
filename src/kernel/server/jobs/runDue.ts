import { sql } from 'kysely';
import { dayOf, plusMs, type Instant } from '../../contract/time.ts';
import type { MovableClock } from '../clock.ts';
import type { Kernel } from '../kernel.ts';
import type { Consumer } from '../outbox/consumer.ts';
import { deliverNext } from '../outbox/dispatcher.ts';
import type { JobQueue } from './boss.ts';
import type { JobDeclaration } from './declaration.ts';
import { cronTimes } from './due.ts';
import { settleFailures } from './failures.ts';
import { runAttempt, runRepeated } from './run.ts';
import { noteSuccesses } from './successes.ts';

interface DueJob {
  id: string;
  name: string;
  data: object | null;
  retryCount: number;
  retryLimit: number;
}

/** Runs of one cron that are walked through one by one. */
const MOST_RUNS = 48;

export interface DueRunner {
  /** Runs outbox and jobs that are due by the clock, in order, until none is left; then the interval jobs once. */
  runDue(): Promise<void>;
  /**
   * Moves the clock and runs what falls due, crons at their times included (over many days hourly ones once a day); interval jobs run
   * once, at the end.
   * @param domains whose crons run; of all domains without. A month of every night's checks takes half a minute.
   */
  advance(ms: number, domains?: readonly string[]): Promise<void>;
}

/** Stands in for the worker loops where time is a movable clock (API tests, browser journeys). */
export function makeDueRunner(
  kernel: Kernel,
  clock: MovableClock,
  queue: JobQueue,
  jobs: ReadonlyMap<string, JobDeclaration<never>>,
  consumers: ReadonlyMap<string, Consumer>,
): DueRunner {
  const signal = new AbortController().signal;
  const successes = noteSuccesses(kernel, jobs);

  async function runNextJob(): Promise<boolean> {
    const { rows } = await sql<DueJob>`
      select id::text as id, name, data, retry_count, retry_limit from pgboss.job
      where state in ('created', 'retry') and start_after <= ${clock.now()}::timestamptz
      order by start_after, created_on, id limit 1`.execute(kernel.db);
    const due = rows[0];
    if (!due) return false;
    const declaration = jobs.get(due.name);
    try {
      if (declaration) await runAttempt(kernel, declaration, { ...due, data: due.data ?? {} }, signal, successes);
      await queue.boss.complete(due.name, due.id, null, { includeQueued: true });
    } catch {
      const next = plusMs(clock.now(), 5_000 * 2 ** due.retryCount);
      await sql`
        update pgboss.job set retry_count = retry_count + 1, start_after = ${next},
          state = (case when retry_count >= retry_limit then 'failed' else 'retry' end)::pgboss.job_state
        where id = ${due.id}::uuid and name = ${due.name}`.execute(kernel.db);
    }
    return true;
  }

  async function drain(): Promise<void> {
    let again = true;
    while (again) {
      again = await deliverNext(kernel, consumers, clock.now());
      if (!again) again = await runNextJob();
    }
  }

  async function runDue(): Promise<void> {
    await drain();
    for (const declaration of jobs.values()) {
      if (declaration.everySeconds) await runRepeated(kernel, declaration, signal, successes);
    }
    await successes.write();
    await settleFailures(kernel, jobs);
  }

  function cronRuns(from: Instant, to: Instant, domains?: readonly string[]): { at: Instant; declaration: JobDeclaration<never> }[] {
    const due: { at: Instant; declaration: JobDeclaration<never> }[] = [];
    for (const declaration of jobs.values()) {
      if (!declaration.cron || domains?.includes(declaration.name.split('.')[0]!) === false) continue;
      const at = [...cronTimes(declaration.cron, from, to)];
      // Over many days what runs every hour runs once a day: a month would else be thousands of runs of nothing.
      const kept = at.length > MOST_RUNS ? [...new Map(at.map((one) => [dayOf(one), one])).values()] : at;
      due.push(...kept.map((one) => ({ at: one, declaration })));
    }
    return due.sort((a, b) => a.at.localeCompare(b.at));
  }

  return {
    runDue,
    async advance(ms, domains) {
      const end = plusMs(clock.now(), ms);
      for (const { at, declaration } of cronRuns(clock.now(), end, domains)) {
        clock.set(at);
        // Interval jobs run at the end: between two crons nothing but time has changed for them.
        await drain();
        await runAttempt(kernel, declaration, { id: 'cron', data: {}, retryCount: 0, retryLimit: 1 }, signal, successes);
      }
      clock.set(end);
      await runDue();
    },
  };
}

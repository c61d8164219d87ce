import { randomUUID } from 'node:crypto';
import { CompiledQuery, sql } from 'kysely';
import { PgBoss, type Db as BossDatabase } from 'pg-boss';
import type { Db, Tx } from '../context.ts';
import { plusMs, type Instant } from '../../contract/time.ts';
import { besideTransaction } from '../database/heldConnection.ts';
import type { JobDeclaration } from './declaration.ts';

/** A running job whose process was silent for so long counts as dead, however long it may run, and is taken again. */
export const DEAD_SECONDS = 30;
/** How often a process says that it lives. */
export const ALIVE_SECONDS = 10;
/** How often dead ones are looked for: with the pause before a repetition a job is taken again within a minute. */
const LOOK_SECONDS = 20;

const executor = (db: Db | Tx): BossDatabase => ({
  async executeSql(text, values = []) {
    // pg-boss reads the columns of its own tables by their own names: the camel-case plugin must not touch them
    const { rows } = await db.withoutPlugins().executeQuery<Record<string, unknown>>(CompiledQuery.raw(text, values));
    return { rows };
  },
});

/** Hears of a channel of the database; `up` is called whenever notifications may have been missed before. */
export type Listen = (channel: string, hear: (payload: string) => void, up: () => void) => Promise<{ close(): void }>;

/** The same for pg-boss. */
const listening =
  (listen: Listen): NonNullable<BossDatabase['listen']> =>
  async (channel, hear, up) => {
    const heard = await listen(channel, hear, up);
    return { close: async () => heard.close() };
  };

interface DueQueue {
  name: string;
  /** Milliseconds until its first waiting job may run; 0: it may now. */
  inMs: number;
}

export interface JobQueue {
  boss: PgBoss;
  /** Adds a job within the transaction. */
  add(tx: Tx, name: string, data: object, options: { startAfter: Instant; singletonKey?: string }): Promise<void>;
  /** Queues with jobs that may run within so many seconds: those that waited for their time or for a repetition. */
  dueWithin(now: Instant, seconds: number): Promise<DueQueue[]>;
}

/**
 * pg-boss on the application's own connections; its schema is migrated with ours.
 * @param listen null in tests: nothing runs until `runDue` is called. A job that is written notifies, in its transaction, whoever works.
 */
export function makeJobQueue(db: Db, jobs: ReadonlyMap<string, JobDeclaration<never>>, listen: Listen | null): JobQueue {
  const loops = listen !== null;
  const boss = new PgBoss({
    db: { ...executor(db), ...(listen && { listen: listening(listen) }) },
    useListenNotify: loops,
    schema: 'pgboss',
    migrate: false,
    createSchema: false,
    supervise: loops,
    superviseIntervalSeconds: LOOK_SECONDS,
    monitorIntervalSeconds: LOOK_SECONDS,
    schedule: loops,
    // What is due by the calendar is due by the minute.
    cronWorkerIntervalSeconds: LOOK_SECONDS,
    // The longest that it takes, under a minute.
    cronMonitorIntervalSeconds: 45,
    // No job of ours waits for another one.
    flowIntervalSeconds: 3_600,
  });
  return {
    boss,
    async dueWithin(now, seconds) {
      const { rows } = await sql<DueQueue>`
        select name, greatest(0, ceil(extract(epoch from min(start_after) - ${now}::timestamptz) * 1000))::int as in_ms
          from pgboss.job
          where state < 'active' and start_after < ${plusMs(now, seconds * 1000)}::timestamptz
          group by name`.execute(db);
      return rows;
    },
    async add(tx, name, data, options) {
      const declaration = jobs.get(name);
      if (!declaration) throw new Error(`job ${name} is not registered`);
      // pg-boss reads its list of queues once, by itself.
      await besideTransaction('madeOnce', () =>
        boss.send(name, data, {
          db: executor(tx),
          startAfter: new Date(options.startAfter),
          retryLimit: declaration.retryLimit ?? 3,
          retryDelay: 5,
          retryBackoff: true,
          expireInSeconds: declaration.expireSeconds ?? 900,
          // The queues' policy keeps one queued job per key; work without a key must never be merged.
          singletonKey: options.singletonKey ?? randomUUID(),
        }),
      );
    },
  };
}

/** Creates the queues of new jobs, which notify and whose processes say that they live, and has older queues do so; safe on every start. */
export async function createQueues(boss: PgBoss, jobs: Iterable<JobDeclaration<never>>): Promise<void> {
  const kept = { heartbeatSeconds: DEAD_SECONDS, notify: true };
  const known = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
  for (const { name } of jobs) {
    const queue = known.get(name);
    if (!queue) await boss.createQueue(name, { policy: 'short', ...kept });
    else if (queue.heartbeatSeconds !== DEAD_SECONDS || !queue.notify) await boss.updateQueue(name, kept);
  }
}

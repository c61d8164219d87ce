import { randomUUID } from 'node:crypto';
import { CompiledQuery } from 'kysely';
import { PgBoss, type Db as BossDatabase } from 'pg-boss';
import type { Db, Tx } from '../context.ts';
import type { Instant } from '../../contract/time.ts';
import { besideTransaction } from '../database/heldConnection.ts';
import type { JobDeclaration } from './declaration.ts';

/** A running job whose process was silent for so long counts as dead, however long it may run, and is taken again. */
export const DEAD_SECONDS = 30;
/** How often a process says that it lives. */
export const ALIVE_SECONDS = 10;
/** How often dead ones are looked for: with the pause before a repetition a job is taken again within a minute. */
const LOOK_SECONDS = 10;

const executor = (db: Db | Tx): BossDatabase => ({
  async executeSql(text, values = []) {
    // pg-boss reads the columns of its own tables by their own names: the camel-case plugin must not touch them
    const { rows } = await db.withoutPlugins().executeQuery<Record<string, unknown>>(CompiledQuery.raw(text, values));
    return { rows };
  },
});

export interface JobQueue {
  boss: PgBoss;
  /** Adds a job within the transaction. */
  add(tx: Tx, name: string, data: object, options: { startAfter: Instant; singletonKey?: string }): Promise<void>;
}

/**
 * pg-boss on the application's own connections; its schema is migrated with ours.
 * @param loops false in tests: nothing runs until `runDue` is called.
 */
export function makeJobQueue(db: Db, jobs: ReadonlyMap<string, JobDeclaration<never>>, loops: boolean): JobQueue {
  const boss = new PgBoss({
    db: executor(db),
    schema: 'pgboss',
    migrate: false,
    createSchema: false,
    supervise: loops,
    superviseIntervalSeconds: LOOK_SECONDS,
    monitorIntervalSeconds: LOOK_SECONDS,
    schedule: loops,
    cronWorkerIntervalSeconds: 5,
  });
  return {
    boss,
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

/** Creates the queues of new jobs, whose processes say that they live, and has those of older versions say so; safe on every start. */
export async function createQueues(boss: PgBoss, jobs: Iterable<JobDeclaration<never>>): Promise<void> {
  const known = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
  for (const { name } of jobs) {
    const queue = known.get(name);
    if (!queue) await boss.createQueue(name, { policy: 'short', heartbeatSeconds: DEAD_SECONDS });
    else if (queue.heartbeatSeconds !== DEAD_SECONDS) await boss.updateQueue(name, { heartbeatSeconds: DEAD_SECONDS });
  }
}

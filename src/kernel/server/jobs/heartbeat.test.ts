import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientConfig } from '../database/address.ts';
import { createTestDatabase, type TestDatabase } from '#testing/testDatabase.ts';
import { createQueues, makeJobQueue, type JobQueue } from './boss.ts';
import { job } from './declaration.ts';

const LONG = job({ name: 'probe.long', label: '长任务', expireSeconds: 7_200, run: async () => {} });

/** Takes the job as a worker of pg-boss does, says so, and never ends. */
const WORKER = `
  const { PgBoss } = await import('pg-boss');
  const boss = new PgBoss({ ...JSON.parse(process.env.DATABASE), schema: 'pgboss', migrate: false, supervise: false, schedule: false });
  await boss.start();
  await boss.work('probe.long', { pollingIntervalSeconds: 1 }, () => { console.log('taken'); return new Promise(() => {}); });
`;

describe('a long job', () => {
  let database: TestDatabase;
  let queue: JobQueue;
  const jobs = new Map([[LONG.name, LONG]]);
  beforeAll(async () => {
    database = await createTestDatabase();
    queue = makeJobQueue(database.db, jobs, null);
    await queue.boss.start();
    await createQueues(queue.boss, jobs.values());
  });
  afterAll(async () => {
    await queue.boss.stop({ graceful: false });
    await database.close();
  });

  const state = async () =>
    (await sql<{ state: string }>`select state::text as state from pgboss.job where name = ${LONG.name}`.execute(database.db)).rows[0]
      ?.state;
  /** As if so much time had passed since its process was heard last, and the queue was looked at before that. */
  const silentFor = (seconds: number) =>
    database.asOwner(`
      update pgboss.job set heartbeat_on = now() - interval '${seconds} seconds' where name = '${LONG.name}';
      update pgboss.queue set monitor_claim_on = null where name = '${LONG.name}'`);

  it('whose process was killed is taken again as soon as that was silent for half a minute, and not before', async () => {
    await database.db.transaction().execute((tx) => queue.add(tx, LONG.name, {}, { startAfter: '2026-01-01T00:00:00.000Z' }));
    const child = spawn(process.execPath, ['--input-type=module', '-e', WORKER], {
      env: { ...process.env, DATABASE: JSON.stringify(clientConfig(database.address)) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    await silentFor(20);
    await queue.boss.supervise(LONG.name);
    expect(await state()).toBe('active');
    await silentFor(31);
    await queue.boss.supervise(LONG.name);
    expect(await state()).toBe('retry');
  });

  it('of an older version says that it lives, and that it waits, from the next start on', async () => {
    await database.asOwner(`update pgboss.queue set heartbeat_seconds = null, notify = false where name = '${LONG.name}'`);
    await createQueues(queue.boss, jobs.values());
    expect(await queue.boss.getQueue(LONG.name)).toMatchObject({ heartbeatSeconds: 30, notify: true });
  });
});

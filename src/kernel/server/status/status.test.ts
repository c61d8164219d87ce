import { sql } from 'kysely';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { minutes, plusMs } from '../../contract/time.ts';
import { startTestApp, TEST_NOW, type TestApp } from '#testing/testApp.ts';
import { DatabaseAway } from '../database/away.ts';
import { makeStatus } from './status.ts';

let app: TestApp;
afterEach(async () => {
  vi.restoreAllMocks();
  await app.close();
});

/** Values of a scrape by name and labels. */
async function scrape(): Promise<ReadonlyMap<string, number>> {
  const text = (await app.inject({ method: 'GET', url: '/metrics' })).body.toString();
  const samples = text.split('\n').filter((line) => line.startsWith('kangqiao_'));
  return new Map(samples.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]));
}

describe('a scrape', () => {
  it('tells what waits, since when, what was given up, and what stands still', async () => {
    app = await startTestApp();
    const earlier = plusMs(TEST_NOW, -minutes(10));
    await app.database.asOwner(`
      insert into kernel_outbox (event_id, name, aggregate_id, seq, payload, at, trace_id)
        select gen_random_uuid(), 'probe', n::text, 1, '{}', timestamptz '${earlier}' + n * interval '1 minute', 't'
          from generate_series(0, 2) n;
      insert into kernel_outbox_delivery (outbox_id, consumer, state, next_try_at)
        select id, 'a:probe', case when aggregate_id = '2' then 'FAILED' else 'PENDING' end, at from kernel_outbox where name = 'probe';
      insert into kernel_failed_job (job_id, job_name, label, data, attempts, error, trace_id, failed_at, state)
        select 'x', 'identity.sendSms', '发送短信', '{}', 4, 'away', 't', '${earlier}', s from unnest('{FAILED,FAILED,RETRIED}'::text[]) s;
      insert into pgboss.job (name, start_after, policy, singleton_key)
        select 'identity.sendSms', timestamptz '${TEST_NOW}' + m * interval '1 minute', 'short', m::text from unnest('{-3,-1,5}'::int[]) m;
      insert into kernel_job_state (name, known_since, succeeded_at)
        values ('corpus.sweep', '${plusMs(TEST_NOW, -minutes(3 * 1440))}', '${plusMs(TEST_NOW, -minutes(2 * 1440))}');
      insert into corpus_send_switch (scope_type, scope_id, reason, created_at) values ('ENGINE', '', '内容有误', '${earlier}')`);
    const seen = await scrape();
    const expected: [string, number][] = [
      ['kangqiao_database_up', 1],
      ['kangqiao_outbox_pending_deliveries', 2],
      ['kangqiao_outbox_oldest_seconds', 600],
      ['kangqiao_outbox_failed_deliveries', 1],
      ['kangqiao_failed_jobs', 2],
      ['kangqiao_queue_due_jobs{queue="identity.sendSms"}', 2],
      ['kangqiao_queue_later_jobs{queue="identity.sendSms"}', 1],
      ['kangqiao_queue_oldest_seconds{queue="identity.sendSms"}', 180],
      ['kangqiao_queue_due_jobs{queue="corpus.evaluatePatient"}', 0],
      ['kangqiao_job_last_success_timestamp_seconds{job="corpus.sweep"}', Date.parse(TEST_NOW) / 1000 - 2 * 86_400],
      // Due at five in the morning, now it is ten o'clock of the second day.
      ['kangqiao_job_overdue_seconds{job="corpus.sweep"}', 29 * 3600],
      ['kangqiao_corpus_engine_stopped', 1],
      ['kangqiao_corpus_send_switches{scope="ENGINE"}', 1],
      ['kangqiao_corpus_send_switches{scope="PATIENT"}', 0],
      ['kangqiao_pool_connections{state="max"}', 20],
    ];
    for (const [name, value] of expected) expect([name, seen.get(name)]).toEqual([name, value]);
    expect(seen.has('kangqiao_redis_up')).toBe(false);
    expect(seen.has('kangqiao_job_overdue_seconds{job="identity.sendSms"}')).toBe(false);
  });

  it('asks once for all who come within five seconds, each figure in one short statement', async () => {
    app = await startTestApp();
    const asked = vi.spyOn(app.database.pool, 'connect');
    await Promise.all([scrape(), scrape(), app.kernel.status.read()]);
    expect(asked.mock.calls.length).toBeLessThanOrEqual(6);
    await scrape();
    expect(asked.mock.calls.length).toBeLessThanOrEqual(6);
  });

  it('says that the database is away, at once where it is refused and soon where it hangs, and leaves out what it does not know', async () => {
    app = await startTestApp();
    const hang = () => new Promise<never>(() => {});
    for (const read of [() => Promise.reject(new DatabaseAway('gone')), hang]) {
      const own = { title: '', figures: [], needsDatabase: false, read: async () => [{ metric: 'own', value: 3 }] };
      const status = makeStatus(
        () => ({ ...app.kernel, registry: { ...app.kernel.registry, modules: [] } }),
        [own, { ...own, needsDatabase: true, read }],
      );
      const { parts } = await status.read();
      expect(parts.map(({ values }) => values)).toEqual([
        [
          { metric: 'kangqiao_database_up', value: 0 },
          { metric: 'own', value: 3 },
        ],
        [],
      ]);
    }
  });

  it('is answered while the database is lost', async () => {
    app = await startTestApp();
    vi.spyOn(app.database.pool, 'connect').mockImplementation(() => Promise.reject(new Error('connect ECONNREFUSED')));
    const seen = await scrape();
    expect(seen.get('kangqiao_database_up')).toBe(0);
    expect([...seen.keys()].some((name) => name.startsWith('kangqiao_outbox') || name.startsWith('kangqiao_queue'))).toBe(false);
    expect(seen.has('kangqiao_pool_used_ratio')).toBe(true);
    vi.restoreAllMocks();
  });

  it('goes on where one of the sources is wrong', async () => {
    app = await startTestApp({
      besides: [
        () => ({
          domain: 'odd',
          permissions: [],
          routes: [],
          errors: {},
          handlers: [],
          status: [
            {
              title: '异常',
              needsDatabase: true,
              figures: [{ metric: 'kangqiao_odd', help: 'odd', label: '异常', unit: 'COUNT' }],
              read: async ({ db }) => (await sql<never>`select nothing_of_this_name`.execute(db)).rows,
            },
          ],
        }),
      ],
    });
    const seen = await scrape();
    expect(seen.get('kangqiao_database_up')).toBe(1);
    expect(seen.get('kangqiao_failed_jobs')).toBe(0);
    expect(seen.has('kangqiao_odd')).toBe(false);
  });
});
